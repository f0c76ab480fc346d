// https://api.dart.dev/dart-typed_data/dart-typed_data-library.html

class ByteBuffer {}

class TypedData {
  int get lengthInBytes;
  int get offsetInBytes;
  ByteBuffer get buffer;
}

class Endian {
  static const Endian big = Endian();
  static const Endian little = Endian();
}

class Uint8List extends List<int> implements TypedData {
  factory Uint8List(int length);
  factory Uint8List.fromList(List<int> elements);
  factory Uint8List.sublistView(TypedData data, [int start = 0, int? end]);
  Uint8List sublist(int start, [int? end]);
}

class Int32List extends List<int> implements TypedData {
  factory Int32List.fromList(List<int> elements);
  factory Int32List.sublistView(TypedData data, [int start = 0, int? end]);
}

class Int64List extends List<int> implements TypedData {
  factory Int64List.fromList(List<int> elements);
  factory Int64List.sublistView(TypedData data, [int start = 0, int? end]);
}

class Float32List extends List<double> implements TypedData {
  factory Float32List(int length);
  factory Float32List.sublistView(TypedData data, [int start = 0, int? end]);
}

class Float64List extends List<double> implements TypedData {
  factory Float64List.fromList(List<double> elements);
  factory Float64List.sublistView(TypedData data, [int start = 0, int? end]);
}

class ByteData implements TypedData {
  factory ByteData(int length);
  factory ByteData.sublistView(TypedData data, [int start = 0, int? end]);
  int getUint8(int byteOffset);
  int getUint16(int byteOffset, [Endian endian = Endian.big]);
  int getUint32(int byteOffset, [Endian endian = Endian.big]);
  int getInt32(int byteOffset, [Endian endian = Endian.big]);
  int getInt64(int byteOffset, [Endian endian = Endian.big]);
  double getFloat32(int byteOffset, [Endian endian = Endian.big]);
  double getFloat64(int byteOffset, [Endian endian = Endian.big]);
  void setUint8(int byteOffset, int value);
  void setUint16(int byteOffset, int value, [Endian endian = Endian.big]);
  void setUint32(int byteOffset, int value, [Endian endian = Endian.big]);
  void setInt32(int byteOffset, int value, [Endian endian = Endian.big]);
  void setInt64(int byteOffset, int value, [Endian endian = Endian.big]);
  void setFloat64(int byteOffset, double value, [Endian endian = Endian.big]);
}

class BytesBuilder {
  factory BytesBuilder({bool copy = true});
  void add(List<int> bytes);
  void addByte(int byte);
  Uint8List takeBytes();
}
