/// Records what an app says to its native side, as PWBridge recordings.
library;

export 'package:pwbridge/recording.dart';

export 'src/recording_binding.dart';
export 'src/recording_messenger.dart';
