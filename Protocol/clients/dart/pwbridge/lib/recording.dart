/// Recordings of channel messages, for apps and tests; works without dart:io.
library;

export 'src/recorder.dart';
