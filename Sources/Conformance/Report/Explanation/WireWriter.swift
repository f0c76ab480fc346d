/// Writes a message of the standard codec token by token, making one mistake on purpose, and keeps
/// where each field stands.
struct WireWriter {
  /// What a run of bytes is; a field may be empty.
  struct Field {
    enum Role {
      case flag, type, size, padding, content
    }
    var role: Role
    var range: Range<Int>
  }

  let bug: CodecBug?
  private(set) var bytes: [UInt8] = []
  private(set) var fields: [Field] = []
  /// Where the arguments or the value of an envelope begin.
  var part = 0

  init(bug: CodecBug?) { self.bug = bug }

  mutating func put(flag: UInt8) { field(.flag, [flag]) }

  mutating func put(_ token: WireToken) {
    let start = bytes.count
    switch token {
    case .null: field(.type, [0x00])
    case .bool(let bool): field(.type, [bool ? 0x01 : 0x02])
    case .int32(let bits): number(0x03, UInt64(bits), width: 4)
    case .int64(let bits): number(0x04, bits, width: 8)
    case .float64(let bits):
      field(.type, [0x06])
      pad(width: 8, isEmpty: false, value: start)
      field(.content, digits(bits, 8, isNumber: true))
    case .text(let type, let text):
      field(.type, [type])
      size(units(of: text))
      field(.content, text)
    case .typedList(let type, let elements):
      let width = max(WireToken.width(ofList: type), 1)
      field(.type, [type])
      size(elements.count / width)
      pad(width: width, isEmpty: elements.isEmpty, value: start)
      field(.content, bug == .bigEndianNumbers ? Self.swapped(elements, width) : elements)
    case .list(let count): head(0x0c, count)
    case .map(let count): head(0x0d, count)
    case .custom(let type): field(.type, [type])
    }
  }

  /// Each element with its bytes the other way round.
  static func swapped(_ elements: [UInt8], _ width: Int) -> [UInt8] {
    stride(from: 0, to: elements.count, by: max(width, 1)).flatMap {
      elements[$0..<min($0 + width, elements.count)].reversed()
    }
  }

  // MARK: -

  private mutating func field(_ role: Field.Role, _ content: [UInt8]) {
    fields.append(Field(role: role, range: bytes.count..<bytes.count + content.count))
    bytes += content
  }

  private mutating func number(_ type: UInt8, _ bits: UInt64, width: Int) {
    field(.type, [type])
    field(.content, digits(bits, width, isNumber: true))
  }

  private mutating func head(_ type: UInt8, _ count: Int) {
    field(.type, [type])
    if bug == .leavesOutCount { field(.size, []) } else { size(count) }
  }

  private func digits(_ bits: UInt64, _ width: Int, isNumber: Bool) -> [UInt8] {
    var digits: [UInt8] = []
    WireToken.append(bits, width: width, to: &digits)
    let isBig = bug == (isNumber ? .bigEndianNumbers : .bigEndianSize)
    return isBig ? digits.reversed() : digits
  }

  private mutating func pad(width: Int, isEmpty: Bool, value: Int) {
    let count =
      bug?.padding(at: bytes.count, width: width, isEmpty: isEmpty, part: part, value: value)
      ?? CodecBug.padding(at: bytes.count, width: width)
    field(.padding, [UInt8](repeating: 0, count: count))
  }

  private mutating func size(_ size: Int) {
    let (short, medium): (Int, Int) =
      switch bug {
      case .ignoresSizeEscape: (.max, .max)
      case .shortSizeUpTo254: (254, 0xffff)
      case .longSizeFrom253: (252, 0xffff)
      case .longSizeFrom65535: (253, 0xfffe)
      case .signedSize: (253, 0x7fff)
      case .sizeOf16Bits: (253, .max)
      default: (253, 0xffff)
      }
    let bits = UInt64(truncatingIfNeeded: size)
    if bug == .sizeOf32Bits {
      field(.size, digits(bits, 4, isNumber: false))
    } else if size <= short {
      field(.size, [UInt8(truncatingIfNeeded: size)])
    } else if size <= medium {
      field(.size, [0xfe] + digits(bits, 2, isNumber: false))
    } else {
      field(.size, [0xff] + digits(bits, 4, isNumber: false))
    }
  }

  private func units(of text: [UInt8]) -> Int {
    switch bug {
    case .countsUTF16: String(decoding: text, as: UTF8.self).utf16.count
    case .countsCharacters: String(decoding: text, as: UTF8.self).unicodeScalars.count
    default: text.count
    }
  }
}
