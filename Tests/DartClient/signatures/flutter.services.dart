// https://api.flutter.dev/flutter/services/services-library.html
import 'dart:async';
import 'dart:typed_data';
import 'dart:ui';

export 'dart:typed_data' show ByteData;
export 'dart:ui' show PlatformMessageResponseCallback;

typedef MessageHandler = Future<ByteData?>? Function(ByteData? message);

abstract class BinaryMessenger {
  const BinaryMessenger();
  Future<ByteData?>? send(String channel, ByteData? message);
  void setMessageHandler(String channel, MessageHandler? handler);
  Future<void> handlePlatformMessage(
    String channel,
    ByteData? data,
    PlatformMessageResponseCallback? callback,
  );
}

class ServicesBinding {
  static ServicesBinding get instance;
  BinaryMessenger get defaultBinaryMessenger;
  ChannelBuffers get channelBuffers;
  BinaryMessenger createBinaryMessenger();
}

class MethodCodec {}

class StandardMethodCodec implements MethodCodec {
  const StandardMethodCodec();
}

class MethodCall {
  const MethodCall(this.method, [this.arguments]);
  final String method;
  final dynamic arguments;
}

class PlatformException implements Exception {
  PlatformException({required this.code, this.message, this.details, this.stacktrace});
  final String code;
  final String? message;
  final dynamic details;
  final String? stacktrace;
}

class MissingPluginException implements Exception {
  MissingPluginException([this.message]);
  final String? message;
}

class MethodChannel {
  const MethodChannel(
    this.name, [
    MethodCodec codec = const StandardMethodCodec(),
    BinaryMessenger? binaryMessenger,
  ]);
  final String name;
  BinaryMessenger get binaryMessenger;
  Future<T?> invokeMethod<T>(String method, [dynamic arguments]);
  Future<List<T>?> invokeListMethod<T>(String method, [dynamic arguments]);
  void setMethodCallHandler(Future<dynamic> Function(MethodCall call)? handler);
}

class EventChannel {
  const EventChannel(
    this.name, [
    MethodCodec codec = const StandardMethodCodec(),
    BinaryMessenger? binaryMessenger,
  ]);
  final String name;
  Stream<dynamic> receiveBroadcastStream([dynamic arguments]);
}
