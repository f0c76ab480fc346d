import 'dart:typed_data';

import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:pwbridge_flutter/pwbridge_flutter.dart';

/// A messenger with a native side that answers each message with its own bytes.
class _EchoMessenger extends BinaryMessenger {
  final Map<String, MessageHandler> handlers = <String, MessageHandler>{};

  @override
  Future<ByteData?>? send(String channel, ByteData? message) => Future<ByteData?>.value(message);

  @override
  void setMessageHandler(String channel, MessageHandler? handler) {
    if (handler == null) {
      handlers.remove(channel);
    } else {
      handlers[channel] = handler;
    }
  }

  @override
  Future<void> handlePlatformMessage(
    String channel,
    ByteData? data,
    PlatformMessageResponseCallback? callback,
  ) async {
    final ByteData? reply = await handlers[channel]?.call(data);
    callback?.call(reply);
  }
}

ByteData _data(List<int> bytes) => ByteData.sublistView(Uint8List.fromList(bytes));

void main() {
  late List<String> lines;
  late _EchoMessenger inner;
  late RecordingMessenger messenger;

  setUp(() {
    lines = <String>[];
    inner = _EchoMessenger();
    int now = 0;
    final PwRecorder recorder = PwRecorder(
      lines.add,
      software: 'test',
      start: DateTime.fromMicrosecondsSinceEpoch(1700000000000000),
      microseconds: () => now += 10,
    );
    messenger = RecordingMessenger(inner, recorder, channels: <String>['PW', 'events']);
  });

  test('a message of Dart and its reply are recorded', () async {
    final ByteData? reply = await messenger.send('PW', _data(<int>[0, 255]));
    expect(reply!.lengthInBytes, 2);
    expect(lines, <String>[
      '{"pwbridge":"recording","version":1,"time":"us","start_us":1700000000000000'
          ',"software":"test"}\n',
      '{"seq":0,"t_us":10,"dir":"dart->native","channel":"PW","id":1,"kind":"message"'
          ',"hex":"00ff"}\n',
      '{"seq":1,"t_us":20,"dir":"native->dart","channel":"PW","id":1,"kind":"reply"'
          ',"hex":"00ff"}\n',
    ]);
  });

  test('a message of native code and its reply are recorded', () async {
    messenger.setMessageHandler('events', (ByteData? message) async => null);
    // ignore: deprecated_member_use
    await messenger.handlePlatformMessage('events', _data(<int>[7]), (ByteData? _) {});
    expect(lines.sublist(1), <String>[
      '{"seq":0,"t_us":10,"dir":"native->dart","channel":"events","id":1,"kind":"message"'
          ',"hex":"07"}\n',
      '{"seq":1,"t_us":20,"dir":"dart->native","channel":"events","id":1,"kind":"reply"'
          ',"hex":null}\n',
    ]);
  });

  test('other channels pass and are not recorded', () async {
    final ByteData? reply = await messenger.send('flutter/platform', _data(<int>[1]));
    expect(reply!.getUint8(0), 1);
    expect(lines.length, 1);
  });
}
