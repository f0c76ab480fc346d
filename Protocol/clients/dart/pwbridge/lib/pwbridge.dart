/// Talks to PWBridge, the native side of a Flutter app without the phone, from plain Dart.
library;

export 'src/bridge.dart';
export 'src/call.dart';
export 'src/channels.dart';
export 'src/connection.dart';
export 'src/control.dart';
export 'src/control_values.dart';
export 'src/exceptions.dart';
export 'src/glob.dart';
export 'src/method_codec.dart';
export 'src/native_messages.dart' show PwMessageHandler, PwMessageRouter;
export 'src/settings.dart';
export 'src/standard_codec.dart';
