/// A call as the bridge sees it.
library;

import 'dart:async';
import 'dart:typed_data';

import 'call.dart';

/// A message on its way, or waiting for its turn.
class PendingCall implements PwCall {
  PendingCall(this.channel, this.message, {required this.wantsReply, required this.onCancel});

  @override
  final String channel;
  final Uint8List? message;
  final bool wantsReply;

  /// Called when the answer is no longer wanted, unless it has come.
  final void Function(PendingCall call) onCancel;

  final Completer<Uint8List?> _completer = Completer<Uint8List?>();
  Timer? _timer;
  bool _isAnswered = false;

  @override
  int id = 0;

  @override
  bool get isAnswered => _isAnswered;

  @override
  Future<Uint8List?> get reply => _completer.future;

  @override
  void cancel() {
    if (!_isAnswered) {
      // Who wants no answer need not look how the call ends.
      reply.ignore();
      onCancel(this);
    }
  }

  /// The answer has come, if it was wanted.
  void complete(Uint8List? payload) {
    _isAnswered = true;
    _timer?.cancel();
    if (!_completer.isCompleted) {
      _completer.complete(payload);
    }
  }

  /// There will be no answer.
  void fail(Object error) {
    _isAnswered = true;
    _timer?.cancel();
    if (!_completer.isCompleted) {
      _completer.completeError(error, StackTrace.current);
    }
  }

  /// Fails the reply after so long, in real time. The answer may still come.
  void expireAfter(Duration patience) {
    _timer = Zone.root.createTimer(patience, () {
      if (_completer.isCompleted) {
        return;
      }
      _completer.completeError(
        TimeoutException('no answer to message $id on channel $channel', patience),
        StackTrace.current,
      );
      cancel();
    });
  }
}
