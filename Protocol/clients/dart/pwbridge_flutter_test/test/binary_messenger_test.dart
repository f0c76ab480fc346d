// Putting the messenger in and taking it out, and waiting for what is open.

import 'dart:async';

import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge_flutter_test/pwbridge_flutter_test.dart';

import 'support.dart';

void main() {
  TestWidgetsFlutterBinding.ensureInitialized();

  const MethodChannel channel = MethodChannel('PW');
  const Map<String, Object?> seconds = <String, Object?>{'elapsedSeconds': 0};
  late PwBridge bridge;
  late PwBinaryMessenger messenger;

  setUp(() async {
    bridge = await openBridge();
    messenger = PwBinaryMessenger(bridge, channels: <String>['PW', 'app']);
  });

  tearDown(() async {
    messenger.dispose();
    await bridge.close();
  });

  test('what was there before is there again afterwards', () async {
    final TestDefaultBinaryMessenger binding =
        TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger;
    Future<ByteData?>? everything(String name, MessageHandler? mock, ByteData? message) {
      return Future<ByteData?>.value(message);
    }

    binding.allMessagesHandler = everything;
    addTearDown(() => binding.allMessagesHandler = null);
    messenger.install();
    expect(binding.allMessagesHandler == everything, isFalse);
    // Not the bridge's: the handler from before takes it.
    final ByteData? echo = await binding.send('other', ByteData(3));
    expect(echo!.lengthInBytes, 3);
    expect(messenger.install, throwsStateError);
    messenger.dispose();
    expect(binding.allMessagesHandler == everything, isTrue);
    expect(bridge.router, isNull);
    messenger.dispose();
  });

  test('an error envelope is the PlatformException of Flutter', () async {
    messenger.install();
    await bridge.control.setAuthorization(enabled: false);
    await expectLater(
      channel.invokeMethod<Object?>('startLiveActivity', seconds),
      throwsA(
        isA<PlatformException>().having((PlatformException error) => error.code, 'code', '418'),
      ),
    );
  });

  test('a dropped reply is an error of its own', () async {
    messenger.install();
    await bridge.control.setOption('handler', 'guide');
    await expectLater(
      channel.invokeMethod<Object?>('startLiveActivity', seconds),
      throwsA(isA<PwDroppedException>()),
    );
  });

  test('or nothing at all, as on a device', () async {
    messenger = PwBinaryMessenger(bridge, channels: <String>['PW'], isSilentWhenDropped: true)
      ..install();
    await bridge.control.setOption('handler', 'guide');
    bool isThrough = false;
    final Future<Object?> call = channel.invokeMethod<Object?>('startLiveActivity', seconds);
    unawaited(call.whenComplete(() => isThrough = true));
    await bridge.settled();
    await bridge.control.device();
    expect(isThrough, isFalse);
  });

  test('direct: a message without a handler is answered at once', () async {
    messenger.install();
    final PwFields answer = await bridge.control.invokeDart('app', 'early');
    expect(answer['outcome'], 'notImplemented');
  });

  test('buffered: a message waits for its handler', () async {
    messenger = PwBinaryMessenger(
      bridge,
      channels: <String>['app'],
      delivery: PwDelivery.buffered,
    )..install();
    const MethodChannel app = MethodChannel('app');
    final Future<PwFields> early = bridge.control.invokeDart('app', 'early');
    await bridge.control.device();
    app.setMethodCallHandler((MethodCall call) async => call.method);
    addTearDown(() => app.setMethodCallHandler(null));
    expect((await early)['value'], 'early');
  });

  testWidgets('settle waits for calls that follow from answers', (WidgetTester tester) async {
    messenger.install();
    final List<String> done = <String>[];
    Future<void> tell(List<String> methods) async {
      for (final String method in methods) {
        await channel.invokeMethod<Object?>(method, seconds);
        done.add(method);
      }
    }

    unawaited(tell(<String>['startLiveActivity', 'updateLiveActivity', 'stopLiveActivity']));
    await messenger.settle(tester);
    expect(done.length, 3);
  });

  testWidgets('settle fails a test whose call has no answer', (WidgetTester tester) async {
    messenger.install();
    await tester.runAsync(() => bridge.control.addFault('PW.stopLiveActivity: delay 1h'));
    channel.invokeMethod<Object?>('stopLiveActivity').ignore();
    // Not with expectLater, which must not be under way while others of the tester's methods are.
    String said = '';
    try {
      await messenger.settle(tester, patience: const Duration(milliseconds: 50));
    } on TestFailure catch (failure) {
      said = failure.message ?? '';
    }
    expect(said.contains('1 calls and 0 messages'), isTrue, reason: said);
    await tester.runAsync(() => bridge.control.clearFaults(release: true));
    await messenger.settle(tester);
  });
}
