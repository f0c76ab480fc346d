// What the client's Flutter packages use of dart:ui, to run their tests without Flutter. Behaviour:
// https://api.flutter.dev/flutter/dart-ui/ChannelBuffers-class.html

import 'dart:typed_data';

import 'package:pwbridge/pwbridge.dart';

typedef PlatformMessageResponseCallback = void Function(ByteData? data);

class _Kept {
  _Kept(this.data, this.callback);

  final ByteData? data;
  final PlatformMessageResponseCallback callback;
}

class ChannelBuffers {
  static const String kControlChannelName = 'dev.flutter/channel-buffers';

  final Map<String, Object> _listeners = <String, Object>{};
  final Map<String, List<_Kept>> _kept = <String, List<_Kept>>{};
  final Map<String, int> _sizes = <String, int>{};

  void push(String name, ByteData? data, PlatformMessageResponseCallback callback) {
    final Object? listener = _listeners[name];
    if (listener != null) {
      listener(data, callback);
      return;
    }
    final List<_Kept> kept = _kept.putIfAbsent(name, () => <_Kept>[]);
    kept.add(_Kept(data, callback));
    _shorten(name);
  }

  void _shorten(String name) {
    final List<_Kept> kept = _kept[name] ?? <_Kept>[];
    while (kept.length > (_sizes[name] ?? 1)) {
      kept.removeAt(0).callback(null);
    }
  }

  void setListener(String name, Object listener) {
    _listeners[name] = listener;
    final List<_Kept> kept = _kept[name] ?? <_Kept>[];
    _kept[name] = <_Kept>[];
    for (final _Kept one in kept) {
      listener(one.data, one.callback);
    }
  }

  void clearListener(String name) {
    _listeners.remove(name);
  }

  void handleMessage(ByteData data) {
    final PwMethodCall call =
        const PwStandardMethodCodec().decodeMethodCall(Uint8List.sublistView(data));
    if (call.method != 'resize') {
      throw ArgumentError(call.method);
    }
    final List<Object?> arguments = call.arguments! as List<Object?>;
    _sizes[arguments[0]! as String] = arguments[1]! as int;
    _shorten(arguments[0]! as String);
  }
}

final ChannelBuffers channelBuffers = ChannelBuffers();
