/// Flutter's standard message codec in plain Dart, as Protocol/codec.md describes it and with the
/// behaviour of its profile `dart`: the same bytes, and the same kinds of exceptions for bytes
/// that are wrong.
library;

import 'dart:convert';
import 'dart:typed_data';

/// The type bytes of Protocol/codec.md, section 2.
abstract final class PwType {
  static const int null_ = 0;
  static const int true_ = 1;
  static const int false_ = 2;
  static const int int32 = 3;
  static const int int64 = 4;
  static const int largeInt = 5;
  static const int float64 = 6;
  static const int string = 7;
  static const int uint8List = 8;
  static const int int32List = 9;
  static const int int64List = 10;
  static const int float64List = 11;
  static const int list = 12;
  static const int map = 13;
  static const int float32List = 14;
}

/// How sizes are written.
abstract final class PwSizeForm {
  /// The largest size in one byte.
  static const int byteMax = 253;

  /// Stands in front of a size of 16 bits.
  static const int wordMark = 254;
  static const int wordMax = 65535;

  /// Stands in front of a size of 32 bits.
  static const int longMark = 255;
  static const int longMax = 4294967295;
}

/// Puts a message together. Alignment counts from its first byte.
class PwWriter {
  Uint8List _bytes = Uint8List(64);
  int _length = 0;

  void _reserve(int count) {
    if (_length + count <= _bytes.length) {
      return;
    }
    int capacity = _bytes.length * 2;
    while (capacity < _length + count) {
      capacity *= 2;
    }
    final Uint8List larger = Uint8List(capacity);
    larger.setRange(0, _length, _bytes);
    _bytes = larger;
  }

  /// The message so far. The writer must not be used afterwards.
  Uint8List take() => Uint8List.sublistView(_bytes, 0, _length);

  void byte(int value) {
    _reserve(1);
    _bytes[_length] = value;
    _length += 1;
  }

  void bytes(Uint8List value) {
    _reserve(value.length);
    _bytes.setRange(_length, _length + value.length, value);
    _length += value.length;
  }

  /// Zeros up to a multiple of [width].
  void pad(int width) {
    while (_length % width != 0) {
      byte(0);
    }
  }

  void size(int value) {
    if (value <= PwSizeForm.byteMax) {
      byte(value);
    } else if (value <= PwSizeForm.wordMax) {
      byte(PwSizeForm.wordMark);
      byte(value & 0xff);
      byte(value >> 8);
    } else {
      if (value > PwSizeForm.longMax) {
        throw ArgumentError.value(value, 'size', 'more than 32 bits hold');
      }
      byte(PwSizeForm.longMark);
      for (int shift = 0; shift < 32; shift += 8) {
        byte((value >> shift) & 0xff);
      }
    }
  }

  void text(String value) {
    byte(PwType.string);
    final Uint8List encoded = utf8.encode(value);
    size(encoded.length);
    bytes(encoded);
  }

  void _number(int width, void Function(ByteData data) write) {
    final ByteData data = ByteData(width);
    write(data);
    bytes(Uint8List.sublistView(data));
  }

  void _integer(int value) {
    if (value >= -0x80000000 && value <= 0x7fffffff) {
      byte(PwType.int32);
      _number(4, (ByteData data) => data.setInt32(0, value, Endian.little));
    } else {
      byte(PwType.int64);
      _number(8, (ByteData data) => data.setInt64(0, value, Endian.little));
    }
  }

  void _typedList(int type, int length, int width, TypedData value) {
    byte(type);
    size(length);
    pad(width);
    bytes(Uint8List.sublistView(value));
  }

  /// One value with its type byte.
  ///
  /// Throws an [ArgumentError] for an object that has no wire type.
  void value(Object? value) {
    if (value == null) {
      byte(PwType.null_);
    } else if (value is bool) {
      byte(value ? PwType.true_ : PwType.false_);
    } else if (value is double) {
      byte(PwType.float64);
      pad(8);
      _number(8, (ByteData data) => data.setFloat64(0, value, Endian.little));
    } else if (value is int) {
      _integer(value);
    } else if (value is String) {
      text(value);
    } else if (value is Uint8List) {
      byte(PwType.uint8List);
      size(value.length);
      bytes(value);
    } else if (value is Int32List) {
      _typedList(PwType.int32List, value.length, 4, value);
    } else if (value is Int64List) {
      _typedList(PwType.int64List, value.length, 8, value);
    } else if (value is Float32List) {
      _typedList(PwType.float32List, value.length, 4, value);
    } else if (value is Float64List) {
      _typedList(PwType.float64List, value.length, 8, value);
    } else if (value is List<Object?>) {
      byte(PwType.list);
      size(value.length);
      for (final Object? item in value) {
        this.value(item);
      }
    } else if (value is Map<Object?, Object?>) {
      byte(PwType.map);
      size(value.length);
      for (final MapEntry<Object?, Object?> entry in value.entries) {
        this.value(entry.key);
        this.value(entry.value);
      }
    } else {
      throw ArgumentError.value(value, 'value', 'has no type in the standard codec');
    }
  }
}

/// Takes a message apart.
///
/// Typed lists are views on the message where it lies at a multiple of their element's width in
/// its buffer, and copies otherwise.
class PwReader {
  PwReader(this._bytes) : _data = ByteData.sublistView(_bytes);

  final Uint8List _bytes;
  final ByteData _data;
  int _position = 0;

  bool get hasMore => _position < _bytes.length;

  static const FormatException _corrupted = FormatException('Message corrupted');

  /// The start of the next [count] bytes, which are passed.
  int _take(int count) {
    final int start = _position;
    if (count > _bytes.length - start) {
      throw RangeError.range(start + count, 0, _bytes.length, 'end');
    }
    _position = start + count;
    return start;
  }

  int byte() => _bytes[_take(1)];

  void _align(int width) {
    final int rest = _position % width;
    if (rest != 0) {
      _take(width - rest);
    }
  }

  int size() {
    final int first = byte();
    if (first == PwSizeForm.wordMark) {
      return _data.getUint16(_take(2), Endian.little);
    }
    if (first == PwSizeForm.longMark) {
      return _data.getUint32(_take(4), Endian.little);
    }
    return first;
  }

  Uint8List _byteList(int length) {
    final int start = _take(length);
    return Uint8List.sublistView(_bytes, start, start + length);
  }

  /// The bytes of a typed list, lying where a view on them is allowed.
  Uint8List _elements(int width) {
    final int length = size();
    _align(width);
    final Uint8List bytes = _byteList(length * width);
    return bytes.offsetInBytes % width == 0 ? bytes : Uint8List.fromList(bytes);
  }

  /// One value with its type byte.
  ///
  /// Throws a [FormatException] or a [RangeError], as Flutter's codec does in the same place.
  Object? value() {
    if (!hasMore) {
      throw _corrupted;
    }
    final int type = byte();
    switch (type) {
      case PwType.null_:
        return null;
      case PwType.true_:
        return true;
      case PwType.false_:
        return false;
      case PwType.int32:
        return _data.getInt32(_take(4), Endian.little);
      case PwType.int64:
        return _data.getInt64(_take(8), Endian.little);
      case PwType.float64:
        _align(8);
        return _data.getFloat64(_take(8), Endian.little);
      case PwType.largeInt:
      case PwType.string:
        return utf8.decode(_byteList(size()));
      case PwType.uint8List:
        return _byteList(size());
      case PwType.int32List:
        return Int32List.sublistView(_elements(4));
      case PwType.int64List:
        return Int64List.sublistView(_elements(8));
      case PwType.float32List:
        return Float32List.sublistView(_elements(4));
      case PwType.float64List:
        return Float64List.sublistView(_elements(8));
      case PwType.list:
        return _list();
      case PwType.map:
        return _map();
      default:
        throw _corrupted;
    }
  }

  List<Object?> _list() {
    final int length = size();
    if (length > 0x7fffffff) {
      throw RangeError.range(length, 0, 0x7fffffff, 'length');
    }
    if (length > _bytes.length - _position) {
      // There is not a byte for each element, so that reading on must fail: only how is open.
      // No memory is taken on the word of a size.
      while (true) {
        value();
      }
    }
    final List<Object?> list = List<Object?>.filled(length, null);
    for (int index = 0; index < length; index++) {
      list[index] = value();
    }
    return list;
  }

  Map<Object?, Object?> _map() {
    final int length = size();
    final Map<Object?, Object?> map = <Object?, Object?>{};
    for (int index = 0; index < length; index++) {
      final Object? key = value();
      map[key] = value();
    }
    return map;
  }
}

/// The standard message codec: one value a message.
class PwStandardMessageCodec {
  const PwStandardMessageCodec();

  /// The bytes of a value. Null alone is no message.
  Uint8List? encode(Object? value) {
    if (value == null) {
      return null;
    }
    final PwWriter writer = PwWriter();
    writer.value(value);
    return writer.take();
  }

  /// The value in a message; null for no message.
  ///
  /// Throws a [FormatException] or a [RangeError].
  Object? decode(Uint8List? message) {
    if (message == null) {
      return null;
    }
    final PwReader reader = PwReader(message);
    final Object? value = reader.value();
    if (reader.hasMore) {
      throw PwReader._corrupted;
    }
    return value;
  }
}
