/// Writes recordings in the text form of Protocol/recording.md. Needs no dart:io, so that it works
/// wherever an app runs.
library;

import 'dart:convert';
import 'dart:typed_data';

/// Takes one line of a recording, its newline included. To be written with one write.
typedef PwLineSink = void Function(String line);

/// Turns messages and replies into lines.
///
/// A message gets a number, and its reply gives the number back. What never gets a reply was never
/// answered.
class PwRecorder {
  /// Writes the header at once. [codecs] tells what channels speak, where that is known, in the
  /// words of Protocol/recording.md.
  PwRecorder(
    this._write, {
    String software = 'pwbridge (Dart)',
    Map<String, String> codecs = const <String, String>{},
    DateTime? start,
    int Function()? microseconds,
  }) {
    final Stopwatch watch = Stopwatch()..start();
    _microseconds = microseconds ?? () => watch.elapsedMicroseconds;
    final int startMicroseconds = (start ?? DateTime.now()).microsecondsSinceEpoch;
    final StringBuffer line = StringBuffer();
    line.write('{"pwbridge":"recording","version":1,"time":"us","start_us":$startMicroseconds');
    line.write(',"software":${pwQuoted(software)}');
    if (codecs.isNotEmpty) {
      final Iterable<String> pairs = codecs.entries.map(
        (MapEntry<String, String> entry) => '${pwQuoted(entry.key)}:${pwQuoted(entry.value)}',
      );
      line.write(',"codecs":{${pairs.join(',')}}');
    }
    line.write('}\n');
    _write(line.toString());
  }

  final PwLineSink _write;
  late final int Function() _microseconds;
  int _sequence = 0;
  int _nextId = 1;

  static const String _toNative = 'dart->native';
  static const String _toDart = 'native->dart';

  /// Whether the recording has ended. Nothing is written then.
  bool isEnded = false;

  /// Records a message and returns its number.
  int message(String channel, Uint8List? payload, {required bool fromDart}) {
    final int id = _nextId;
    _nextId += 1;
    _entry(fromDart ? _toNative : _toDart, channel, id, 'message', payload);
    return id;
  }

  /// Records the reply to message [id], which went the way that [fromDart] says.
  void reply(int id, String channel, Uint8List? payload, {required bool fromDart}) {
    _entry(fromDart ? _toDart : _toNative, channel, id, 'reply', payload);
  }

  void _entry(String direction, String channel, int id, String kind, Uint8List? payload) {
    if (isEnded || channel.isEmpty) {
      return;
    }
    final String hex = payload == null ? 'null' : '"${pwHex(payload)}"';
    final int sequence = _sequence;
    _sequence += 1;
    _write(
      '{"seq":$sequence,"t_us":${_microseconds()},"dir":"$direction"'
      ',"channel":${pwQuoted(channel)},"id":$id,"kind":"$kind","hex":$hex}\n',
    );
  }
}

const String _digits = '0123456789abcdef';

/// Bytes in lower-case hexadecimal.
String pwHex(Uint8List bytes) {
  final Uint8List text = Uint8List(bytes.length * 2);
  for (int index = 0; index < bytes.length; index++) {
    text[index * 2] = _digits.codeUnitAt(bytes[index] >> 4);
    text[index * 2 + 1] = _digits.codeUnitAt(bytes[index] & 15);
  }
  return ascii.decode(text);
}

/// A JSON string as recordings write it.
String pwQuoted(String text) {
  final StringBuffer quoted = StringBuffer('"');
  for (int index = 0; index < text.length; index++) {
    final int unit = text.codeUnitAt(index);
    if (unit == 0x22) {
      quoted.write(r'\"');
    } else if (unit == 0x5c) {
      quoted.write(r'\\');
    } else if (unit == 0x0a) {
      quoted.write(r'\n');
    } else if (unit == 0x0d) {
      quoted.write(r'\r');
    } else if (unit == 0x09) {
      quoted.write(r'\t');
    } else if (unit < 0x20 || unit == 0x7f) {
      quoted.write(r'\u00');
      quoted.write(_digits[unit >> 4]);
      quoted.write(_digits[unit & 15]);
    } else {
      quoted.writeCharCode(unit);
    }
  }
  quoted.write('"');
  return quoted.toString();
}
