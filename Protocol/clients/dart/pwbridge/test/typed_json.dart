/// Typed JSON (Protocol/codec.md, section 9) for Dart values.
library;

import 'dart:typed_data';

import 'package:pwbridge/recording.dart' show pwHex;

import 'support.dart';

/// A value that has no form in Dart, so that the codec must refuse it.
class NoDartValue {
  const NoDartValue(this.type);

  final String type;
}

/// The value or the filled-in big value of a vector.
Object? filled(Map<String, Object?> from) {
  final Object? fill = from['value_fill'];
  return fill == null ? from['value'] : _filled(fill as Map<String, Object?>);
}

Object? _filled(Map<String, Object?> fill) {
  final String type = fill.keys.single;
  if (type == 'method' || type == 'args' || fill.length > 1) {
    throw ArgumentError.value(fill, 'fill');
  }
  final Object? content = fill[type];
  if (type == 'map_int_keys') {
    return <String, Object?>{
      'map': <Object?>[
        for (int key = 0; key < (content! as int); key++)
          <Object?>[
            <String, Object?>{'int32': key},
            <String, Object?>{'null': null},
          ],
      ],
    };
  }
  final List<Object?> parts = content! as List<Object?>;
  final int count = parts.last! as int;
  switch (type) {
    case 'string':
      return <String, Object?>{type: (parts[0]! as String) * count};
    case 'uint8list':
      return <String, Object?>{type: (parts[0]! as String) * count};
    case 'map':
      return <String, Object?>{
        type: <Object?>[
          for (int index = 0; index < count; index++) <Object?>[parts[0], parts[1]],
        ],
      };
    case 'nested_list':
      Object? value = parts[0];
      for (int index = 0; index < count; index++) {
        value = <String, Object?>{
          'list': <Object?>[value],
        };
      }
      return value;
    default:
      return <String, Object?>{
        type: <Object?>[for (int index = 0; index < count; index++) parts[0]],
      };
  }
}

/// Typed JSON of a value. Doubles are told by their bits, so that NaNs compare.
Object? typedJson(Object? value) {
  if (value == null) {
    return <String, Object?>{'null': null};
  }
  if (value is bool) {
    return <String, Object?>{'bool': value};
  }
  if (value is double) {
    return <String, Object?>{'float64': _float(value, 8)};
  }
  if (value is int) {
    return value >= -0x80000000 && value <= 0x7fffffff
        ? <String, Object?>{'int32': value}
        : <String, Object?>{'int64': '$value'};
  }
  if (value is String) {
    return <String, Object?>{'string': value};
  }
  if (value is Uint8List) {
    return <String, Object?>{'uint8list': pwHex(value)};
  }
  if (value is Int32List) {
    return <String, Object?>{'int32list': value.toList()};
  }
  if (value is Int64List) {
    return <String, Object?>{
      'int64list': <Object?>[for (final int item in value) '$item'],
    };
  }
  if (value is Float32List) {
    final Int32List bits = Int32List.sublistView(value);
    return <String, Object?>{
      'float32list': <Object?>[
        for (int index = 0; index < value.length; index++)
          value[index].isNaN ? _nanBits(bits[index] & 0xffffffff, 4) : _float(value[index], 4),
      ],
    };
  }
  if (value is Float64List) {
    return <String, Object?>{
      'float64list': <Object?>[for (final double item in value) _float(item, 8)],
    };
  }
  if (value is List<Object?>) {
    return <String, Object?>{
      'list': <Object?>[for (final Object? item in value) typedJson(item)],
    };
  }
  final Map<Object?, Object?> map = value as Map<Object?, Object?>;
  return <String, Object?>{
    'map': <Object?>[
      for (final MapEntry<Object?, Object?> entry in map.entries)
        <Object?>[typedJson(entry.key), typedJson(entry.value)],
    ],
  };
}

/// Typed JSON as [typedJson] writes it: a number that is given by its bits may have another form.
Object? normalized(Object? json) {
  if (json is List<Object?>) {
    return <Object?>[for (final Object? item in json) normalized(item)];
  }
  if (json is! Map<String, Object?>) {
    return json;
  }
  final MapEntry<String, Object?> entry = json.entries.first;
  final Object? content = entry.value;
  switch (entry.key) {
    case 'float64':
      return <String, Object?>{'float64': _sameFloat(content, 8)};
    case 'float64list':
      return <String, Object?>{
        'float64list': <Object?>[
          for (final Object? item in content! as List<Object?>) _sameFloat(item, 8),
        ],
      };
    case 'float32list':
      return <String, Object?>{
        'float32list': <Object?>[
          for (final Object? item in content! as List<Object?>) _sameFloat(item, 4),
        ],
      };
    case 'list' || 'map':
      return <String, Object?>{entry.key: normalized(content)};
    default:
      return json;
  }
}

Object _sameFloat(Object? json, int width) {
  final double value = _number(json);
  return value.isNaN ? json! : _float(value, width);
}

Object _float(double value, int width) {
  if (value.isNaN) {
    final ByteData data = ByteData(8)..setFloat64(0, value);
    return _nanBits(data.getInt64(0), 8);
  }
  if (value.isInfinite) {
    return value.isNegative ? '-inf' : 'inf';
  }
  if (value == 0 && value.isNegative) {
    return '-0.0';
  }
  return value;
}

Object _nanBits(int bits, int width) {
  if (bits == (width == 8 ? 0x7ff8000000000000 : 0x7fc00000)) {
    return 'nan';
  }
  final String high = (bits >> 32 & 0xffffffff).toRadixString(16).padLeft(8, '0');
  final String low = (bits & 0xffffffff).toRadixString(16).padLeft(8, '0');
  return width == 8 ? '0x$high$low' : '0x$low';
}

double _number(Object? json) {
  if (json is num) {
    return json.toDouble();
  }
  switch (json) {
    case 'nan':
      return double.nan;
    case 'inf':
      return double.infinity;
    case '-inf':
      return double.negativeInfinity;
    case '-0.0':
      return -0.0;
    default:
      final String digits = (json! as String).substring(2);
      final ByteData data = ByteData.sublistView(unhex(digits));
      return digits.length == 16 ? data.getFloat64(0) : data.getFloat32(0);
  }
}

/// The Dart value of typed JSON.
Object? fromTypedJson(Object? json) {
  final Map<String, Object?> value = json! as Map<String, Object?>;
  final String type = value.keys.single;
  final Object? content = value[type];
  switch (type) {
    case 'null':
      return null;
    case 'bool' || 'int32' || 'string':
      return content;
    case 'int64':
      return int.parse(content! as String);
    case 'float64':
      return _number(content);
    case 'uint8list':
      return unhex(content! as String);
    case 'string_hex':
      return _loneSurrogates(unhex(content! as String));
    case 'int32list':
      return Int32List.fromList((content! as List<Object?>).cast<int>());
    case 'int64list':
      return Int64List.fromList(<int>[
        for (final Object? item in content! as List<Object?>) int.parse(item! as String),
      ]);
    case 'float32list':
      final List<Object?> items = content! as List<Object?>;
      final Float32List list = Float32List(items.length);
      final Uint8List bytes = Uint8List.sublistView(list);
      for (int index = 0; index < items.length; index++) {
        final Object? item = items[index];
        if (item is String && item.startsWith('0x')) {
          // Through a double, a signalling NaN would change.
          final Uint8List bits = unhex(item.substring(2));
          for (int part = 0; part < 4; part++) {
            bytes[index * 4 + part] = bits[3 - part];
          }
        } else {
          list[index] = _number(item);
        }
      }
      return list;
    case 'float64list':
      return Float64List.fromList(<double>[
        for (final Object? item in content! as List<Object?>) _number(item),
      ]);
    case 'list':
      return <Object?>[for (final Object? item in content! as List<Object?>) fromTypedJson(item)];
    case 'map':
      // A list of pairs in the order of the wire; a key that repeats keeps its last value.
      final Map<Object?, Object?> map = <Object?, Object?>{};
      for (final Object? pair in content! as List<Object?>) {
        final List<Object?> parts = pair! as List<Object?>;
        map[fromTypedJson(parts[0])] = fromTypedJson(parts[1]);
      }
      return map;
    default:
      return NoDartValue(type);
  }
}

/// A string of what UTF-8 cannot hold: three-byte forms become single code units.
String _loneSurrogates(Uint8List bytes) {
  final StringBuffer text = StringBuffer();
  int index = 0;
  while (index < bytes.length) {
    final int byte = bytes[index];
    if (byte < 0x80) {
      text.writeCharCode(byte);
      index += 1;
    } else {
      text.writeCharCode(
        (byte & 15) << 12 | (bytes[index + 1] & 63) << 6 | (bytes[index + 2] & 63),
      );
      index += 3;
    }
  }
  return text.toString();
}
