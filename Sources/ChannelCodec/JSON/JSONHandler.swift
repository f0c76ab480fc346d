/// What a ``JSONReader`` tells, in the order of the text. Bytes are lent for the call only; every
/// offset is that of the token's first byte.
///
/// An error thrown without a path gets that of the value at hand.
package protocol JSONHandler {
  mutating func null(at offset: Int) throws(CodecError)
  mutating func bool(_ bool: Bool, at offset: Int) throws(CodecError)
  mutating func number(_ number: JSONNumber, at offset: Int) throws(CodecError)
  mutating func string(_ text: JSONText, at offset: Int) throws(CodecError)
  /// A member's name; its value is told next.
  mutating func name(_ text: JSONText, at offset: Int) throws(CodecError)
  mutating func beginList(at offset: Int) throws(CodecError)
  mutating func beginMap(at offset: Int) throws(CodecError)
  /// The innermost list or map ends; `offset` is that of its closing bracket.
  mutating func end(at offset: Int) throws(CodecError)
}

/// The bytes of a string with its escapes resolved.
package struct JSONText {
  package let bytes: UnsafeRawBufferPointer
  /// False where an escape stood for a lone surrogate, which is kept in its three-byte form.
  package let isValidUTF8: Bool
}

/// A number as it is written. The grammar has been checked.
package struct JSONNumber {
  package let text: UnsafeRawBufferPointer
  /// There is neither a fraction nor an exponent.
  package let isWhole: Bool

  package var string: String { String(decoding: text, as: UTF8.self) }

  /// The number where it is whole and fits 64 bits.
  package var integer: Int64? {
    guard isWhole else { return nil }
    let isNegative = text.first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for digit in text.dropFirst(isNegative ? 1 : 0) {
      let (product, isTooBig) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = product.addingReportingOverflow(UInt64(digit & 0xf))
      if isTooBig || isOver { return nil }
      magnitude = sum
    }
    if isNegative {
      return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The double nearest to the number; infinite where it is out of range.
  package var double: Double {
    exactDouble ?? Double(string) ?? .nan
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Most numbers are a small whole number times or over a small power of ten. Both are exact as
  /// doubles, so that one operation rounds correctly and no text need be made.
  private var exactDouble: Double? {
    guard text.count <= 24 else { return nil }
    var mantissa: UInt64 = 0
    var decimals = 0
    var exponent = 0
    var isFraction = false
    var position = text.first == UInt8(ascii: "-") ? 1 : 0
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        var isNegative = false
        while position < text.count {
          let byte = text[position]
          position += 1
          if byte == UInt8(ascii: "-") { isNegative = true }
          guard byte >= UInt8(ascii: "0") else { continue }
          exponent = exponent * 10 + Int(byte & 0xf)
          if exponent > 999 { return nil }
        }
        if isNegative { exponent = -exponent }
      } else {
        mantissa = mantissa * 10 + UInt64(byte & 0xf)
        if mantissa > 1 << 53 { return nil }
        if isFraction { decimals += 1 }
      }
    }
    let power = exponent - decimals
    guard power >= -22, power <= 22 else { return nil }
    let whole = Double(mantissa)
    let magnitude =
      power < 0
      ? whole / JSONNumber.powersOfTen[-power] : whole * JSONNumber.powersOfTen[power]
    return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}
