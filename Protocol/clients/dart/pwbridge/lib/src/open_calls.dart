/// The calls of one connection: numbers, turns and ends.
library;

import 'dart:collection';

import 'exceptions.dart';
import 'frames.dart';
import 'pending_call.dart';

/// Calls that were made and have no answer yet. As many as the server takes are on their way; the
/// others wait for their turn, in order.
class OpenCalls {
  OpenCalls(this._send);

  final void Function(PwFrame frame) _send;
  final Map<int, PendingCall> _sent = <int, PendingCall>{};
  final ListQueue<PendingCall> _waiting = ListQueue<PendingCall>();
  int _nextId = 1;

  /// How many unanswered messages the server takes.
  int limit = PwFrameLayout.maxOpenCalls;

  /// Whether the server knows what a cancel is.
  bool serverCancels = false;

  /// Sent and waiting ones.
  int get count => _sent.length + _waiting.length;

  /// Whether some wait for their turn.
  bool get hasWaiting => _waiting.isNotEmpty;

  /// Takes a call; [sendWaiting] brings it on its way.
  void add(PendingCall call) => _waiting.addLast(call);

  /// Sends what may be sent.
  void sendWaiting() {
    while (_waiting.isNotEmpty) {
      if (_waiting.first.wantsReply && _sent.length >= limit) {
        return;
      }
      final PendingCall call = _waiting.removeFirst();
      if (call.wantsReply) {
        call.id = _nextId;
        _nextId += 1;
        _sent[call.id] = call;
      }
      _send(PwFrame(PwKind.message, channel: call.channel, id: call.id, payload: call.message));
      if (!call.wantsReply) {
        call.complete(null);
      }
    }
  }

  /// The answer of a call is no longer wanted.
  void cancel(PendingCall call) {
    if (call.id == 0) {
      // It waits here: nobody else has heard of it.
      _waiting.remove(call);
      call.fail(const PwDisconnectedException('the call was cancelled before it was sent'));
    } else if (serverCancels) {
      _send(PwFrame(PwKind.cancel, id: call.id));
    }
  }

  /// The call that an answer belongs to, which is open no longer; null if there is none.
  PendingCall? take(int id) => _sent.remove(id);

  /// Fails the calls that wait for their turn.
  void failWaiting(PwException reason) {
    while (_waiting.isNotEmpty) {
      _waiting.removeFirst().fail(reason);
    }
  }

  /// Fails all calls.
  void failAll(PwException reason) {
    final List<PendingCall> sent = List<PendingCall>.of(_sent.values);
    _sent.clear();
    for (final PendingCall call in sent) {
      call.fail(reason);
    }
    failWaiting(reason);
  }
}
