import 'dart:async';
import 'dart:typed_data';

import 'package:pwbridge/frames.dart';
import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

import 'support.dart';

/// How a call ended: its value, or what it failed with.
Future<Object?> _outcome(Future<Object?> call) async {
  try {
    return await call;
  } on PwException catch (error) {
    return error;
  }
}

Map<String, Object?> _seconds(int count) => <String, Object?>{'elapsedSeconds': count};

typedef _Script = Future<void> Function(PwBridge bridge, ScriptedConnection connection);

Future<void> _stopwatch(PwBridge bridge, ScriptedConnection connection) async {
  final PwMethodChannel channel = PwMethodChannel('PW', bridge);
  await channel.invokeListMethod<Object?>('startLiveActivity', _seconds(0));
  for (int second = 1; second <= 60; second++) {
    await channel.invokeListMethod<Object?>('updateLiveActivity', _seconds(second));
  }
  await channel.invokeListMethod<Object?>('stopLiveActivity');
  await bridge.close();
}

Future<void> _silences(PwBridge bridge, ScriptedConnection connection) async {
  final PwMethodChannel channel = PwMethodChannel('PW', bridge);
  final List<PwLog> logs = <PwLog>[];
  bridge.logs.listen(logs.add);
  for (final (String, Object?) call in <(String, Object?)>[
    ('startLiveActivity', _seconds(0)),
    ('updateLiveActivity', _seconds(1)),
    ('stopLiveActivity', null),
  ]) {
    expect(
      await _outcome(channel.invokeMethod<Object?>(call.$1, call.$2)),
      isA<PwDroppedException>(),
    );
  }
  await bridge.close();
  expect(logs, isNotEmpty);
}

Future<void> _outOfOrder(PwBridge bridge, ScriptedConnection connection) async {
  const PwStandardMethodCodec codec = PwStandardMethodCodec();
  final PwMethodChannel channel = PwMethodChannel('PW', bridge);
  await channel.invokeMethod<Object?>('startLiveActivity', _seconds(0));
  final List<PwCall> calls = <PwCall>[
    for (int second = 1; second <= 4; second++)
      bridge.start(
        'PW',
        codec.encodeMethodCall(PwMethodCall('updateLiveActivity', _seconds(second))),
      ),
  ];
  await calls[2].reply;
  expect(await _outcome(calls[3].reply), isA<PwDroppedException>());
  expect(calls[1].isAnswered, isFalse);
  await bridge.control.invoke('clock.advance', <String, Object?>{'by': '1s'});
  await calls[1].reply;
  expect(calls[0].isAnswered, isFalse);
  calls[0].cancel();
  await calls[0].reply;
  await bridge.close();
}

Future<void> _errors(PwBridge bridge, ScriptedConnection connection) async {
  Future<Object?> call(String method, [Object? arguments, String channel = 'PW']) {
    return _outcome(PwMethodChannel(channel, bridge).invokeMethod<Object?>(method, arguments));
  }

  Matcher isPlatform(String code) => isA<PwPlatformException>()
      .having((PwPlatformException error) => error.code, 'code', code);
  Matcher isRefused(String code) =>
      isA<PwFrameException>().having((PwFrameException error) => error.code, 'code', code);

  expect(await call('startLiveActivity', <int>[7]), isPlatform('418'));
  expect(
    await call('updateLiveActivity', <Object?, Object?>{'elapsedSeconds': 7, 1: 'x'}),
    isPlatform('418'),
  );
  expect(await call('updateLiveActivity', _seconds(7)), isPlatform('418'));
  expect(await call('StartLiveActivity'), isA<PwMissingPluginException>());
  expect(
    await call('startLiveActivity', _seconds(0), 'nobody'),
    isA<PwMissingPluginException>(),
  );
  await bridge.control.setAuthorization(enabled: false);
  expect(await call('startLiveActivity', _seconds(0)), isPlatform('418'));
  expect(
    await call('clock.advance', <String, Object?>{'bye': 1}, PwControl.channelName),
    isPlatform('bad-arguments'),
  );
  expect(
    await _outcome(bridge.send('PW', unhex('07 04 73746f70 fe'))),
    isRefused('message-malformed'),
  );
  expect(await _outcome(bridge.send('PW', Uint8List(0))), isRefused('message-malformed'));
  expect(await _outcome(bridge.send('PW', null)), isRefused('message-malformed'));
  expect(await _outcome(bridge.send('PW', Uint8List(1001))), isRefused('payload-too-long'));
  // An answer that nobody waits for, and then a kind that nobody knows.
  connection.add(PwFrame(PwKind.reply, id: 99, payload: Uint8List(2)).encode());
  await Future<void>.delayed(Duration.zero);
  expect(bridge.problems.single, isRefused('id-unknown'));
  connection.add(PwFrame(77, payload: Uint8List(0)).encode());
  expect(await bridge.done, isRefused('unknown-kind'));
  expect(await _outcome(bridge.send('PW', null)), isRefused('unknown-kind'));
}

Future<void> _refused(PwBridge bridge, ScriptedConnection connection) async {
  final Object? failure = await _outcome(bridge.hello);
  expect(
    failure,
    isA<PwFrameException>()
        .having((PwFrameException error) => error.code, 'code', 'device-options')
        .having((PwFrameException error) => error.isFatal, 'fatal', isTrue),
  );
  expect(await _outcome(bridge.send('PW', null)), failure);
  expect(await bridge.done, failure);
}

Future<void> _native(PwBridge bridge, ScriptedConnection connection) async {
  final PwMethodChannel app = PwMethodChannel('app', bridge);
  // Nobody listens yet: the newer of two is kept, the older answered without payload.
  final Future<PwFields> older = bridge.control.invokeDart('app', 'double', arguments: 20);
  final Future<PwFields> newer = bridge.control.invokeDart('app', 'double', arguments: 21);
  expect((await older)['outcome'], 'notImplemented');
  app.setMethodCallHandler((PwMethodCall call) {
    switch (call.method) {
      case 'double':
        return (call.arguments! as int) * 2;
      case 'fail':
        throw const PwPlatformException(
          code: 'E1',
          message: 'no',
          details: <String, Object?>{'n': 1},
        );
      default:
        throw const PwMissingPluginException();
    }
  });
  expect((await newer)['value'], 42);
  expect((await bridge.control.invokeDart('app', 'fail'))['outcome'], 'error');
  expect((await bridge.control.invokeDart('app', 'other'))['outcome'], 'notImplemented');

  const String receive = 'pushwoosh/receive';
  final List<Object?> events = <Object?>[];
  final Completer<void> ended = Completer<void>();
  final StreamSubscription<Object?> subscription =
      PwEventChannel(receive, bridge).receiveBroadcastStream().listen(
            events.add,
            onError: events.add,
            onDone: ended.complete,
          );
  await bridge.settled();
  await bridge.control.sendEvent(receive, 1);
  await bridge.control.sendEvent(receive, 'two');
  await bridge.control.sendEvent(receive, null);
  await bridge.control.sendEventError(receive, code: 'E2');
  await bridge.control.endEvents(receive);
  await ended.future;
  expect(events.sublist(0, 3), <Object?>[1, 'two', null]);
  expect(events[3], isA<PwPlatformException>());
  // The stream has ended, but Dart says so all the same, and once more.
  await subscription.cancel();
  await bridge.settled();
  expect(
    await _outcome(PwMethodChannel(receive, bridge).invokeMethod<Object?>('cancel')),
    isA<PwPlatformException>(),
  );
  await bridge.control.sendMessage(
    'dev.flutter/channel-buffers',
    const PwStandardMethodCodec()
        .encodeMethodCall(const PwMethodCall('resize', <Object?>['app', 3])),
  );
  expect(bridge.problems.length, 1);
  await bridge.close();
}

Future<void> _largePayload(PwBridge bridge, ScriptedConnection connection) async {
  bridge.setMessageHandler(
    'app',
    (Uint8List? message) => Uint8List.sublistView(message!, 0, message.length - 1),
  );
  final Uint8List message = Uint8List(150001)..fillRange(0, 150001, 0xa5);
  final PwFields answer = await bridge.control.sendMessage('app', message);
  expect((answer['reply']! as Uint8List).length, 150000);
  await bridge.close();
}

const Map<String, _Script> _scripts = <String, _Script>{
  'stopwatch': _stopwatch,
  'silences': _silences,
  'out-of-order': _outOfOrder,
  'errors': _errors,
  'refused': _refused,
  'native': _native,
  'large-payload': _largePayload,
};

void main() {
  for (final String name in Transcript.names) {
    for (final int chunk in <int>[0, if (name != 'large-payload') 5, 4096]) {
      test('$name, in chunks of $chunk', () async {
        final Transcript transcript = Transcript.read(name);
        final ScriptedConnection connection = ScriptedConnection(transcript.said, chunk: chunk);
        final PwBridge bridge = PwBridge.over(
          connection,
          PwSettings(
            software: 'pwbridge_client (Python)',
            options: transcript.options,
            checksLimits: false,
          ),
        );
        if (name != 'refused') {
          await bridge.hello;
        }
        await _scripts[name]!(bridge, connection);
        expect(connection.differences, isEmpty);
        expect(connection.isThrough, isTrue);
      });
    }
  }
}
