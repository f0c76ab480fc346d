/// What a traversal tells, value by value in the order of the message. A list or map announces its
/// count and is followed by that many values (twice as many for a map), so no end needs telling.
///
/// Nothing is allocated for a value on the way; bytes are lent for the call only.
public protocol ValueVisitor {
  associatedtype Failure: Error = Never

  mutating func visitNull() throws(Failure)
  mutating func visit(bool: Bool) throws(Failure)
  mutating func visit(int32: Int32) throws(Failure)
  mutating func visit(int64: Int64) throws(Failure)
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(Failure)
  /// Bits rather than a `Double`: a signalling NaN must come through unchanged.
  mutating func visit(float64Bits: UInt64) throws(Failure)
  /// `isValidUTF8` is false where the bytes were not checked or are known to be ill-formed.
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(Failure)
  /// Little-endian elements.
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) throws(Failure)
  mutating func visit(listCount: Int) throws(Failure)
  mutating func visit(mapCount: Int) throws(Failure)
  /// An extension value; answer true to have its payload visited next, false to pass over it.
  mutating func visit(customType: UInt8, payload: () -> Value) throws(Failure) -> Bool
}

extension Value {
  /// Tells `visitor` this value and all it contains. Uses no stack space per level of nesting.
  @inlinable
  public func visit<Visitor: ValueVisitor>(
    with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    switch self {
    case .null: try visitor.visitNull()
    case .bool(let bool): try visitor.visit(bool: bool)
    case .int32(let number): try visitor.visit(int32: number)
    case .int64(let number): try visitor.visit(int64: number)
    case .float64(let number): try visitor.visit(float64Bits: number.bitPattern)
    case .largeInteger(let number):
      try number.text.withUTF8 { (text) throws(Visitor.Failure) in
        try visitor.visit(largeInteger: text)
      }
    case .string(let text):
      let isValid = text.isValidUTF8
      try text.withUTF8 { (utf8) throws(Visitor.Failure) in
        try visitor.visit(string: utf8, isValidUTF8: isValid)
      }
    case .uint8List(let list): try list.visit(with: &visitor)
    case .int32List(let list): try list.visit(with: &visitor)
    case .int64List(let list): try list.visit(with: &visitor)
    case .float32List(let list): try list.visit(with: &visitor)
    case .float64List(let list): try list.visit(with: &visitor)
    case .list(let list): try list.index.visit(from: list.node, with: &visitor)
    case .map(let map): try map.index.visit(from: map.node, with: &visitor)
    case .custom(let custom): try custom.index.visit(from: custom.node, with: &visitor)
    }
  }
}

extension Value.TypedList {
  @inlinable
  func visit<Visitor: ValueVisitor>(with visitor: inout Visitor) throws(Visitor.Failure) {
    try bytes.withUnsafeBytes { (bytes) throws(Visitor.Failure) in
      try visitor.visit(typedList: bytes, kind: Element.listKind)
    }
  }
}

extension MessageIndex {
  /// Tells `visitor` the value at `node` and all it contains.
  @inlinable
  func visit<Visitor: ValueVisitor>(
    from node: Int, with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    let end = next(after: node)
    precondition(node >= 0 && end <= wordCount)
    let isValidUTF8 = self.isValidUTF8
    // One scope around the whole walk: a closure per value costs more than the value.
    try self.bytes.withUnsafeBufferPointer { (message) throws(Visitor.Failure) in
      let bytes = UnsafeRawBufferPointer(message)
      try withUnsafeMutablePointerToElements { (words) throws(Visitor.Failure) in
        var position = node
        while position < end {
          let offset = Int(words[position])
          position += 1
          switch bytes[offset] {
          case 0: try visitor.visitNull()
          case 1: try visitor.visit(bool: true)
          case 2: try visitor.visit(bool: false)
          case 3:
            try visitor.visit(
              int32: bytes.loadUnaligned(fromByteOffset: offset &+ 1, as: Int32.self))
          case 4:
            try visitor.visit(
              int64: bytes.loadUnaligned(fromByteOffset: offset &+ 1, as: Int64.self))
          case 5:
            try visitor.visit(largeInteger: bytes.sized(at: offset &+ 1, alignment: 1))
          case 6:
            let start = (offset &+ 1).aligned(to: 8)
            try visitor.visit(
              float64Bits: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
          case 7:
            try visitor.visit(
              string: bytes.sized(at: offset &+ 1, alignment: 1), isValidUTF8: isValidUTF8)
          case 8:
            try visitor.visit(
              typedList: bytes.sized(at: offset &+ 1, alignment: 1), kind: .uint8)
          case 9:
            try visitor.visit(
              typedList: bytes.sized(at: offset &+ 1, alignment: 4), kind: .int32)
          case 10:
            try visitor.visit(
              typedList: bytes.sized(at: offset &+ 1, alignment: 8), kind: .int64)
          case 11:
            try visitor.visit(
              typedList: bytes.sized(at: offset &+ 1, alignment: 8), kind: .float64)
          case 14:
            try visitor.visit(
              typedList: bytes.sized(at: offset &+ 1, alignment: 4), kind: .float32)
          case 12:
            try visitor.visit(listCount: Int(words[position &+ 1]))
            position &+= 2
          case 13:
            try visitor.visit(mapCount: Int(words[position &+ 1]))
            position &+= 2
          case let type:
            let after = Int(words[position])
            let payload = position &+ 2
            let isVisited = try visitor.visit(customType: type) { self.value(at: payload) }
            position = isVisited ? payload : after
          }
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes behind the size field at `offset`; `alignment` is also the width of an element.
  @inlinable
  func sized(at offset: Int, alignment: Int) -> UnsafeRawBufferPointer {
    let size = WireSize.read(self, at: offset)
    let start = size.end.aligned(to: alignment)
    return UnsafeRawBufferPointer(rebasing: self[start..<start + size.value * alignment])
  }
}
