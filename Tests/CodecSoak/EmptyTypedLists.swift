import ChannelCodec

extension Value {
  /// Whether there is an empty typed list in it whose elements would be aligned. Windows writes
  /// no padding behind one and reads padding all the same: it cannot read what it wrote.
  var hasEmptyAlignedList: Bool {
    var finder = Finder()
    visit(with: &finder)
    return finder.isFound
  }

  private struct Finder: ValueVisitor {
    var isFound = false

    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      if typedList.isEmpty && kind.width > 1 { isFound = true }
    }

    mutating func visitNull() {}
    mutating func visit(bool: Bool) {}
    mutating func visit(int32: Int32) {}
    mutating func visit(int64: Int64) {}
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {}
    mutating func visit(float64Bits: UInt64) {}
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {}
    mutating func visit(listCount: Int) {}
    mutating func visit(mapCount: Int) {}
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool { true }
  }
}
