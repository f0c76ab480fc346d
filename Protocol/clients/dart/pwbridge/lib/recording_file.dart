/// Recordings of channel messages, written to a file.
library;

export 'src/recorder.dart';
export 'src/recording_file.dart';
