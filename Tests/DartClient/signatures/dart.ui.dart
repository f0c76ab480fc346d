// https://api.flutter.dev/flutter/dart-ui/ChannelBuffers-class.html
import 'dart:typed_data';

typedef PlatformMessageResponseCallback = void Function(ByteData? data);

class ChannelBuffers {
  static const String kControlChannelName = '';
  void push(String name, ByteData? data, PlatformMessageResponseCallback callback);
  void handleMessage(ByteData data);
}
