// What is recorded is what the program `pwbridge` reads, replays and writes.

import 'dart:io';
import 'dart:typed_data';

import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge/pwbridge.dart';
import 'package:pwbridge/recording_file.dart';
import 'package:pwbridge_flutter/pwbridge_flutter.dart';

final String _program = Platform.environment['PWBRIDGE'] ?? 'pwbridge';

/// The native side of the app: a bridge.
class _BridgeMessenger extends BinaryMessenger {
  _BridgeMessenger(this._bridge);

  final PwBridge _bridge;

  @override
  Future<ByteData?>? send(String channel, ByteData? message) async {
    final Uint8List? reply =
        await _bridge.send(channel, message == null ? null : Uint8List.sublistView(message));
    return reply == null ? null : ByteData.sublistView(reply);
  }

  @override
  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null) {
      _bridge.setMessageHandler(channel, null);
      return;
    }
    _bridge.setMessageHandler(channel, (Uint8List? message) async {
      final ByteData? reply =
          await handler(message == null ? null : ByteData.sublistView(message));
      return reply == null ? null : Uint8List.sublistView(reply);
    });
  }

  @override
  Future<void> handlePlatformMessage(
    String channel,
    ByteData? data,
    PlatformMessageResponseCallback? callback,
  ) async {}
}

void main() {
  late Directory folder;
  // What Dart called, and what native code called.
  late String path;
  late String nativePath;

  // What the program says; it must be content.
  String said(List<String> arguments) {
    final ProcessResult result = Process.runSync(_program, arguments);
    expect(result.exitCode, 0, reason: '$arguments: ${result.stderr}');
    return result.stdout as String;
  }

  setUp(() async {
    folder = Directory.systemTemp.createTempSync('pwbridge');
    path = '${folder.path}/session.jsonl';
    nativePath = '${folder.path}/native.jsonl';
    final PwBridge bridge = await PwBridge.spawn(
      executable: _program,
      settings: const PwSettings(options: <String, String>{'clock': 'stepped'}),
    );
    final PwRecordingFile file = PwRecordingFile.create(path);
    final PwRecordingFile native = PwRecordingFile.create(
      nativePath,
      codecs: <String, String>{'app': 'standard-method'},
    );
    final _BridgeMessenger inner = _BridgeMessenger(bridge);
    final MethodChannel channel = MethodChannel(
      'PW',
      const StandardMethodCodec(),
      RecordingMessenger(inner, file.recorder),
    );
    final MethodChannel app = MethodChannel(
      'app',
      const StandardMethodCodec(),
      RecordingMessenger(inner, native.recorder),
    );
    await channel.invokeListMethod<Object?>(
      'startLiveActivity',
      <String, Object?>{'elapsedSeconds': 0},
    );
    await channel.invokeListMethod<Object?>(
      'updateLiveActivity',
      <String, Object?>{'elapsedSeconds': 1 << 40, 'what "is" said': 'é\n\u0001\u007f'},
    );
    await channel.invokeListMethod<Object?>('stopLiveActivity');
    await expectLater(
      channel.invokeMethod<Object?>('pause'),
      throwsA(isA<MissingPluginException>()),
    );
    app.setMethodCallHandler((MethodCall call) async => call.arguments);
    expect((await bridge.control.invokeDart('app', 'echo', arguments: 7))['value'], 7);
    await bridge.close();
    file.close();
    native.close();
    expect(file.problem, isNull);
  });

  tearDown(() {
    folder.deleteSync(recursive: true);
  });

  test('inspect counts what was recorded', () {
    final String text = said(<String>['inspect', path]);
    for (final String name in <String>['startLiveActivity', 'stopLiveActivity', 'pause']) {
      expect(text.contains(name), isTrue, reason: text);
    }
    expect(said(<String>['inspect', nativePath]).contains('echo'), isTrue);
  });

  test('replay gets the same answers', () {
    final String text = said(<String>['replay', '--option', 'clock=stepped', path]);
    expect(text.contains('4 sent, 4 as recorded, 0 differ'), isTrue, reason: text);
  });

  test('convert writes the same lines, by way of the packed form too', () {
    for (final String from in <String>[path, nativePath]) {
      final String packed = '${folder.path}/packed.pwrec';
      final String copy = '${folder.path}/copy.jsonl';
      said(<String>['convert', from, packed]);
      said(<String>['convert', packed, copy]);
      expect(File(copy).readAsStringSync(), File(from).readAsStringSync());
    }
  });
}
