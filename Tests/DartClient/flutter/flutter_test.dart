// What the client's Flutter packages use of package:flutter_test. Behaviour:
// https://api.flutter.dev/flutter/flutter_test/TestDefaultBinaryMessenger-class.html
// There is no fake time here: what runAsync is needed for goes on anywhere.

import 'dart:async';
import 'dart:typed_data';

import 'package:test/test.dart';

import 'services.dart';

export 'package:test/test.dart';

typedef AllMessagesHandler = Future<ByteData?>? Function(
  String channel,
  MessageHandler? handler,
  ByteData? message,
);

class TestDefaultBinaryMessenger extends BinaryMessenger {
  TestDefaultBinaryMessenger(this.delegate);

  final BinaryMessenger delegate;
  final Map<String, MessageHandler> _inbound = <String, MessageHandler>{};
  final Map<String, MessageHandler> _mocks = <String, MessageHandler>{};
  AllMessagesHandler? allMessagesHandler;

  Future<ByteData?>? send(String channel, ByteData? message) {
    final MessageHandler? mock = _mocks[channel];
    final AllMessagesHandler? all = allMessagesHandler;
    if (all != null) {
      return all(channel, mock, message);
    }
    return mock == null ? delegate.send(channel, message) : mock(message);
  }

  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null) {
      _inbound.remove(channel);
    } else {
      _inbound[channel] = handler;
    }
    delegate.setMessageHandler(channel, handler);
  }

  Future<ByteData?> handlePlatformMessage(String channel, ByteData? data, Object? callback) {
    final MessageHandler? handler = _inbound[channel];
    return (handler == null ? null : handler(data)) ?? Future<ByteData?>.value(null);
  }

  void setMockMethodCallHandler(MethodChannel channel, Object? handler) {
    if (handler == null) {
      _mocks.remove(channel.name);
    } else {
      _mocks[channel.name] = (ByteData? message) => channel.answer(handler, message);
    }
  }
}

class TestWidgetsFlutterBinding extends WidgetsFlutterBinding {
  TestWidgetsFlutterBinding() {
    TestDefaultBinaryMessengerBinding.instance = this;
  }

  static TestWidgetsFlutterBinding? _made;

  static void ensureInitialized() {
    _made ??= TestWidgetsFlutterBinding();
  }

  BinaryMessenger createBinaryMessenger() =>
      TestDefaultBinaryMessenger(super.createBinaryMessenger());
}

class TestDefaultBinaryMessengerBinding {
  static TestWidgetsFlutterBinding? instance;
}

class WidgetTester {
  Future<Object?> runAsync(Object callback) async => callback();

  Future<void> pump([Duration? duration]) => Future<void>.delayed(Duration.zero);
}

void testWidgets(String description, Object body) {
  test(description, () async {
    TestWidgetsFlutterBinding.ensureInitialized();
    await body(WidgetTester());
  });
}
