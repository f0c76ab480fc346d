import 'dart:async';
import 'dart:convert';
import 'dart:io';
import 'dart:typed_data';

import 'package:pwbridge/frames.dart';
import 'package:pwbridge/pwbridge.dart';

/// The folder Protocol of the repository; tests run in the folder of their package.
final Directory protocol = Directory('../../..');

/// Bytes from hexadecimal text, blanks allowed.
Uint8List unhex(String text) {
  final String digits = text.replaceAll(RegExp(r'\s'), '');
  final Uint8List bytes = Uint8List(digits.length ~/ 2);
  for (int index = 0; index < bytes.length; index++) {
    bytes[index] = int.parse(digits.substring(index * 2, index * 2 + 2), radix: 16);
  }
  return bytes;
}

/// A frame of a golden transcript.
class Said {
  Said(this.isClient, this.bytes);

  final bool isClient;
  final Uint8List bytes;
}

/// A golden transcript: Protocol/transcripts/README.md has the format.
class Transcript {
  Transcript._(this.name, this.server, this.options, this.said);

  factory Transcript.read(String name) {
    final File file = File('${protocol.path}/transcripts/$name.jsonl');
    final List<String> lines = file.readAsLinesSync();
    final Map<String, Object?> first = jsonDecode(lines.first) as Map<String, Object?>;
    return Transcript._(
      name,
      (first['server']! as List<Object?>).cast<String>(),
      ((first['options'] ?? <String, Object?>{}) as Map<String, Object?>).cast<String, String>(),
      <Said>[for (final String line in lines.skip(1)) _said(line)],
    );
  }

  static const List<String> names = <String>[
    'stopwatch',
    'silences',
    'out-of-order',
    'errors',
    'refused',
    'native',
    'large-payload',
  ];

  final String name;

  /// The arguments of the server.
  final List<String> server;

  /// What the client's hello asks for.
  final Map<String, String> options;
  final List<Said> said;

  static Said _said(String line) {
    final Map<String, Object?> entry = jsonDecode(line) as Map<String, Object?>;
    final BytesBuilder bytes = BytesBuilder();
    final Object? hex = entry['hex'];
    final List<Object?> parts =
        hex == null ? entry['parts']! as List<Object?> : <Object?>[hex];
    for (final Object? part in parts) {
      if (part is String) {
        bytes.add(unhex(part));
      } else {
        final Map<String, Object?> repeat = part! as Map<String, Object?>;
        final Uint8List once = unhex(repeat['repeat']! as String);
        bytes.add(repeated(once, repeat['times']! as int));
      }
    }
    return Said(entry['from'] == 'client', bytes.takeBytes());
  }
}

/// Plays the server of a transcript, and compares what the client says, byte for byte.
class ScriptedConnection implements PwConnection {
  ScriptedConnection(this._said, {this.chunk = 0});

  final List<Said> _said;

  /// Sends in pieces of so many bytes; 0 for a turn at once.
  final int chunk;

  final StreamController<List<int>> _controller = StreamController<List<int>>();
  int _position = 0;

  /// Where client and transcript part ways.
  final List<String> differences = <String>[];

  /// Whether everything was said.
  bool get isThrough => _position == _said.length;

  @override
  Stream<List<int>> get incoming => _controller.stream;

  @override
  void add(Uint8List bytes) {
    if (isThrough || !_said[_position].isClient) {
      differences.add('frame $_position was not expected: $bytes');
      return;
    }
    final Uint8List expected = _said[_position].bytes;
    if (!sameBytes(bytes, expected)) {
      differences.add('frame $_position is $bytes and should be $expected');
    }
    _position += 1;
    final BytesBuilder answer = BytesBuilder();
    while (!isThrough && !_said[_position].isClient) {
      answer.add(_said[_position].bytes);
      _position += 1;
    }
    _say(answer.takeBytes());
    if (isThrough) {
      unawaited(_controller.close());
    }
  }

  void _say(Uint8List bytes) {
    if (bytes.isEmpty) {
      return;
    }
    final int size = chunk == 0 ? bytes.length : chunk;
    for (int start = 0; start < bytes.length; start += size) {
      final int end = start + size < bytes.length ? start + size : bytes.length;
      _controller.add(bytes.sublist(start, end));
    }
  }

  @override
  void closeOutgoing() {}

  @override
  Future<void> destroy(Duration patience) async {}

  @override
  String get reason => '';
}

bool sameBytes(Uint8List one, Uint8List other) {
  return String.fromCharCodes(one) == String.fromCharCodes(other);
}

/// Bytes over and over again.
Uint8List repeated(Uint8List once, int times) {
  final Uint8List bytes = Uint8List(once.length * times);
  if (once.length == 1) {
    bytes.fillRange(0, times, once[0]);
  } else {
    for (int count = 0; count < times; count++) {
      bytes.setRange(count * once.length, (count + 1) * once.length, once);
    }
  }
  return bytes;
}

/// A bridge to a real server. Under `pwbridge exec` it is the server of that command, otherwise
/// one is started: `pwbridge`, or what `PWBRIDGE` names.
Future<PwBridge> openBridge({Map<String, String> options = const <String, String>{}}) {
  final PwSettings settings = PwSettings(
    options: <String, String>{'clock': 'stepped', ...options},
  );
  if (Platform.environment.containsKey('PWBRIDGE_SOCKET')) {
    return PwBridge.connect(null, settings);
  }
  return PwBridge.spawn(
    executable: Platform.environment['PWBRIDGE'] ?? 'pwbridge',
    settings: settings,
  );
}

/// All frames of a stream that is cut into pieces.
List<PwFrame> readFrames(Uint8List stream, int chunk, {bool expectsHello = true}) {
  final PwFrameReader reader = PwFrameReader(expectsHello: expectsHello);
  final List<PwFrame> frames = <PwFrame>[];
  for (int start = 0; start < stream.length; start += chunk) {
    final int end = start + chunk < stream.length ? start + chunk : stream.length;
    reader.add(stream.sublist(start, end));
    for (PwFrame? frame = reader.next(); frame != null; frame = reader.next()) {
      frames.add(frame);
    }
  }
  reader.finish();
  return frames;
}
