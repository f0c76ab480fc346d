/// Messages from native code that nobody listens to yet, kept as Flutter keeps them.
///
/// One message for each channel, and the oldest goes when there are more; native code changes how
/// many over `dev.flutter/channel-buffers`. The rules are those of Flutter's channel_buffers.dart.
library;

import 'dart:collection';
import 'dart:typed_data';

import 'standard_codec.dart';

/// Gives the answer to a message: the bytes of the reply, or null for no payload. Called once.
typedef PwAnswer = void Function(Uint8List? reply);

/// Takes a message and answers it, now or later.
typedef PwListener = void Function(Uint8List? message, PwAnswer answer);

class _Kept {
  _Kept(this.message, this.answer);

  final Uint8List? message;
  final PwAnswer answer;
}

class _Channel {
  int capacity = PwChannelBuffers.defaultCapacity;
  bool warns = true;
  PwListener? listener;
  final ListQueue<_Kept> kept = ListQueue<_Kept>();
}

/// Brings messages to listeners, or keeps them until there is one.
class PwChannelBuffers {
  static const String controlChannel = 'dev.flutter/channel-buffers';
  static const int defaultCapacity = 1;

  final Map<String, _Channel> _channels = <String, _Channel>{};

  /// What was dropped because nobody listened, and control messages that mean nothing.
  final List<String> warnings = <String>[];

  _Channel _channel(String name) => _channels.putIfAbsent(name, _Channel.new);

  /// Whether somebody listens.
  bool hasListener(String name) => _channels[name]?.listener != null;

  /// A message that has arrived.
  void push(String name, Uint8List? message, PwAnswer answer) {
    if (name == controlChannel) {
      _control(message);
      answer(null);
      return;
    }
    final _Channel channel = _channel(name);
    final PwListener? listener = channel.listener;
    if (listener != null) {
      listener(message, answer);
      return;
    }
    if (channel.capacity <= 0) {
      // Flutter throws the message away and never answers it.
      _warn(channel, name);
      return;
    }
    while (channel.kept.length >= channel.capacity) {
      _dropOldest(channel, name);
    }
    channel.kept.addLast(_Kept(message, answer));
  }

  /// Sets the listener, and hands it what was kept; null takes it away.
  void listen(String name, PwListener? listener) {
    final _Channel channel = _channel(name);
    channel.listener = listener;
    while (listener != null && channel.kept.isNotEmpty) {
      final _Kept kept = channel.kept.removeFirst();
      listener(kept.message, kept.answer);
    }
  }

  /// Sets how many messages are kept.
  void resize(String name, int capacity) {
    final _Channel channel = _channel(name);
    channel.capacity = capacity;
    while (channel.kept.isNotEmpty && channel.kept.length > capacity) {
      _dropOldest(channel, name);
    }
  }

  /// Sets whether it is all right that messages are dropped.
  void allowOverflow(String name, bool isAllowed) {
    _channel(name).warns = !isAllowed;
  }

  void _dropOldest(_Channel channel, String name) {
    final _Kept oldest = channel.kept.removeFirst();
    oldest.answer(null);
    _warn(channel, name);
  }

  void _warn(_Channel channel, String name) {
    if (channel.warns && warnings.length < 1000) {
      warnings.add('a message on $name was dropped: nobody listens');
    }
  }

  void _control(Uint8List? message) {
    try {
      final PwReader reader = PwReader(message ?? Uint8List(0));
      final Object? method = reader.value();
      final Object? arguments = reader.value();
      if (arguments is List<Object?> && arguments.length >= 2) {
        final Object? name = arguments[0];
        final Object? second = arguments[1];
        if (method == 'resize' && name is String && second is int) {
          resize(name, second);
          return;
        }
        if (method == 'overflow' && name is String && second is bool) {
          allowOverflow(name, second);
          return;
        }
      }
      warnings.add('a message on $controlChannel means nothing: $method $arguments');
    } on FormatException catch (error) {
      warnings.add('a message on $controlChannel cannot be read: $error');
    } on RangeError catch (error) {
      warnings.add('a message on $controlChannel cannot be read: $error');
    }
  }
}
