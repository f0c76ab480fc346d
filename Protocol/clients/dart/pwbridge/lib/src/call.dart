/// What a bridge gives to those who use it: calls that are open, and lines that it logs.
library;

import 'dart:typed_data';

/// A message that was sent, and its answer to come.
abstract interface class PwCall {
  String get channel;

  /// The number of the message on the wire; 0 while it waits for its turn.
  int get id;

  /// Whether the answer has come, or the connection has ended.
  bool get isAnswered;

  /// The reply's bytes; null is a reply without payload.
  ///
  /// Fails with a `PwDroppedException`, a `PwFrameException`, a `PwDisconnectedException`, or a
  /// `TimeoutException` when the answer takes too long.
  Future<Uint8List?> get reply;

  /// Says that the answer is no longer wanted. It comes all the same.
  void cancel();
}

/// A line that the server logged.
class PwLog {
  const PwLog(this.level, this.text, this.channel, this.id);

  /// `info`, `warning` or `error`.
  final String level;
  final String text;

  /// Null when no channel is concerned.
  final String? channel;

  /// The call concerned, or 0.
  final int id;

  @override
  String toString() => '$level: $text';
}
