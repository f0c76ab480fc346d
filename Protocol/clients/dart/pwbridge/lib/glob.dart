/// Patterns for channel names.
library;

export 'src/glob.dart';
