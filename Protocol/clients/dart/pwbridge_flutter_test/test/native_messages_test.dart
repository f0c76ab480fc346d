import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge_flutter_test/pwbridge_flutter_test.dart';

import 'support.dart';

void main() {
  TestWidgetsFlutterBinding.ensureInitialized();

  late PwBridge bridge;

  setUp(() async {
    bridge = await openBridge();
  });

  tearDown(() async {
    await bridge.close();
  });

  for (final PwDelivery delivery in PwDelivery.values) {
    test('native code calls Dart, $delivery', () async {
      final PwBinaryMessenger messenger = PwBinaryMessenger(
        bridge,
        channels: <String>['app'],
        delivery: delivery,
      )..install();
      addTearDown(messenger.dispose);
      const MethodChannel channel = MethodChannel('app');
      channel.setMethodCallHandler((MethodCall call) async {
        return (call.arguments as int) * 2;
      });
      addTearDown(() => channel.setMethodCallHandler(null));
      final PwFields answer = await bridge.control.invokeDart('app', 'double', arguments: 21);
      expect(answer['outcome'], 'success');
      expect(answer['value'], 42);
    });
  }

  test('events arrive at an EventChannel', () async {
    final PwBinaryMessenger messenger = PwBinaryMessenger(
      bridge,
      channels: <String>['pushwoosh/*'],
    )..install();
    addTearDown(messenger.dispose);
    const EventChannel events = EventChannel('pushwoosh/receive');
    final Future<List<Object?>> taken =
        events.receiveBroadcastStream().cast<Object?>().take(2).toList();
    await bridge.settled();
    await bridge.control.sendEvent('pushwoosh/receive', 1);
    await bridge.control.sendEvent('pushwoosh/receive', <String, Object?>{'title': 'Hi'});
    expect(await taken, <Object?>[
      1,
      <Object?, Object?>{'title': 'Hi'},
    ]);
    await bridge.settled();
  });

  test('other channels are left to the test binding', () async {
    final PwBinaryMessenger messenger = PwBinaryMessenger(
      bridge,
      channels: <String>['PW'],
    )..install();
    addTearDown(messenger.dispose);
    const MethodChannel other = MethodChannel('other');
    TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger
        .setMockMethodCallHandler(other, (MethodCall call) async => 'mocked');
    addTearDown(() {
      TestDefaultBinaryMessengerBinding.instance.defaultBinaryMessenger
          .setMockMethodCallHandler(other, null);
    });
    final Object? answer = await other.invokeMethod<Object?>('any');
    expect(answer, 'mocked');
    expect((await bridge.control.totals())['received'], 1);
  });

  test('a name that nobody implements is a MissingPluginException', () async {
    final PwBinaryMessenger messenger = PwBinaryMessenger(
      bridge,
      channels: <String>['nobody'],
    )..install();
    addTearDown(messenger.dispose);
    await expectLater(
      const MethodChannel('nobody').invokeMethod<void>('any'),
      throwsA(isA<MissingPluginException>()),
    );
  });
}
