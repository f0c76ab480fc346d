// What the client's Flutter packages use of package:flutter/services.dart. Behaviour:
// https://api.flutter.dev/flutter/services/BinaryMessenger-class.html
// https://api.flutter.dev/flutter/services/MethodChannel-class.html
// https://api.flutter.dev/flutter/services/EventChannel-class.html
// The codec is the client's own, which the vectors test.

import 'dart:async';
import 'dart:typed_data';

import 'package:pwbridge/pwbridge.dart';

import 'foundation.dart';
import 'ui.dart';

export 'dart:typed_data' show ByteData;
export 'ui.dart' show PlatformMessageResponseCallback;

typedef MessageHandler = Future<ByteData?>? Function(ByteData? message);

class BinaryMessenger {
  const BinaryMessenger();
}

/// The messenger below the one of the test binding.
class DefaultBinaryMessenger extends BinaryMessenger {
  /// Nobody is on the other side: no engine answers under flutter test.
  Future<ByteData?>? send(String channel, ByteData? message) => Future<ByteData?>.value(null);

  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null) {
      channelBuffers.clearListener(channel);
      return;
    }
    channelBuffers.setListener(channel, (ByteData? data, Object callback) async {
      ByteData? reply;
      try {
        reply = await handler(data);
      } on Object catch (error) {
        FlutterError.reportError(FlutterErrorDetails(exception: error));
      } finally {
        callback(reply);
      }
    });
  }
}

class WidgetsFlutterBinding {
  WidgetsFlutterBinding() {
    ServicesBinding.instance = this;
    defaultBinaryMessenger = createBinaryMessenger();
  }

  late final BinaryMessenger defaultBinaryMessenger;

  ChannelBuffers get channelBuffers => _buffers;

  BinaryMessenger createBinaryMessenger() => DefaultBinaryMessenger();
}

final ChannelBuffers _buffers = channelBuffers;

class ServicesBinding {
  static WidgetsFlutterBinding? instance;
}

class PlatformException implements Exception {
  PlatformException({required this.code, this.message, this.details, this.stacktrace});

  final String code;
  final String? message;
  final Object? details;
  final String? stacktrace;

  @override
  String toString() => 'PlatformException($code, $message, $details, $stacktrace)';
}

class MissingPluginException implements Exception {
  MissingPluginException([this.message]);

  final String? message;

  @override
  String toString() => 'MissingPluginException($message)';
}

class MethodCall {
  const MethodCall(this.method, [this.arguments]);

  final String method;
  final Object? arguments;
}

const PwStandardMethodCodec _codec = PwStandardMethodCodec();

ByteData _data(Uint8List bytes) => ByteData.sublistView(bytes);

class StandardMethodCodec {
  const StandardMethodCodec();
}

class MethodChannel {
  const MethodChannel(this.name, [this.codec, this._messenger]);

  final String name;
  final Object? codec;
  final BinaryMessenger? _messenger;

  BinaryMessenger get binaryMessenger =>
      _messenger ?? ServicesBinding.instance.defaultBinaryMessenger;

  Future<Object?> invokeMethod(String method, [Object? arguments]) async {
    final ByteData? reply = await binaryMessenger.send(
      name,
      _data(_codec.encodeMethodCall(PwMethodCall(method, arguments))),
    );
    if (reply == null) {
      throw MissingPluginException('No implementation found for method $method on channel $name');
    }
    try {
      return _codec.decodeEnvelope(Uint8List.sublistView(reply));
    } on PwPlatformException catch (error) {
      throw PlatformException(code: error.code, message: error.message, details: error.details);
    }
  }

  Future<Object?> invokeListMethod(String method, [Object? arguments]) {
    return invokeMethod(method, arguments);
  }

  void setMethodCallHandler(Object? handler) {
    if (handler == null) {
      binaryMessenger.setMessageHandler(name, null);
      return;
    }
    binaryMessenger.setMessageHandler(name, (ByteData? message) => answer(handler, message));
  }

  /// The bytes that a handler answers with.
  Future<ByteData?> answer(Object handler, ByteData? message) async {
    final PwMethodCall call = _codec.decodeMethodCall(Uint8List.sublistView(message!));
    try {
      return _data(
        _codec.encodeSuccessEnvelope(await handler(MethodCall(call.method, call.arguments))),
      );
    } on PlatformException catch (error) {
      return _data(_codec.encodeErrorEnvelope(code: error.code, message: error.message));
    } on MissingPluginException {
      return null;
    }
  }
}

class EventChannel {
  const EventChannel(this.name);

  final String name;

  Stream<Object?> receiveBroadcastStream([Object? arguments]) {
    final BinaryMessenger messenger = ServicesBinding.instance.defaultBinaryMessenger;
    final MethodChannel channel = MethodChannel(name);
    late final StreamController<Object?> controller;
    controller = StreamController<Object?>.broadcast(
      onListen: () async {
        messenger.setMessageHandler(name, (ByteData? reply) async {
          if (reply == null) {
            controller.close();
          } else {
            controller.add(_codec.decodeEnvelope(Uint8List.sublistView(reply)));
          }
          return null;
        });
        await channel.invokeMethod('listen', arguments);
      },
      onCancel: () async {
        messenger.setMessageHandler(name, null);
        await channel.invokeMethod('cancel', arguments);
      },
    );
    return controller.stream;
  }
}
