/// Flutter's standard method codec in plain Dart: calls and envelopes, Protocol/codec.md section 3.
library;

import 'dart:typed_data';

import 'exceptions.dart';
import 'standard_codec.dart';

/// A method name and its arguments.
class PwMethodCall {
  const PwMethodCall(this.method, [this.arguments]);

  final String method;
  final Object? arguments;

  @override
  String toString() => 'PwMethodCall($method, $arguments)';
}

/// The first byte of an envelope.
abstract final class PwEnvelope {
  static const int success = 0;
  static const int error = 1;
}

/// Calls and envelopes.
class PwStandardMethodCodec {
  const PwStandardMethodCodec();

  Uint8List encodeMethodCall(PwMethodCall call) {
    final PwWriter writer = PwWriter();
    writer.text(call.method);
    writer.value(call.arguments);
    return writer.take();
  }

  /// Throws a [FormatException], a [RangeError], or for no message a [TypeError], as Flutter's
  /// codec does.
  PwMethodCall decodeMethodCall(Uint8List? message) {
    final PwReader reader = PwReader(message!);
    final Object? method = reader.value();
    final Object? arguments = reader.value();
    if (method is String && !reader.hasMore) {
      return PwMethodCall(method, arguments);
    }
    throw const FormatException('Invalid method call');
  }

  Uint8List encodeSuccessEnvelope(Object? result) {
    final PwWriter writer = PwWriter();
    writer.byte(PwEnvelope.success);
    writer.value(result);
    return writer.take();
  }

  Uint8List encodeErrorEnvelope({required String code, String? message, Object? details}) {
    final PwWriter writer = PwWriter();
    writer.byte(PwEnvelope.error);
    writer.value(code);
    writer.value(message);
    writer.value(details);
    return writer.take();
  }

  /// The value of a success envelope.
  ///
  /// Throws a [PwPlatformException] for an error envelope, and a [FormatException], [RangeError]
  /// or [TypeError] for bytes that are no envelope. A reply without payload is none either: the
  /// caller looks for that first.
  Object? decodeEnvelope(Uint8List envelope) {
    if (envelope.isEmpty) {
      throw const FormatException('Expected envelope, got nothing');
    }
    final PwReader reader = PwReader(envelope);
    if (reader.byte() == PwEnvelope.success) {
      // What stands behind the value is not looked at: Flutter's codec does not, either.
      return reader.value();
    }
    final Object? code = reader.value();
    final Object? message = reader.value();
    final Object? details = reader.value();
    String? stacktrace;
    if (reader.hasMore) {
      stacktrace = reader.value() as String?;
    }
    if (code is String && (message == null || message is String) && !reader.hasMore) {
      throw PwPlatformException(
        code: code,
        message: message as String?,
        details: details,
        stacktrace: stacktrace,
      );
    }
    throw const FormatException('Invalid envelope');
  }
}
