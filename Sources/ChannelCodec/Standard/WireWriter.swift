/// Where written bytes go: counted, appended, or put into memory of the exact size.
protocol WireSink {
  /// Bytes so far, from byte 0 of the message: what alignment is reckoned from.
  var position: Int { get }
  mutating func put(_ byte: UInt8)
  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number)
  mutating func put(_ bytes: UnsafeRawBufferPointer)
  mutating func putZeros(_ count: Int)
}

extension WireSink {
  /// Writes a size field in its shortest form.
  mutating func putSize(_ size: Int) {
    if size <= WireSize.largestShort {
      put(UInt8(truncatingIfNeeded: size))
    } else if size <= 0xffff {
      put(WireSize.twoByteMark)
      put(littleEndian: UInt16(truncatingIfNeeded: size))
    } else {
      put(WireSize.fourByteMark)
      put(littleEndian: UInt32(truncatingIfNeeded: size))
    }
  }

  mutating func align(to alignment: Int) {
    let padding = position.aligned(to: alignment) &- position
    if padding > 0 { putZeros(padding) }
  }
}

/// Writes values as they are, in canonical form: shortest sizes, zero padding, also behind the size
/// of an empty typed list.
struct WireWriter<Sink: WireSink>: ValueVisitor {
  var sink: Sink

  mutating func visitNull() { sink.put(WireType.null.rawValue) }
  mutating func visit(bool: Bool) {
    sink.put(bool ? WireType.true.rawValue : WireType.false.rawValue)
  }
  mutating func visit(int32: Int32) {
    sink.put(WireType.int32.rawValue)
    sink.put(littleEndian: int32)
  }
  mutating func visit(int64: Int64) {
    sink.put(WireType.int64.rawValue)
    sink.put(littleEndian: int64)
  }
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
    sink.put(WireType.largeInteger.rawValue)
    sink.putSize(text.count)
    sink.put(text)
  }
  mutating func visit(float64Bits: UInt64) {
    sink.put(WireType.float64.rawValue)
    sink.align(to: 8)
    sink.put(littleEndian: float64Bits)
  }
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
    sink.put(WireType.string.rawValue)
    sink.putSize(string.count)
    sink.put(string)
  }
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
    sink.put(kind.rawValue)
    sink.putSize(typedList.count / kind.width)
    sink.align(to: kind.width)
    sink.put(typedList)
  }
  mutating func visit(listCount: Int) {
    sink.put(WireType.list.rawValue)
    sink.putSize(listCount)
  }
  mutating func visit(mapCount: Int) {
    sink.put(WireType.map.rawValue)
    sink.putSize(mapCount)
  }
  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    sink.put(customType)
    return true
  }
}
