/// One step of a message of the standard codec: a leaf, or the head of a container.
enum WireToken {
  case null
  case bool(Bool)
  case int32(UInt32)
  case int64(UInt64)
  case float64(UInt64)
  /// Type 05 or 07 and the text.
  case text(type: UInt8, [UInt8])
  /// The type byte and the elements' bytes, little-endian.
  case typedList(type: UInt8, [UInt8])
  case list(Int)
  case map(Int)
  case custom(UInt8)

  /// Values that follow before the container is done.
  var childCount: Int {
    switch self {
    case .list(let count): count
    case .map(let count): count.multipliedReportingOverflow(by: 2).partialValue
    case .custom: 1
    default: 0
    }
  }

  /// Bytes of one element; 0 for a type that is no typed list.
  static func width(ofList type: UInt8) -> Int {
    switch type {
    case 0x08: 1
    case 0x09, 0x0e: 4
    case 0x0a, 0x0b: 8
    default: 0
    }
  }

  /// What a codec that makes the mistake takes it for.
  func applying(_ bug: CodecBug?) -> [WireToken] {
    switch (bug, self) {
    case (.int32ForEverything, .int64(let bits)): [.int32(UInt32(truncatingIfNeeded: bits))]
    case (.int64ForEverything, .int32(let bits)):
      [.int64(UInt64(bitPattern: Int64(Int32(bitPattern: bits))))]
    case (.doubleForEverything, .int32(let bits)):
      [.float64(Double(Int32(bitPattern: bits)).bitPattern)]
    case (.doubleForEverything, .int64(let bits)):
      [.float64(Double(Int64(bitPattern: bits)).bitPattern)]
    case (.swapsBooleans, .bool(let bool)): [.bool(!bool)]
    case (.changesNaN, .float64(let bits)) where Double(bitPattern: bits).isNaN:
      [.float64(0x7ff8_0000_0000_0000)]
    case (.losesNegativeZero, .float64(0x8000_0000_0000_0000)): [.float64(0)]
    case (.changesNaN, .typedList(let type, let bytes)),
      (.losesNegativeZero, .typedList(let type, let bytes)):
      [.typedList(type: type, bug.map { Self.settled(bytes, type, $0) } ?? bytes)]
    case (.widensFloat32, .typedList(0x0e, let bytes)):
      [.typedList(type: 0x0b, Self.widened(bytes))]
    case (.narrowsInt64Lists, .typedList(0x0a, let bytes)):
      [
        .typedList(
          type: 0x09, stride(from: 0, to: bytes.count, by: 8).flatMap { bytes[$0..<$0 + 4] })
      ]
    case (.bytesAsList, .typedList(0x08, let bytes)):
      [.list(bytes.count)] + bytes.map { .int32(UInt32($0)) }
    case (.largeIntegerAsString, .text(0x05, let text)): [.text(type: 0x07, text)]
    case (.cutsAtNUL, .text(let type, let text)):
      [.text(type: type, Array(text.prefix { $0 != 0 }))]
    case (.dropsByteOrderMark, .text(let type, let text))
    where text.starts(with: [0xef, 0xbb, 0xbf]):
      [.text(type: type, Array(text.dropFirst(3)))]
    default: [self]
    }
  }

  private static func settled(_ bytes: [UInt8], _ type: UInt8, _ bug: CodecBug) -> [UInt8] {
    var settled = bytes
    let isSingle = type == 0x0e
    guard isSingle || type == 0x0b else { return bytes }
    let width = isSingle ? 4 : 8
    for start in stride(from: 0, through: bytes.count - width, by: width) {
      let bits = littleEndian(bytes[start..<start + width])
      let number =
        isSingle
        ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      var new = bits
      if bug == .changesNaN, number.isNaN { new = isSingle ? 0x7fc0_0000 : 0x7ff8_0000_0000_0000 }
      if bug == .losesNegativeZero, number == 0 { new = 0 }
      for place in 0..<width {
        settled[start + place] = UInt8(truncatingIfNeeded: new >> (8 * UInt64(place)))
      }
    }
    return settled
  }

  private static func widened(_ bytes: [UInt8]) -> [UInt8] {
    var widened: [UInt8] = []
    widened.reserveCapacity(bytes.count * 2)
    for start in stride(from: 0, through: bytes.count - 4, by: 4) {
      let bits = UInt32(truncatingIfNeeded: littleEndian(bytes[start..<start + 4]))
      append(Double(Float(bitPattern: bits)).bitPattern, width: 8, to: &widened)
    }
    return widened
  }

  static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func append(_ bits: UInt64, width: Int, to bytes: inout [UInt8]) {
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(place)))) }
  }
}
