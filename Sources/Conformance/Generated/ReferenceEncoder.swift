import ChannelCodec

/// The standard codec once more, written as the format is told (`Protocol/codec.md`) and without
/// regard to speed: what the generated cases hold encoders against, our own among them.
enum ReferenceEncoder {
  /// nil for no message.
  static func encode(_ content: Content) -> [UInt8]? {
    var writer = Writer()
    switch content {
    case .message(nil), .envelope(nil): return nil
    case .message(let value?): value.visit(with: &writer)
    case .call(let call):
      Value.string(call.method).visit(with: &writer)
      call.arguments.visit(with: &writer)
    case .envelope(.success(let value)):
      writer.bytes.append(0)
      value.visit(with: &writer)
    case .envelope(.error(let error)):
      writer.bytes.append(1)
      Value.string(error.code).visit(with: &writer)
      (error.message.map { .string($0) } ?? Value.null).visit(with: &writer)
      error.details.visit(with: &writer)
      switch error.stackTrace {
      case .absent: break
      case .null: Value.null.visit(with: &writer)
      case .text(let trace): Value.string(trace).visit(with: &writer)
      }
    }
    return writer.bytes
  }

  private struct Writer: ValueVisitor {
    var bytes: [UInt8] = []

    private mutating func little(_ number: UInt64, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    private mutating func size(_ size: Int) {
      switch size {
      case 0..<254: bytes.append(UInt8(size))
      case 254..<0x1_0000:
        bytes.append(254)
        little(UInt64(size), 2)
      default:
        bytes.append(255)
        little(UInt64(size), 4)
      }
    }

    private mutating func align(_ width: Int) {
      while bytes.count % width != 0 { bytes.append(0) }
    }

    mutating func visitNull() { bytes.append(0) }
    mutating func visit(bool: Bool) { bytes.append(bool ? 1 : 2) }
    mutating func visit(int32: Int32) {
      bytes.append(3)
      little(UInt64(truncatingIfNeeded: int32), 4)
    }
    mutating func visit(int64: Int64) {
      bytes.append(4)
      little(UInt64(bitPattern: int64), 8)
    }
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
      bytes.append(5)
      size(text.count)
      bytes += text
    }
    mutating func visit(float64Bits: UInt64) {
      bytes.append(6)
      align(8)
      little(float64Bits, 8)
    }
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
      bytes.append(7)
      size(string.count)
      bytes += string
    }
    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      let (type, width): (UInt8, Int) =
        switch kind {
        case .uint8: (8, 1)
        case .int32: (9, 4)
        case .int64: (10, 8)
        case .float32: (14, 4)
        case .float64: (11, 8)
        }
      bytes.append(type)
      size(typedList.count / width)
      align(width)
      bytes += typedList
    }
    mutating func visit(listCount: Int) {
      bytes.append(12)
      size(listCount)
    }
    mutating func visit(mapCount: Int) {
      bytes.append(13)
      size(mapCount)
    }
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
      bytes.append(customType)
      return true
    }
  }
}
