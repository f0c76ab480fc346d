/// The frame layer alone, for programs that want more than `PwBridge` gives.
library;

export 'src/exceptions.dart' show PwException, PwProtocolException;
export 'src/fields.dart';
export 'src/frame_reader.dart';
export 'src/frames.dart';
