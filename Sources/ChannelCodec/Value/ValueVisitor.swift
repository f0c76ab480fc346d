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
  @inlinable @inline(__always)
  public func visit<Visitor: ValueVisitor>(
    with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    // The commonest result and argument of all is not worth a call.
    if case .null = self { return try visitor.visitNull() }
    try visitOther(with: &visitor)
  }

  @inlinable
  func visitOther<Visitor: ValueVisitor>(
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
    case .list(let list): try list.source.visit(from: list.node, with: &visitor)
    case .map(let map): try map.source.visit(from: map.node, with: &visitor)
    case .custom(let custom): try custom.source.visit(from: custom.node, with: &visitor)
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

extension MessageSource {
  /// Tells `visitor` the value at `node` and all it contains.
  @inlinable
  func visit<Visitor: ValueVisitor>(
    from node: Int, with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    switch self {
    case .small(let message):
      try message.withUnsafeBufferPointer { (message) throws(Visitor.Failure) in
        try UnsafeRawBufferPointer(message).visit(from: node, with: &visitor)
      }
    case .indexed(let index): try index.visit(from: node, with: &visitor)
    }
  }
}

extension MessageIndex {
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
          let type = bytes[offset]
          switch type {
          case 12:
            try visitor.visit(listCount: Int(words[position &+ 2]))
            position &+= MessageIndex.containerWords
          case 13:
            try visitor.visit(mapCount: Int(words[position &+ 2]))
            position &+= MessageIndex.containerWords
          case 15...:
            let payload = position &+ MessageIndex.containerWords
            let isVisited = try visitor.visit(customType: type) {
              MessageSource.indexed(self).value(at: payload)
            }
            position = isVisited ? payload : Int(words[position &+ 1])
          default:
            _ = try bytes.visitLeaf(
              at: offset, type: type, isValidUTF8: isValidUTF8, with: &visitor)
            position &+= 1
          }
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Tells `visitor` the value at `offset` of a small message. One counter does for all nesting:
  /// the values that are still to come.
  @inlinable
  func visit<Visitor: ValueVisitor>(
    from offset: Int, with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    var position = offset
    var remaining = 1
    while remaining > 0 {
      remaining &-= 1
      let type = self[position]
      switch type {
      case 12:
        let size = WireSize.read(self, at: position &+ 1)
        try visitor.visit(listCount: size.value)
        position = size.end
        remaining &+= size.value
      case 13:
        let size = WireSize.read(self, at: position &+ 1)
        try visitor.visit(mapCount: size.value)
        position = size.end
        remaining &+= size.value &* 2
      case 15...:
        let payload = position &+ 1
        let isVisited = try visitor.visit(customType: type) {
          MessageSource.small(Array(self)).value(at: payload)
        }
        position = isVisited ? payload : end(ofValueAt: payload)
        remaining &+= isVisited ? 1 : 0
      default:
        position = try visitLeaf(at: position, type: type, isValidUTF8: true, with: &visitor)
      }
    }
  }

  /// Tells `visitor` the value without contents at `offset`; answers with the offset behind it.
  @inlinable @inline(__always)
  func visitLeaf<Visitor: ValueVisitor>(
    at offset: Int, type: UInt8, isValidUTF8: Bool, with visitor: inout Visitor
  ) throws(Visitor.Failure) -> Int {
    switch type {
    case 0:
      try visitor.visitNull()
      return offset &+ 1
    case 1:
      try visitor.visit(bool: true)
      return offset &+ 1
    case 2:
      try visitor.visit(bool: false)
      return offset &+ 1
    case 3:
      try visitor.visit(int32: loadUnaligned(fromByteOffset: offset &+ 1, as: Int32.self))
      return offset &+ 5
    case 4:
      try visitor.visit(int64: loadUnaligned(fromByteOffset: offset &+ 1, as: Int64.self))
      return offset &+ 9
    case 6:
      let start = (offset &+ 1).aligned(to: 8)
      try visitor.visit(float64Bits: loadUnaligned(fromByteOffset: start, as: UInt64.self))
      return start &+ 8
    case 5:
      let run = sized(at: offset &+ 1, alignment: 1)
      try visitor.visit(largeInteger: UnsafeRawBufferPointer(rebasing: self[run]))
      return run.upperBound
    case 7:
      let run = sized(at: offset &+ 1, alignment: 1)
      try visitor.visit(
        string: UnsafeRawBufferPointer(rebasing: self[run]), isValidUTF8: isValidUTF8)
      return run.upperBound
    case 8: return try visitTypedList(at: offset, .uint8, with: &visitor)
    case 9: return try visitTypedList(at: offset, .int32, with: &visitor)
    case 10: return try visitTypedList(at: offset, .int64, with: &visitor)
    case 11: return try visitTypedList(at: offset, .float64, with: &visitor)
    default: return try visitTypedList(at: offset, .float32, with: &visitor)
    }
  }

  @inlinable
  func visitTypedList<Visitor: ValueVisitor>(
    at offset: Int, _ kind: TypedListKind, with visitor: inout Visitor
  ) throws(Visitor.Failure) -> Int {
    let run = sized(at: offset &+ 1, alignment: kind.width)
    try visitor.visit(typedList: UnsafeRawBufferPointer(rebasing: self[run]), kind: kind)
    return run.upperBound
  }

  /// The bytes behind the size field at `offset`; `alignment` is also the width of an element.
  @inlinable
  func sized(at offset: Int, alignment: Int) -> Range<Int> {
    let size = WireSize.read(self, at: offset)
    let start = size.end.aligned(to: alignment)
    return start..<start &+ size.value &* alignment
  }
}
