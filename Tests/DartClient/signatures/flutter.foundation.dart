// https://api.flutter.dev/flutter/foundation/foundation-library.html
export 'dart:typed_data'
    show ByteData, Endian, Float32List, Float64List, Int32List, Int64List, Uint8List;

class Key {
  const factory Key(String value);
}

class DiagnosticsNode {}

class ErrorDescription extends DiagnosticsNode {
  ErrorDescription(String message);
}

class FlutterErrorDetails {
  const FlutterErrorDetails({
    required Object exception,
    StackTrace? stack,
    String? library,
    DiagnosticsNode? context,
  });
}

class FlutterError extends Error {
  static void reportError(FlutterErrorDetails details);
}

external void debugPrint(String? message, {int? wrapWidth});
