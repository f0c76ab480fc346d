// Calls, limits and ends against a real bridge.

import 'dart:async';
import 'dart:io';
import 'dart:typed_data';

import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

final String _program = Platform.environment['PWBRIDGE'] ?? 'pwbridge';

Future<PwBridge> _spawn(
  List<String> arguments, {
  Map<String, String> options = const <String, String>{},
}) {
  return PwBridge.spawn(
    executable: _program,
    arguments: <String>['serve', '--quiet', ...arguments],
    settings: PwSettings(options: <String, String>{'clock': 'stepped', ...options}),
  );
}

void main() {
  const PwStandardMethodCodec codec = PwStandardMethodCodec();
  final Uint8List help = codec.encodeMethodCall(const PwMethodCall('clock.now'));

  test('more calls than the server takes at a time wait for their turn', () async {
    final PwBridge bridge = await _spawn(<String>['--max-open-calls', '3']);
    expect((await bridge.hello)['max-open-calls'], '3');
    final List<PwCall> calls = <PwCall>[
      for (int count = 0; count < 50; count++) bridge.start(PwControl.channelName, help),
    ];
    expect(calls[2].id, 3);
    expect(calls[3].id, 0);
    expect(bridge.openCalls, 50);
    for (final PwCall call in calls) {
      expect(await call.reply, isNotEmpty);
    }
    expect(bridge.openCalls, 0);
    expect(bridge.problems, isEmpty);
    await bridge.close();
  });

  test('an answer that takes too long is a TimeoutException, and the connection goes on',
      () async {
    final PwBridge bridge = await _spawn(<String>[]);
    await bridge.control.addFault('PW.stopLiveActivity#1: delay 1s');
    final Uint8List stop = codec.encodeMethodCall(const PwMethodCall('stopLiveActivity'));
    await expectLater(
      bridge.send('PW', stop, timeout: const Duration(milliseconds: 50)),
      throwsA(isA<TimeoutException>()),
    );
    expect(bridge.openCalls, 1);
    await bridge.control.clockAdvance(const Duration(seconds: 1));
    await bridge.settled();
    expect(bridge.openCalls, 0);
    expect(bridge.problems, isEmpty);
    await bridge.close();
  });

  test('a connection that breaks fails the open calls, and says why later', () async {
    final PwBridge bridge = await _spawn(<String>[]);
    await bridge.control.addFault('PW: close');
    await expectLater(bridge.send('PW', help), throwsA(isA<PwDisconnectedException>()));
    expect(await bridge.done, isA<PwDisconnectedException>());
    await expectLater(bridge.send('PW', help), throwsA(isA<PwDisconnectedException>()));
    await bridge.abandon();
  });

  test('close waits for what is open', () async {
    final PwBridge bridge = await _spawn(<String>[]);
    final PwCall call = bridge.start(PwControl.channelName, help);
    await bridge.close();
    expect(call.isAnswered, isTrue);
    expect(await call.reply, isNotEmpty);
    expect(await bridge.done, isNull);
    await expectLater(bridge.send('PW', help), throwsA(isA<PwDisconnectedException>()));
  });

  test('options that are none are refused', () async {
    await expectLater(
      _spawn(<String>[], options: <String, String>{'no-such-option': '1'}),
      throwsA(
        isA<PwFrameException>()
            .having((PwFrameException error) => error.code, 'code', 'device-options'),
      ),
    );
  });

  test('a program that is not there is named', () async {
    await expectLater(
      PwBridge.spawn(executable: '/no/such/pwbridge'),
      throwsA(isA<PwDisconnectedException>()),
    );
  });

  test('a program that ends at once is told with what it said', () async {
    await expectLater(
      _spawn(<String>['--no-such-flag']),
      throwsA(
        isA<PwDisconnectedException>().having(
          (PwDisconnectedException error) => error.text.contains('no-such-flag'),
          'its words',
          isTrue,
        ),
      ),
    );
  });

  test('names that no channel can have are refused here', () async {
    final PwBridge bridge = await _spawn(<String>[]);
    expect(() => bridge.start('', help), throwsArgumentError);
    expect(() => bridge.start('a\u0000b', help), throwsArgumentError);
    expect(() => bridge.post('x' * 4097, help), throwsArgumentError);
    await bridge.close();
  });

  test('logs come as they are made', () async {
    final PwBridge bridge = await _spawn(<String>[]);
    final List<PwLog> logs = <PwLog>[];
    bridge.logs.listen(logs.add);
    await expectLater(
      PwMethodChannel('PW', bridge).invokeMethod<Object?>('startLiveActivty'),
      throwsA(isA<PwMissingPluginException>()),
    );
    expect(logs.single.channel, 'PW');
    expect(logs.single.text.contains('startLiveActivity'), isTrue);
    await bridge.close();
  });

  test('connections share a device by its name over a socket', () async {
    if (!Platform.environment.containsKey('PWBRIDGE_SOCKET')) {
      await expectLater(PwBridge.connect(), throwsA(isA<PwDisconnectedException>()));
      return;
    }
    const PwSettings settings = PwSettings(device: 'shared');
    final PwBridge one = await PwBridge.connect(null, settings);
    final PwBridge other = await PwBridge.connect(null, settings);
    await PwMethodChannel('PW', one).invokeMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    expect((await other.control.activities()).length, 1);
    await one.close();
    await other.close();
  });
}
