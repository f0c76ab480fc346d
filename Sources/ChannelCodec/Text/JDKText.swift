/// Text as Java's class library reads it.
enum JDKText {
  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]

  /// UTF-8 with U+FFFD wherever `new String(bytes, UTF_8)` puts one: the number of replacements
  /// for a broken sequence is the JDK's own and differs from Unicode's recommendation.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> Value.Text {
    var text: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if let length = UTF8Check.sequenceLength(in: bytes, at: position) {
        text.append(contentsOf: bytes[position..<position + length])
        position += length
      } else {
        text.append(contentsOf: replacement)
        position += brokenLength(bytes, position)
      }
    }
    return Value.Text(bytes: text)
  }

  /// How many bytes one U+FFFD stands for.
  private static func brokenLength(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    let left = bytes.count - start
    func isContinuation(_ offset: Int) -> Bool { bytes[start + offset] & 0xc0 == 0x80 }
    switch bytes[start] {
    case 0xe0...0xef:
      if left == 1 { return 1 }
      let isOverlong = bytes[start] == 0xe0 && bytes[start + 1] & 0xe0 == 0x80
      if isOverlong || !isContinuation(1) { return 1 }
      if left == 2 { return 2 }
      // Three good bytes that are broken all the same form a surrogate, replaced as one.
      return isContinuation(2) ? 3 : 2
    case 0xf0...0xf4:
      if left == 1 { return 1 }
      let second = bytes[start + 1]
      let isOutside =
        (bytes[start] == 0xf0 && !(0x90...0xbf).contains(second))
        || (bytes[start] == 0xf4 && second & 0xf0 != 0x80) || !isContinuation(1)
      if isOutside { return 1 }
      if left == 2 { return 2 }
      if !isContinuation(2) { return 2 }
      return 3
    default: return 1
    }
  }

  /// Elements as `floatToIntBits` and `doubleToLongBits` give them: every NaN becomes the same.
  static func canonicalNaN(_ elements: UnsafeRawBufferPointer, _ kind: TypedListKind) -> [UInt8] {
    var canonical = Array(elements)
    canonical.withUnsafeMutableBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: kind.width) {
        if kind == .float32 {
          let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          if bits & 0x7fff_ffff > 0x7f80_0000 {
            bytes.storeBytes(of: 0x7fc0_0000, toByteOffset: offset, as: UInt32.self)
          }
        } else {
          let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          if Double(bitPattern: bits).isNaN {
            bytes.storeBytes(of: 0x7ff8_0000_0000_0000, toByteOffset: offset, as: UInt64.self)
          }
        }
      }
    }
    return canonical
  }

  /// `new BigInteger(text, 16)`, printed as `toString(16)` does: an optional sign, then digits. The
  /// JDK takes the decimal digits of every script and full-width letters.
  static func bigInteger(_ text: Value.Text) -> Value.LargeInteger? {
    guard let string = text.string else { return nil }
    var scalars = string.unicodeScalars[...]
    let isNegative = scalars.first == "-"
    if isNegative || scalars.first == "+" { scalars = scalars.dropFirst() }
    var digits = ""
    for scalar in scalars {
      guard let digit = digit(scalar) else { return nil }
      if digit > 0 || !digits.isEmpty { digits += String(digit, radix: 16) }
    }
    guard !scalars.isEmpty else { return nil }
    if digits.isEmpty { return "0" }
    return Value.LargeInteger(Value.Text(isNegative ? "-\(digits)" : digits))
  }

  /// `Character.digit(scalar, 16)`.
  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "0"..."9": return Int(scalar.value) - 0x30
    case "a"..."f", "\u{ff41}"..."\u{ff46}": return Int(scalar.value & 0x0f) + 9
    case "A"..."F", "\u{ff21}"..."\u{ff26}": return Int(scalar.value & 0x0f) + 9
    default:
      guard scalar.properties.numericType == .decimal,
        let value = scalar.properties.numericValue
      else { return nil }
      return Int(value)
    }
  }
}

/// Two-digit hexadecimal text.
enum Hexadecimal {
  static func byte(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.utf8.count == 1 ? "0\(text)" : text
  }

  static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
