// A stopwatch as in the guide: its calls go to the channel PW, one at the start, one a second, and
// one at the end.

import 'dart:async';

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge_flutter_test/pwbridge_flutter_test.dart';

import 'support.dart';

class StopwatchApp extends StatefulWidget {
  const StopwatchApp({super.key});

  @override
  State<StopwatchApp> createState() => _StopwatchAppState();
}

class _StopwatchAppState extends State<StopwatchApp> {
  static const MethodChannel _channel = MethodChannel('PW');

  Timer? _timer;
  int _seconds = 0;
  String _said = '';

  Future<void> _tell(String method, [Map<String, Object?>? arguments]) async {
    try {
      await _channel.invokeListMethod<Object?>(method, arguments);
    } on Object catch (error) {
      if (mounted) {
        setState(() => _said = error.toString());
      }
    }
  }

  void _start() {
    unawaited(_tell('startLiveActivity', <String, Object?>{'elapsedSeconds': 0}));
    _timer = Timer.periodic(const Duration(seconds: 1), (Timer _) {
      setState(() => _seconds += 1);
      unawaited(_tell('updateLiveActivity', <String, Object?>{'elapsedSeconds': _seconds}));
    });
  }

  void _stop() {
    _timer?.cancel();
    unawaited(_tell('stopLiveActivity'));
  }

  @override
  void dispose() {
    _timer?.cancel();
    super.dispose();
  }

  @override
  Widget build(BuildContext context) {
    return MaterialApp(
      home: Column(
        children: <Widget>[
          Text('$_seconds s'),
          Text(_said, key: const Key('said')),
          TextButton(onPressed: _start, child: const Text('Start')),
          TextButton(onPressed: _stop, child: const Text('Stop')),
        ],
      ),
    );
  }
}

void main() {
  TestWidgetsFlutterBinding.ensureInitialized();

  late PwBridge bridge;
  late PwBinaryMessenger messenger;

  // Outside of testWidgets time is real, so that the server can be waited for.
  setUp(() async {
    bridge = await openBridge();
    messenger = PwBinaryMessenger(bridge, channels: <String>['PW'])..install();
  });

  tearDown(() async {
    messenger.dispose();
    await bridge.close();
  });

  testWidgets('the Live Activity follows the stopwatch', (WidgetTester tester) async {
    await tester.pumpWidget(const StopwatchApp());
    await tester.tap(find.text('Start'));
    await messenger.settle(tester);
    for (int second = 0; second < 3; second++) {
      await tester.pump(const Duration(seconds: 1));
      await messenger.settle(tester);
    }
    expect(find.text('3 s'), findsOneWidget);

    final PwActivity? running = await tester.runAsync(() => bridge.control.activity());
    expect(running!.state, 'active');
    expect(running.contentState['elapsedTime'], 3);
    expect(running.updates, 3);

    await tester.tap(find.text('Stop'));
    await messenger.settle(tester);
    final List<PwActivity>? left = await tester.runAsync(() => bridge.control.activities());
    expect(left, isEmpty);
  });

  testWidgets('the app shows that Live Activities are off', (WidgetTester tester) async {
    await tester.runAsync(() => bridge.control.setAuthorization(enabled: false));
    await tester.pumpWidget(const StopwatchApp());
    await tester.tap(find.text('Start'));
    await messenger.settle(tester);
    expect(find.textContaining('418'), findsOneWidget);
    await tester.tap(find.text('Stop'));
    await messenger.settle(tester);
  });

  testWidgets('the code of the guide never answers, and the app hears of it', (
    WidgetTester tester,
  ) async {
    await tester.runAsync(() => bridge.control.setOption('handler', 'guide'));
    await tester.pumpWidget(const StopwatchApp());
    await tester.tap(find.text('Start'));
    await messenger.settle(tester);
    expect(find.textContaining('PwDroppedException'), findsOneWidget);
    await tester.tap(find.text('Stop'));
    await messenger.settle(tester);
  });
}
