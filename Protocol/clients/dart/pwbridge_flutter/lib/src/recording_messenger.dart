/// A messenger that records what passes.
library;

import 'dart:async';
import 'dart:typed_data';
import 'dart:ui' as ui;

import 'package:flutter/services.dart';
import 'package:pwbridge/glob.dart';
import 'package:pwbridge/recording.dart';

/// Hands everything on to another messenger, untouched and in order, and records it.
///
/// Seen are messages that go through this messenger, and messages of native code on channels whose
/// handler was set through it. What the engine delivers past the messenger is not.
class RecordingMessenger extends BinaryMessenger {
  /// Records channels that match one of [channels], in which `*` and `?` stand for others.
  RecordingMessenger(
    this._inner,
    this.recorder, {
    this.channels = const <String>['*'],
  });

  final BinaryMessenger _inner;

  /// What messages and replies are given to.
  final PwRecorder recorder;

  final List<String> channels;

  bool _records(String channel) {
    return channels.any((String pattern) => pwGlobMatches(pattern, channel));
  }

  static Uint8List? _bytes(ByteData? message) {
    return message == null ? null : Uint8List.sublistView(message);
  }

  @override
  Future<ByteData?>? send(String channel, ByteData? message) {
    if (!_records(channel)) {
      return _inner.send(channel, message);
    }
    final int id = recorder.message(channel, _bytes(message), fromDart: true);
    final Future<ByteData?>? reply = _inner.send(channel, message);
    _recordReply(id, channel, reply, fromDart: true);
    return reply;
  }

  @override
  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null || !_records(channel)) {
      _inner.setMessageHandler(channel, handler);
      return;
    }
    _inner.setMessageHandler(channel, (ByteData? message) {
      final int id = recorder.message(channel, _bytes(message), fromDart: false);
      final Future<ByteData?>? reply = handler(message);
      if (reply == null) {
        recorder.reply(id, channel, null, fromDart: false);
      } else {
        _recordReply(id, channel, reply, fromDart: false);
      }
      return reply;
    });
  }

  /// Listens beside the caller: the Future that he gets is the one that the messenger made.
  void _recordReply(
    int id,
    String channel,
    Future<ByteData?>? reply, {
    required bool fromDart,
  }) {
    if (reply == null) {
      return;
    }
    unawaited(
      reply.then<void>(
        (ByteData? bytes) {
          recorder.reply(id, channel, _bytes(bytes), fromDart: fromDart);
        },
        onError: (Object _, StackTrace __) {
          // No reply came. The caller gets the error.
        },
      ),
    );
  }

  @override
  Future<void> handlePlatformMessage(
    String channel,
    ByteData? data,
    ui.PlatformMessageResponseCallback? callback,
  ) {
    // ignore: deprecated_member_use
    return _inner.handlePlatformMessage(channel, data, callback);
  }
}
