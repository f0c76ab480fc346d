// Every helper of the control channel against a real bridge, so that what they make of the answers
// is what comes.

import 'dart:async';
import 'dart:typed_data';

import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

import 'support.dart';

void main() {
  late PwBridge bridge;
  late PwControl control;
  late PwMethodChannel channel;

  setUp(() async {
    bridge = await openBridge();
    control = bridge.control;
    channel = PwMethodChannel('PW', bridge);
  });

  tearDown(() async {
    expect(bridge.problems, isEmpty);
    await bridge.close();
  });

  Future<PwActivity> start() async {
    await channel.invokeMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    return (await control.activity())!;
  }

  Matcher refusedWith(String code) => throwsA(
        isA<PwPlatformException>()
            .having((PwPlatformException error) => error.code, 'code', code),
      );

  test('what there is to see', () async {
    expect((await control.help()).length > 25, isTrue);
    expect((await control.help(method: 'reset')).single['method'], 'reset');
    final PwFields device = await control.device();
    expect(device['handler'], 'answering');
    expect((device['channels']! as List<Object?>).contains('PW'), isTrue);
    final List<PwFields> options = await control.options();
    expect(options.any((PwFields option) => option['name'] == 'clock'), isTrue);
    final PwFields state = await control.state();
    expect(state['areActivitiesEnabled'], isTrue);
    expect(PwFields.list(state['activities']), isEmpty);
    expect(await control.activity(), isNull);
    expect((await control.totals())['received'], 7);
    expect(PwFields.list((await control.tokens())['activities']), isEmpty);
    expect(await control.serverRequests(since: 0), isEmpty);
    await expectLater(control.activity(id: 'x'), refusedWith('no-such-activity'));
  });

  test('an activity from its start to its end', () async {
    final PwActivity started = await start();
    expect(started.number, 1);
    expect(started.state, 'active');
    expect(started.attributes, isA<Map<Object?, Object?>>());
    expect(started.contentState['elapsedTime'], 0);
    expect(started.updates, 0);
    expect(started.endedBy, isNull);
    expect((await control.activity(id: started.id))!.id, started.id);
    expect((await control.activities()).single.id, started.id);
    expect((await control.dismiss(started.id))['outcome'], 'applied');
    expect(await control.activities(), isEmpty);
    expect((await control.activities(all: true)).single.state, 'dismissed');
  });

  test('the journal', () async {
    await start();
    await expectLater(
      channel.invokeMethod<Object?>('pause'),
      throwsA(isA<PwMissingPluginException>()),
    );
    final PwJournal journal = await control.journal(channel: 'P?');
    expect(journal.entries.length, 2);
    expect(journal.more, isFalse);
    final PwJournalEntry first = journal.entries.first;
    expect(first.number, 1);
    expect(first.direction, 'received');
    expect(first.channel, 'PW');
    expect(first.method, 'startLiveActivity');
    expect(first.arguments, <Object?, Object?>{'elapsedSeconds': 0});
    expect(first.outcome, 'success');
    expect(first.microseconds! >= 0, isTrue);
    expect(journal.entries.last.outcome, 'notImplemented');
    expect((await control.journal(since: journal.next)).entries, isEmpty);
    expect((await control.journal(limit: 1, control: true)).more, isTrue);
    final PwJournalEntry open = (await control.journal(open: true, control: true)).entries.single;
    expect(open.method, 'journal');
    expect(open.microseconds, isNull);
  });

  test('the clock', () async {
    final PwClock before = await control.clockNow();
    expect(before.mode, 'stepped');
    final PwClock after = await control.clockAdvance(const Duration(seconds: 90));
    expect(after.microseconds - before.microseconds, 90000000);
    expect(after.time.microsecondsSinceEpoch, after.microseconds);
  });

  test('what the person and the system do', () async {
    await control.setAuthorization(enabled: true, frequentPushes: false);
    await control.setForeground(foreground: false);
    await expectLater(start(), refusedWith('418'));
    await control.setForeground(foreground: true);
    await control.failNextRequest('persistenceFailure');
    await expectLater(start(), refusedWith('418'));
    await control.failNextRequest('persistenceFailure');
    await control.failNextRequest(null);
    await control.setLimits(<String, Object?>{'maximum-per-app': 1});
    final PwActivity activity = await start();
    await expectLater(start(), refusedWith('418'));
    // What `PW` starts takes no pushes, so that it has no token; the app has one.
    expect(activity.pushToken, isNull);
    expect(await control.rotateToken(id: activity.id), isNull);
    expect(await control.rotateToken(), isA<String>());
    expect(await control.runTasks(), 0);
    await control.setOption('maximum-per-app', 5);
    await control.reset();
    expect(await control.activities(all: true), isEmpty);
  });

  test('pushes', () async {
    final PwPushResult nothing = await control.deliverPush(
      <String, Object?>{
        'aps': <String, Object?>{'event': 'update'},
      },
      priority: 5,
    );
    expect(nothing.hadEffect, isFalse);
    expect(nothing.results, isEmpty);
    expect(nothing.faults, isNotEmpty);
    expect(nothing.faults.first['problem'], isA<String>());
    final PwPushResult lost = await control.deliverPush('{"aps": {}}', id: 'none');
    expect(lost.hadEffect, isFalse);
    final PwPushResult started = await control.serverRequest(
      '{"request": {"application": "A", "auth": "t", "notifications": [{"content": "Hi", '
      '"live_activity": {"event": "start", "content-state": {"data": {}}, '
      '"attributes-type": "DefaultLiveActivityAttributes", "attributes": {"data": {}}}, '
      '"live_activity_id": "run"}]}}',
    );
    expect(started.hadEffect, isTrue);
    expect(started.results.single['id'], isA<String>());
  });

  test('faults', () async {
    final int first = await control.addFault('PW.startLiveActivity: error BUSY');
    final List<int> others = await control.addFaults(<Object>[
      'other.slow: delay 1s',
      <String, Object?>{'channel': 'other', 'fault': 'no-reply'},
    ]);
    expect(others.length, 2);
    await expectLater(start(), refusedWith('BUSY'));
    expect((await control.faults()).length, 3);
    await control.removeFault(first);
    expect((await control.faults()).length, 2);
    await control.clearFaults(release: true);
    expect(await control.faults(), isEmpty);
  });

  test('what native code says to Dart', () async {
    PwMethodChannel('app', bridge).setMethodCallHandler((PwMethodCall call) => call.arguments);
    final PwFields answer = await control.invokeDart(
      'app',
      'echo',
      arguments: <Object?>[1, 'two', null],
      timeout: const Duration(milliseconds: 1500),
    );
    expect(answer['outcome'], 'success');
    expect(answer['value'], <Object?>[1, 'two', null]);
    final List<int> lengths = <int>[];
    bridge.setMessageHandler('raw', (Uint8List? message) {
      lengths.add(message?.length ?? -1);
      return message;
    });
    final PwFields reply = await control.sendMessage('raw', Uint8List(3));
    expect((reply['reply']! as Uint8List).length, 3);
    await control.postMessage('raw', null);
    await control.postToDart('app', 'echo');
    await bridge.settled();
    expect(lengths, <int>[3, -1]);
  });

  test('event channels', () async {
    await control.addEventChannel('ticks');
    final List<Object?> events = <Object?>[];
    final Completer<void> ended = Completer<void>();
    PwEventChannel('ticks', bridge).receiveBroadcastStream().listen(
          events.add,
          onError: (Object error) => events.add((error as PwPlatformException).code),
          onDone: ended.complete,
        );
    await bridge.settled();
    final List<PwFields> channels = await control.eventChannels();
    expect(
      channels.any((PwFields one) => one['channel'] == 'ticks' && one['listening'] == true),
      isTrue,
    );
    await control.sendEvent('ticks', 1);
    await control.sendEventError('ticks', code: 'E', message: 'no', details: 2);
    await control.endEvents('ticks');
    await ended.future;
    expect(events, <Object?>[1, 'E']);
    await bridge.settled();
  });
}
