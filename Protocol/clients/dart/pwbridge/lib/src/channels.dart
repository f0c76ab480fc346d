/// Method and event channels for tests in plain Dart, shaped like those of Flutter.
library;

import 'dart:async';
import 'dart:typed_data';

import 'bridge.dart';
import 'exceptions.dart';
import 'method_codec.dart';

/// Answers a call from native code with its result.
typedef PwMethodCallHandler = FutureOr<Object?> Function(PwMethodCall call);

/// A named channel for method calls in both directions.
class PwMethodChannel {
  const PwMethodChannel(this.name, this.bridge, [this.codec = const PwStandardMethodCodec()]);

  final String name;
  final PwBridge bridge;
  final PwStandardMethodCodec codec;

  /// Calls a native method and waits for its result.
  ///
  /// Fails with a [PwPlatformException] for an error envelope, a [PwMissingPluginException] where
  /// nobody implements the method, and as [PwCall.reply] does.
  Future<T?> invokeMethod<T>(String method, [Object? arguments]) async {
    final Uint8List? reply =
        await bridge.send(name, codec.encodeMethodCall(PwMethodCall(method, arguments)));
    if (reply == null) {
      throw PwMissingPluginException(
        'No implementation found for method $method on channel $name',
      );
    }
    return codec.decodeEnvelope(reply) as T?;
  }

  /// [invokeMethod] for a result that is a list.
  Future<List<T>?> invokeListMethod<T>(String method, [Object? arguments]) async {
    final List<Object?>? result = await invokeMethod<List<Object?>>(method, arguments);
    return result?.cast<T>();
  }

  /// [invokeMethod] for a result that is a map.
  Future<Map<K, V>?> invokeMapMethod<K, V>(String method, [Object? arguments]) async {
    final Map<Object?, Object?>? result =
        await invokeMethod<Map<Object?, Object?>>(method, arguments);
    return result?.cast<K, V>();
  }

  /// Sets who answers calls of native code; null takes it away.
  ///
  /// The handler throws a [PwPlatformException] for an error envelope and a
  /// [PwMissingPluginException] for "not implemented". Anything else that it throws becomes an
  /// error envelope with the code `error`, as in Flutter.
  void setMethodCallHandler(PwMethodCallHandler? handler) {
    if (handler == null) {
      bridge.setMessageHandler(name, null);
      return;
    }
    bridge.setMessageHandler(name, (Uint8List? message) => _answer(handler, message));
  }

  Future<Uint8List?> _answer(PwMethodCallHandler handler, Uint8List? message) async {
    final PwMethodCall call = codec.decodeMethodCall(message);
    try {
      return codec.encodeSuccessEnvelope(await handler(call));
    } on PwPlatformException catch (error) {
      return codec.encodeErrorEnvelope(
        code: error.code,
        message: error.message,
        details: error.details,
      );
    } on PwMissingPluginException {
      return null;
    } on Object catch (error) {
      return codec.encodeErrorEnvelope(code: 'error', message: error.toString());
    }
  }
}

/// A named channel on which native code streams events.
class PwEventChannel {
  const PwEventChannel(this.name, this.bridge, [this.codec = const PwStandardMethodCodec()]);

  final String name;
  final PwBridge bridge;
  final PwStandardMethodCodec codec;

  /// The events. Native code is asked to begin when somebody listens, and to stop when nobody
  /// does any more. An error event comes as a [PwPlatformException].
  Stream<Object?> receiveBroadcastStream([Object? arguments]) {
    final PwMethodChannel channel = PwMethodChannel(name, bridge, codec);
    late final StreamController<Object?> controller;
    Future<void> tell(String method) async {
      try {
        await channel.invokeMethod<void>(method, arguments);
      } on Object catch (error, stack) {
        if (!controller.isClosed && controller.hasListener) {
          controller.addError(error, stack);
        }
      }
    }

    controller = StreamController<Object?>.broadcast(
      onListen: () {
        bridge.setMessageHandler(name, (Uint8List? message) {
          _takeEvent(controller, message);
          return null;
        });
        unawaited(tell('listen'));
      },
      onCancel: () {
        bridge.setMessageHandler(name, null);
        unawaited(tell('cancel'));
      },
    );
    return controller.stream;
  }

  void _takeEvent(StreamController<Object?> controller, Uint8List? message) {
    if (message == null) {
      unawaited(controller.close());
      return;
    }
    try {
      controller.add(codec.decodeEnvelope(message));
    } on PwPlatformException catch (error, stack) {
      controller.addError(error, stack);
    }
  }
}
