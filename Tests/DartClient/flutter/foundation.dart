// What the client's Flutter packages use of package:flutter/foundation.dart. Behaviour:
// https://api.flutter.dev/flutter/foundation/FlutterError/reportError.html

export 'dart:typed_data' show ByteData, Endian, Float64List, Int32List, Int64List, Uint8List;

class ErrorDescription {
  ErrorDescription(this.message);

  final String message;
}

class FlutterErrorDetails {
  const FlutterErrorDetails({required this.exception, this.stack, this.library, this.context});

  final Object exception;
  final Object? stack;
  final String? library;
  final ErrorDescription? context;
}

class FlutterError {
  /// The test binding fails the test that runs; here a test looks at the list.
  static List<FlutterErrorDetails> reported = <FlutterErrorDetails>[];

  static void reportError(FlutterErrorDetails details) {
    reported.add(details);
  }
}
