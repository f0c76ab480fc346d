import 'dart:typed_data';

import 'package:pwbridge/frames.dart';
import 'package:test/test.dart';

import 'support.dart';

void main() {
  group('golden transcripts', () {
    for (final String name in Transcript.names) {
      test('$name: frames are read and written again as they were', () {
        final Transcript transcript = Transcript.read(name);
        for (final bool isClient in <bool>[true, false]) {
          final List<Uint8List> sent = <Uint8List>[
            for (final Said said in transcript.said)
              if (said.isClient == isClient && said.bytes[4] != 77) said.bytes,
          ];
          final Uint8List stream =
              Uint8List.fromList(<int>[for (final Uint8List bytes in sent) ...bytes]);
          for (final int chunk in <int>[1, 7, 8, 24, 4096, stream.length]) {
            if (chunk < 4096 && stream.length > 100000) {
              continue;
            }
            final List<PwFrame> frames = readFrames(stream, chunk);
            expect(frames.length, sent.length);
            for (int index = 0; index < sent.length; index++) {
              expect(sameBytes(frames[index].encode(), sent[index]), isTrue,
                  reason: 'frame $index in chunks of $chunk');
              final Uint8List? payload = frames[index].payload;
              if (payload != null) {
                expect(payload.offsetInBytes % 8, 0);
              }
            }
          }
        }
      });
    }
  });

  test('a chunk at a frame is not copied', () {
    final PwFrame reply = PwFrame(PwKind.reply, id: 1, payload: Uint8List(8));
    final Uint8List chunk = reply.encode();
    final PwFrameReader reader = PwFrameReader(expectsHello: false)..add(chunk);
    expect(identical(reader.next()!.payload!.buffer, chunk.buffer), isTrue);
  });

  test('views stay as they are when more comes in', () {
    final PwFrame first =
        PwFrame(PwKind.reply, id: 1, payload: Uint8List.fromList(<int>[1, 2, 3]));
    final PwFrame second =
        PwFrame(PwKind.reply, id: 2, payload: Uint8List.fromList(<int>[4, 5, 6]));
    final Uint8List stream = Uint8List.fromList(<int>[...first.encode(), ...second.encode()]);
    final PwFrameReader reader = PwFrameReader(expectsHello: false);
    reader.add(stream.sublist(0, 30));
    final Uint8List payload = reader.next()!.payload!;
    reader.add(stream.sublist(30));
    expect(reader.next()!.payload, <int>[4, 5, 6]);
    expect(payload, <int>[1, 2, 3]);
  });

  group('refused', () {
    const Map<String, String> cases = <String, String>{
      'padding-not-zero': '01000000 03 00 0000 0700000000000000 0000 010000000000',
      'unknown-kind': '00000000 09 00 0000 0000000000000000',
      'payload-unexpected': '01000000 03 01 0000 0700000000000000',
      'reserved-flags': '00000000 02 05 0200 0700000000000000',
      'channel-name-missing': '00000000 02 01 0000 0700000000000000',
      'channel-name-unexpected': '00000000 03 01 0200 0700000000000000',
      'channel-name-too-long': '00000000 02 01 ffff 0700000000000000',
      'channel-name-malformed': '00000000 02 01 0200 0700000000000000 ff00000000000000',
    };
    for (final MapEntry<String, String> entry in cases.entries) {
      test(entry.key, () {
        final PwFrameReader reader = PwFrameReader(expectsHello: false)..add(unhex(entry.value));
        expect(
          reader.next,
          throwsA(
            isA<PwProtocolException>()
                .having((PwProtocolException error) => error.code, 'code', entry.key),
          ),
        );
      });
    }

    test('text in place of a hello', () {
      final PwFrameReader reader = PwFrameReader()
        ..add(Uint8List.fromList('HTTP/1.1 400 Bad Request'.codeUnits));
      expect(
        reader.next,
        throwsA(
          isA<PwProtocolException>()
              .having((PwProtocolException error) => error.code, 'code', 'not-a-frame'),
        ),
      );
    });

    test('an end inside a frame', () {
      final PwFrameReader reader = PwFrameReader(expectsHello: false)
        ..add(unhex('09000000 03 00 0000 0700000000000000 0000000000000000'));
      expect(reader.next(), isNull);
      expect(reader.finish, throwsA(isA<PwProtocolException>()));
    });
  });

  test('an optional frame of an unknown kind is passed over', () {
    final PwFrameReader reader = PwFrameReader(expectsHello: false)
      ..add(unhex('00000000 09 02 0000 0000000000000000'))
      ..add(unhex('00000000 08 01 0000 0000000000000000'));
    expect(reader.next()!.kind, PwKind.bye);
  });

  test('a payload that is too long is passed over and noted', () {
    final PwFrameReader reader = PwFrameReader(expectsHello: false, maxPayload: 4);
    reader.add(PwFrame(PwKind.reply, id: 5, payload: Uint8List(5)).encode());
    reader.add(PwFrame(PwKind.reply, id: 6, payload: Uint8List(4)).encode());
    expect(reader.next()!.id, 6);
    expect(reader.skipped.single.id, 5);
  });

  group('fields', () {
    test('escapes go both ways', () {
      final Map<String, String> fields = <String, String>{
        'text': 'a\nb\rc\u0000d\\e=f',
        'option.x-1': '',
      };
      expect(decodePwFields(encodePwFields(fields)), fields);
    });

    for (final String text in <String>['a=b', '=b\n', 'a\n', 'A=b\n', 'a=\\x\n', 'a=\r\n']) {
      test('refused: ${Uri.encodeFull(text)}', () {
        expect(
          () => decodePwFields(Uint8List.fromList(text.codeUnits)),
          throwsFormatException,
        );
      });
    }
  });
}
