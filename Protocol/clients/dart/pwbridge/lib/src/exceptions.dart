/// What can go wrong between a test and the bridge.
library;

/// The parent of everything that this package throws, apart from [ArgumentError] for calls that
/// can never be right and `TimeoutException` for answers that did not come in time.
abstract class PwException implements Exception {
  const PwException();
}

/// The handler let go of the reply without answering.
///
/// On a device the Future of this call would stay pending for ever, without a word. The bridge
/// knows, and says so: see "Dropped" in Protocol/frames.md.
class PwDroppedException extends PwException {
  const PwDroppedException(this.channel, this.id);

  /// The channel of the call.
  final String channel;

  /// The number of the call on this connection.
  final int id;

  @override
  String toString() => 'PwDroppedException: the handler on channel $channel let go of the reply '
      'to message $id; on a device this call would never complete';
}

/// An error frame: the bridge refused a message, or the connection.
class PwFrameException extends PwException {
  const PwFrameException(this.code, this.text, {this.offset, this.isFatal = false});

  /// From the fields of an error frame.
  factory PwFrameException.fromFields(Map<String, String> fields) {
    final String offset = fields['offset'] ?? '';
    return PwFrameException(
      fields['code'] ?? 'internal',
      fields['text'] ?? '',
      offset: int.tryParse(offset),
      isFatal: fields['fatal'] == 'true',
    );
  }

  /// One of the codes in Protocol/frames.md; newer servers may have more.
  final String code;

  /// For people.
  final String text;

  /// A byte in the payload of the call, or in the stream when no call is concerned.
  final int? offset;

  /// Whether the server closes the connection behind it.
  final bool isFatal;

  @override
  String toString() {
    final String place = offset == null ? '' : ' at byte $offset';
    return 'PwFrameException($code$place): $text';
  }
}

/// The server sent bytes that break the rules of Protocol/frames.md.
class PwProtocolException extends PwException {
  const PwProtocolException(this.code, this.text, this.offset);

  /// One of the codes in Protocol/frames.md.
  final String code;

  /// For people.
  final String text;

  /// The byte of the incoming stream.
  final int offset;

  @override
  String toString() => 'PwProtocolException($code at byte $offset): $text';
}

/// The connection has ended, or never came about.
class PwDisconnectedException extends PwException {
  const PwDisconnectedException(this.text);

  /// What is known about the reason.
  final String text;

  @override
  String toString() => 'PwDisconnectedException: $text';
}

/// An error envelope: what native code reports as FlutterError. The counterpart of Flutter's
/// `PlatformException`, which lives in a package that plain Dart cannot use.
class PwPlatformException extends PwException {
  const PwPlatformException({required this.code, this.message, this.details, this.stacktrace});

  final String code;
  final String? message;
  final Object? details;

  /// The native stack trace, which Android alone sends.
  final String? stacktrace;

  @override
  String toString() => 'PwPlatformException($code, $message, $details, $stacktrace)';
}

/// A reply without payload: nobody implements the method. The counterpart of Flutter's
/// `MissingPluginException`.
class PwMissingPluginException extends PwException {
  const PwMissingPluginException([this.message]);

  final String? message;

  @override
  String toString() => 'PwMissingPluginException($message)';
}
