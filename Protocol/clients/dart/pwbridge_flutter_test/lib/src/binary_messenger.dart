/// The messenger that stands between Flutter's test binding and a bridge.
library;

import 'dart:async';
import 'dart:ui' as ui;

import 'package:flutter/foundation.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge/pwbridge.dart';

/// How messages of native code reach Dart.
enum PwDelivery {
  /// Straight to the handler, as `handlePlatformMessage` of the test binding does. The handler
  /// runs in real time, so that it also answers inside `tester.runAsync`. A message for which
  /// there is no handler is answered without payload at once.
  direct,

  /// Through Flutter's channel buffers, as on a device: one message is kept for each channel until
  /// there is a handler. The handler runs in the zone in which it was set, which under
  /// `testWidgets` has fake time: what it awaits goes on with the next `tester.pump`.
  buffered,
}

/// Sends the messages of chosen channels to a bridge, and leaves the others to the test binding.
///
/// Under `testWidgets` time is fake, and what comes over a socket does not come in it: call
/// [settle] where a test would wait, or wait inside `tester.runAsync`.
class PwBinaryMessenger extends BinaryMessenger {
  /// [channels] are names in which `*` and `?` stand for other characters, such as `pushwoosh*`.
  PwBinaryMessenger(
    this.bridge, {
    required this.channels,
    this.delivery = PwDelivery.direct,
    this.isSilentWhenDropped = false,
  });

  final PwBridge bridge;
  final List<String> channels;
  final PwDelivery delivery;

  /// Whether a call whose reply was dropped stays pending for ever, as on a device, in place of
  /// failing with a [PwDroppedException].
  final bool isSilentWhenDropped;

  TestDefaultBinaryMessenger? _binding;
  AllMessagesHandler? _previous;

  /// Whether a channel goes to the bridge.
  bool matches(String channel) {
    return channels.any((String pattern) => pwGlobMatches(pattern, channel));
  }

  /// Puts this messenger between Dart and the test binding. The binding must be there:
  /// `TestWidgetsFlutterBinding.ensureInitialized()` makes one, and `testWidgets` does so too.
  void install() {
    if (_binding != null) {
      throw StateError('this messenger is installed already');
    }
    final TestDefaultBinaryMessenger binding =
        TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger;
    _binding = binding;
    _previous = binding.allMessagesHandler;
    binding.allMessagesHandler = _handle;
    bridge.router = _route;
  }

  /// Takes this messenger out again. The bridge stays connected: close it when the last test is
  /// through.
  void dispose() {
    final TestDefaultBinaryMessenger? binding = _binding;
    if (binding == null) {
      return;
    }
    if (binding.allMessagesHandler == _handle) {
      binding.allMessagesHandler = _previous;
    }
    if (bridge.router == _route) {
      bridge.router = null;
    }
    _binding = null;
    _previous = null;
  }

  /// Lets real time pass until the bridge has answered everything, and then lets the Futures of
  /// the widgets complete. To be awaited in the body of `testWidgets`, outside of `runAsync`.
  ///
  /// Fails the test when something is not answered within [patience].
  Future<void> settle(
    WidgetTester tester, {
    Duration patience = const Duration(seconds: 5),
  }) async {
    // An answer may make the app send more, so this goes on until nothing is open.
    for (int round = 0; round < 100; round++) {
      if (!await _isSettled(tester, patience)) {
        fail('${bridge.openCalls} calls and ${bridge.openMessages} messages of native code '
            'have no answer after $patience');
      }
      await tester.pump();
      if (bridge.openCalls == 0 && bridge.openMessages == 0) {
        return;
      }
    }
    fail('the app goes on sending for ever');
  }

  Future<bool> _isSettled(WidgetTester tester, Duration patience) async {
    // A handler behind the channel buffers has fake time, and may wait for a pump.
    final Duration turn =
        delivery == PwDelivery.direct ? patience : const Duration(milliseconds: 20);
    final Stopwatch watch = Stopwatch()..start();
    while (true) {
      final bool? isSettled = await tester.runAsync(() => bridge.settled(turn));
      if (isSettled ?? false) {
        return true;
      }
      if (watch.elapsedMicroseconds >= patience.inMicroseconds) {
        return false;
      }
      await tester.pump();
    }
  }

  // Dart to native

  @override
  Future<ByteData?>? send(String channel, ByteData? message) {
    if (matches(channel)) {
      return _forward(channel, message);
    }
    return TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger
        .send(channel, message);
  }

  Future<ByteData?>? _handle(String channel, MessageHandler? handler, ByteData? message) {
    if (matches(channel)) {
      return _forward(channel, message);
    }
    final AllMessagesHandler? previous = _previous;
    if (previous != null) {
      return previous(channel, handler, message);
    }
    if (handler != null) {
      return handler(message);
    }
    return _binding?.delegate.send(channel, message);
  }

  Future<ByteData?> _forward(String channel, ByteData? message) {
    final Uint8List? bytes = message == null ? null : Uint8List.sublistView(message);
    final Future<ByteData?> reply = bridge.send(channel, bytes).then<ByteData?>(_data);
    if (!isSilentWhenDropped) {
      return reply;
    }
    final Completer<ByteData?> completer = Completer<ByteData?>();
    unawaited(
      reply.then<void>(
        completer.complete,
        onError: (Object error, StackTrace stack) {
          if (error is! PwDroppedException) {
            completer.completeError(error, stack);
          }
        },
      ),
    );
    return completer.future;
  }

  static ByteData? _data(Uint8List? bytes) {
    return bytes == null ? null : ByteData.sublistView(bytes);
  }

  // Native to Dart

  Future<Uint8List?>? _route(String channel, Uint8List? message) {
    if (channel == ui.ChannelBuffers.kControlChannelName) {
      return _resize(message);
    }
    if (!matches(channel)) {
      return null;
    }
    return delivery == PwDelivery.direct ? _direct(channel, message) : _buffered(channel, message);
  }

  Future<Uint8List?> _direct(String channel, Uint8List? message) async {
    final TestDefaultBinaryMessenger binding =
        TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger;
    try {
      final ByteData? reply = await binding.handlePlatformMessage(channel, _data(message), null);
      return reply == null ? null : Uint8List.sublistView(reply);
    } on Object catch (error, stack) {
      // As on a device: it is reported, which fails the test, and native code gets no payload.
      FlutterError.reportError(
        FlutterErrorDetails(
          exception: error,
          stack: stack,
          library: 'pwbridge_flutter_test',
          context: ErrorDescription('while a message of native code on $channel was handled'),
        ),
      );
      return null;
    }
  }

  Future<Uint8List?> _buffered(String channel, Uint8List? message) {
    final Completer<Uint8List?> completer = Completer<Uint8List?>();
    ServicesBinding.instance.channelBuffers.push(channel, _data(message), (ByteData? reply) {
      if (!completer.isCompleted) {
        completer.complete(reply == null ? null : Uint8List.sublistView(reply));
      }
    });
    return completer.future;
  }

  Future<Uint8List?> _resize(Uint8List? message) async {
    if (message != null) {
      ServicesBinding.instance.channelBuffers.handleMessage(ByteData.sublistView(message));
    }
    return null;
  }

  @override
  void setMessageHandler(String channel, MessageHandler? handler) {
    TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger
        .setMessageHandler(channel, handler);
  }

  @override
  Future<void> handlePlatformMessage(
    String channel,
    ByteData? data,
    ui.PlatformMessageResponseCallback? callback,
  ) {
    return TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger
        .handlePlatformMessage(channel, data, callback);
  }
}
