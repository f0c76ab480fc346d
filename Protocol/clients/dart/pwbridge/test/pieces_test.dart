import 'dart:convert';
import 'dart:io';
import 'dart:typed_data';

import 'package:pwbridge/glob.dart';
import 'package:pwbridge/recording_file.dart';
import 'package:pwbridge/src/channel_buffers.dart';
import 'package:test/test.dart';

void main() {
  test('globs', () {
    expect(pwGlobMatches('*', ''), isTrue);
    expect(pwGlobMatches('pushwoosh*', 'pushwoosh/receive'), isTrue);
    expect(pwGlobMatches('*/receive', 'pushwoosh/receive'), isTrue);
    expect(pwGlobMatches('p*e*e', 'pushwoosh/receive'), isTrue);
    expect(pwGlobMatches('P?', 'PW'), isTrue);
    expect(pwGlobMatches('P?', 'P'), isFalse);
    expect(pwGlobMatches('PW', 'PWx'), isFalse);
    expect(pwGlobMatches('', 'PW'), isFalse);
  });

  group('channel buffers', () {
    test('one message is kept, and the older one is answered without payload', () {
      final PwChannelBuffers buffers = PwChannelBuffers();
      final List<String> events = <String>[];
      buffers.push('a', Uint8List(1), (Uint8List? reply) => events.add('first $reply'));
      buffers.push('a', Uint8List(2), (Uint8List? reply) => events.add('second $reply'));
      expect(events, <String>['first null']);
      buffers.listen('a', (Uint8List? message, PwAnswer answer) {
        events.add('got ${message!.length}');
        answer(message);
      });
      expect(events, <String>['first null', 'got 2', 'second [0, 0]']);
      expect(buffers.warnings.length, 1);
    });

    test('native code sets how many are kept', () {
      final PwChannelBuffers buffers = PwChannelBuffers();
      final Uint8List resize = Uint8List.fromList(
        <int>[7, 6, ...'resize'.codeUnits, 12, 2, 7, 1, 0x61, 3, 2, 0, 0, 0],
      );
      buffers.push(PwChannelBuffers.controlChannel, resize, (Uint8List? _) {});
      for (int count = 0; count < 2; count++) {
        buffers.push('a', null, (Uint8List? _) {});
      }
      expect(buffers.warnings, isEmpty);
      buffers.push(PwChannelBuffers.controlChannel, Uint8List(1), (Uint8List? _) {});
      expect(buffers.warnings.length, 1);
    });
  });

  group('recordings', () {
    test('a file has a header and one line for each entry', () {
      final Directory folder = Directory.systemTemp.createTempSync('pwbridge');
      addTearDown(() => folder.deleteSync(recursive: true));
      final PwRecordingFile file = PwRecordingFile.create(
        '${folder.path}/session.jsonl',
        codecs: <String, String>{'PW': 'standard-method'},
      );
      final int id = file.recorder.message('PW', Uint8List(0), fromDart: true);
      file.recorder.reply(id, 'PW', null, fromDart: true);
      file.close();
      file.close();
      expect(file.problem, isNull);
      final List<String> lines = File(file.path).readAsLinesSync();
      expect(lines.length, 3);
      final Map<String, Object?> header = jsonDecode(lines[0]) as Map<String, Object?>;
      expect(header['codecs'], <String, Object?>{'PW': 'standard-method'});
      final Map<String, Object?> reply = jsonDecode(lines[2]) as Map<String, Object?>;
      expect(reply['dir'], 'native->dart');
      expect(reply['hex'], isNull);
    });

    test('strings are escaped as recordings are', () {
      expect(pwQuoted('a"b\\c\n\r\t\u0001\u007fé'), r'"a\"b\\c\n\r\t\u0001\u007fé"');
    });
  });
}
