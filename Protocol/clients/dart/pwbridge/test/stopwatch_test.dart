// The guide's stopwatch against a real bridge, in plain Dart.

import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

import 'support.dart';

void main() {
  late PwBridge bridge;
  late PwMethodChannel channel;

  setUp(() async {
    bridge = await openBridge();
    channel = PwMethodChannel('PW', bridge);
  });

  tearDown(() async {
    await bridge.close();
  });

  test('the Live Activity follows the stopwatch', () async {
    await channel.invokeListMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    for (int second = 1; second <= 3; second++) {
      await channel.invokeListMethod<Object?>(
        'updateLiveActivity',
        <String, Object?>{'elapsedSeconds': second},
      );
    }
    final PwActivity? running = await bridge.control.activity();
    expect(running!.state, 'active');
    expect(running.contentState['elapsedTime'], 3);
    await channel.invokeListMethod<Object?>('stopLiveActivity');
    expect(await bridge.control.activities(), isEmpty);
  });

  test('the system ends an activity after eight hours', () async {
    await channel.invokeMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    await bridge.control.clockAdvance(const Duration(hours: 8));
    final PwActivity? ended = await bridge.control.activity();
    expect(ended!.state, 'ended');
    expect(ended.endedBy, 'system');
  });

  test('the code of the guide never answers', () async {
    await bridge.control.setOption('handler', 'guide');
    await expectLater(
      channel.invokeMethod<Object?>(
        'startLiveActivity',
        <String, Object?>{'elapsedSeconds': 0},
      ),
      throwsA(isA<PwDroppedException>()),
    );
    final PwJournal journal = await bridge.control.journal();
    expect(journal.entries.last.outcome, 'dropped');
  });

  test('a fault strikes the second update', () async {
    await bridge.control.addFault('PW.updateLiveActivity#2: error 500 "down"');
    await channel.invokeMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    final Map<String, Object?> update = <String, Object?>{'elapsedSeconds': 1};
    await channel.invokeMethod<Object?>('updateLiveActivity', update);
    await expectLater(
      channel.invokeMethod<Object?>('updateLiveActivity', update),
      throwsA(
        isA<PwPlatformException>()
            .having((PwPlatformException error) => error.code, 'code', '500'),
      ),
    );
  });
}
