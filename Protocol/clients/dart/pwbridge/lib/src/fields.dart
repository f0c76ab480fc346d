/// The text in hello, error, log and bye frames: lines `name=value`, see Protocol/frames.md.
library;

import 'dart:convert';
import 'dart:typed_data';

const int _newline = 0x0a;
const int _carriageReturn = 0x0d;
const int _nul = 0;
const int _backslash = 0x5c;

/// Writes fields in the order of the map.
Uint8List encodePwFields(Map<String, String> fields) {
  final StringBuffer text = StringBuffer();
  for (final MapEntry<String, String> field in fields.entries) {
    text.write(field.key);
    text.write('=');
    text.write(_escaped(field.value));
    text.write('\n');
  }
  return utf8.encode(text.toString());
}

String _escaped(String value) {
  return value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\u0000', '\\0');
}

/// Reads fields; of a name that repeats, the last counts.
///
/// Throws a [FormatException] where the text is none.
Map<String, String> decodePwFields(Uint8List payload) {
  final Map<String, String> fields = <String, String>{};
  if (payload.isEmpty) {
    return fields;
  }
  // Looked at as bytes: utf8.decode would take a byte order mark away from the first name.
  if (payload[payload.length - 1] != _newline) {
    throw const FormatException('the last line lacks its newline');
  }
  int start = 0;
  while (start < payload.length) {
    final int end = payload.indexOf(_newline, start);
    final int equals = payload.indexOf(0x3d, start);
    if (equals <= start || equals > end) {
      throw const FormatException('a line is no name=value');
    }
    for (int index = start; index < equals; index++) {
      if (!_isNameByte(payload[index])) {
        throw const FormatException('a name may have a-z, 0-9, - and . only');
      }
    }
    final String name = String.fromCharCodes(payload, start, equals);
    fields[name] = _unescaped(payload, equals + 1, end);
    start = end + 1;
  }
  return fields;
}

bool _isNameByte(int byte) {
  return (byte >= 0x61 && byte <= 0x7a) ||
      (byte >= 0x30 && byte <= 0x39) ||
      byte == 0x2d ||
      byte == 0x2e;
}

String _unescaped(Uint8List payload, int start, int end) {
  final BytesBuilder value = BytesBuilder();
  int index = start;
  while (index < end) {
    int byte = payload[index];
    if (byte == _carriageReturn || byte == _nul) {
      throw const FormatException('a carriage return or NUL that is not escaped');
    }
    if (byte == _backslash) {
      index += 1;
      byte = _escapedByte(index < end ? payload[index] : _nul);
    }
    value.addByte(byte);
    index += 1;
  }
  return utf8.decode(value.takeBytes());
}

int _escapedByte(int letter) {
  switch (letter) {
    case 0x6e:
      return _newline;
    case 0x72:
      return _carriageReturn;
    case 0x30:
      return _nul;
    case _backslash:
      return _backslash;
    default:
      throw const FormatException('behind a backslash stands n, r, 0 or a backslash');
  }
}
