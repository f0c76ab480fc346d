/// Messages that native code sends to Dart: who takes them, and one answer for each.
library;

import 'dart:async';
import 'dart:typed_data';

import 'channel_buffers.dart';
import 'frames.dart';

/// Answers a message from native code with the bytes of a reply, or null for no payload.
typedef PwMessageHandler = FutureOr<Uint8List?> Function(Uint8List? message);

/// Takes messages of any channel. Null means that the channel is none of its own.
typedef PwMessageRouter = Future<Uint8List?>? Function(String channel, Uint8List? message);

/// Brings messages of native code to their handlers, and the answers back.
class NativeMessages {
  NativeMessages({required this.send, required this.onProblem, required this.onAnswered});

  /// Sends a frame.
  final void Function(PwFrame frame) send;

  /// Told what a handler threw.
  final void Function(Object problem) onProblem;

  /// Told whenever a handler is through.
  final void Function() onAnswered;

  /// Takes every message before the handlers are asked.
  PwMessageRouter? router;

  final PwChannelBuffers _buffers = PwChannelBuffers();
  final Set<int> _unanswered = <int>{};
  int _handling = 0;

  /// How many messages a handler has been given and not answered yet.
  int get count => _handling;

  /// What was dropped because nobody listens.
  List<String> get warnings => _buffers.warnings;

  /// Sets who answers on a channel, in the zone of the caller; null takes it away.
  void setHandler(String channel, PwMessageHandler? handler) {
    if (handler == null) {
      _buffers.listen(channel, null);
      return;
    }
    final Zone zone = Zone.current;
    _buffers.listen(channel, (Uint8List? message, PwAnswer answer) {
      zone.run(() {
        unawaited(_answer(() => handler(message), answer));
      });
    });
  }

  /// A message has come.
  void take(PwFrame frame) {
    if (frame.id != 0) {
      _unanswered.add(frame.id);
    }
    void answer(Uint8List? reply) {
      if (frame.id != 0 && _unanswered.remove(frame.id)) {
        send(PwFrame(PwKind.reply, id: frame.id, payload: reply));
      }
    }

    final PwMessageRouter? router = this.router;
    if (router != null) {
      final Future<Uint8List?>? taken = router(frame.channel, frame.payload);
      if (taken != null) {
        unawaited(_answer(() => taken, answer));
        return;
      }
    }
    _buffers.push(frame.channel, frame.payload, answer);
  }

  Future<void> _answer(FutureOr<Uint8List?> Function() handler, PwAnswer answer) async {
    _handling += 1;
    try {
      answer(await handler());
    } on Object catch (error) {
      // The native side hears that there is no answer; the test finds the reason here.
      onProblem(error);
      answer(null);
    } finally {
      _handling -= 1;
      onAnswered();
    }
  }

  /// The connection has ended: answers would go nowhere.
  void forget() => _unanswered.clear();
}
