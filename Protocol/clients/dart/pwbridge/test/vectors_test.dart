// Protocol/vectors through the codec, with what the profile `dart` makes of them.

import 'dart:convert';
import 'dart:io';
import 'dart:typed_data';

import 'package:pwbridge/pwbridge.dart';
import 'package:test/test.dart';

import 'support.dart';
import 'typed_json.dart';

Uint8List? _payload(Map<String, Object?> from) {
  if (from.containsKey('hex_parts')) {
    final BytesBuilder bytes = BytesBuilder();
    for (final Object? part in from['hex_parts']! as List<Object?>) {
      final List<Object?> pair = part! as List<Object?>;
      bytes.add(repeated(unhex(pair[0]! as String), pair[1]! as int));
    }
    return bytes.takeBytes();
  }
  final Object? hex = from['hex'];
  return hex == null ? null : unhex(hex as String);
}

/// What the codec makes of a payload, as typed JSON, or the name of the exception.
Object? _decoded(String codec, Uint8List? payload) {
  const PwStandardMethodCodec methods = PwStandardMethodCodec();
  try {
    if (codec == 'message') {
      final Object? value = const PwStandardMessageCodec().decode(payload);
      return payload == null ? null : typedJson(value);
    }
    if (codec == 'call') {
      final PwMethodCall call = methods.decodeMethodCall(payload);
      return <String, Object?>{'method': call.method, 'args': typedJson(call.arguments)};
    }
    if (payload == null) {
      return null;
    }
    return <String, Object?>{'success': typedJson(methods.decodeEnvelope(payload))};
  } on PwPlatformException catch (error) {
    return <String, Object?>{
      'error': <String, Object?>{
        'code': error.code,
        'message': error.message,
        'details': typedJson(error.details),
        if (error.stacktrace != null) 'stacktrace': error.stacktrace,
      },
    };
  } on FormatException {
    return 'FormatException';
  } on RangeError {
    return 'RangeError';
  } on TypeError {
    return 'TypeError';
  } on ArgumentError {
    return 'ArgumentError';
  }
}

/// What is expected, in the form that [_decoded] gives.
Object? _expected(Object? value) {
  if (value is! Map<String, Object?>) {
    return value;
  }
  final Map<String, Object?> found = <String, Object?>{};
  for (final MapEntry<String, Object?> entry in value.entries) {
    final Object? content = entry.value;
    if (entry.key == 'stacktrace' && content == null) {
      // A field that holds null and none at all are the same in Dart.
      continue;
    }
    found[entry.key] = content is Map<String, Object?> && entry.key == 'error'
        ? _expected(content)
        : content is Map<String, Object?>
            ? normalized(content)
            : content;
  }
  return value.length == 1 && !value.containsKey('error') && !value.containsKey('success')
      ? normalized(value)
      : found;
}

String _exception(Object? error) => (error! as String).split('(').first;

void main() {
  final List<File> files = <File>[
    for (final FileSystemEntity file in Directory('${protocol.path}/vectors').listSync())
      if (file is File && file.path.endsWith('.json') && !file.path.endsWith('schema.json')) file,
  ];

  for (final File file in files) {
    final Map<String, Object?> area =
        jsonDecode(file.readAsStringSync()) as Map<String, Object?>;
    test(file.uri.pathSegments.last, () {
      for (final Object? item in area['vectors']! as List<Object?>) {
        final Map<String, Object?> vector = item! as Map<String, Object?>;
        final String codec = vector['codec']! as String;
        if (!<String>['message', 'call', 'envelope'].contains(codec) ||
            vector.containsKey('extensions') ||
            _isLeftOut(vector)) {
          continue;
        }
        final Map<String, Object?> profiles =
            (vector['profiles'] ?? <String, Object?>{}) as Map<String, Object?>;
        final Map<String, Object?> dart =
            (profiles['dart'] ?? <String, Object?>{}) as Map<String, Object?>;
        _check(vector, codec, dart);
      }
    });
  }
}

/// With `PWBRIDGE_QUICK` set, lists and maps of many elements are left out.
bool _isLeftOut(Map<String, Object?> vector) {
  final Object? fill = vector['value_fill'];
  if (fill == null || !Platform.environment.containsKey('PWBRIDGE_QUICK')) {
    return false;
  }
  final MapEntry<String, Object?> entry = (fill as Map<String, Object?>).entries.first;
  final Object? content = entry.value;
  final Object? count = content is List<Object?> ? content.last : content;
  return entry.key != 'string' && count is int && count > 600;
}

void _check(Map<String, Object?> vector, String codec, Map<String, Object?> dart) {
  final String id = vector['id']! as String;
  final String direction = vector['direction']! as String;
  final Map<String, Object?> decode = (dart['decode'] ?? vector) as Map<String, Object?>;
  if (direction != 'encode' && !decode.containsKey('unspecified')) {
    final Object? found = _decoded(codec, _payload(vector));
    if (decode['error'] is String) {
      expect(found, _exception(decode['error']), reason: id);
    } else {
      expect(found, _expected(filled(decode)), reason: id);
    }
  }
  final Map<String, Object?> encode = (dart['encode'] ?? vector) as Map<String, Object?>;
  if (direction == 'decode' ||
      encode.containsKey('unspecified') ||
      encode['error'] == 'no such field' ||
      encode['error'] == 'no such value') {
    return;
  }
  if (encode['error'] is String) {
    expect(() => _encoded(codec, filled(vector)), throwsArgumentError, reason: id);
  } else if (!encode.containsKey('error')) {
    final Uint8List? bytes = _encoded(codec, filled(vector));
    final Uint8List? expected = _payload(encode);
    expect(bytes, expected, reason: id);
  }
}

Uint8List? _encoded(String codec, Object? value) {
  const PwStandardMethodCodec methods = PwStandardMethodCodec();
  if (codec == 'message') {
    return value == null ? null : const PwStandardMessageCodec().encode(fromTypedJson(value));
  }
  final Map<String, Object?>? fields = value as Map<String, Object?>?;
  if (fields == null) {
    return null;
  }
  if (codec == 'call') {
    return methods.encodeMethodCall(
      PwMethodCall(fields['method']! as String, fromTypedJson(fields['args'])),
    );
  }
  if (fields.containsKey('success')) {
    return methods.encodeSuccessEnvelope(fromTypedJson(fields['success']));
  }
  final Map<String, Object?> error = fields['error']! as Map<String, Object?>;
  return methods.encodeErrorEnvelope(
    code: error['code']! as String,
    message: error['message'] as String?,
    details: fromTypedJson(error['details']),
  );
}
