import ChannelCodec

/// Why a text is not hexadecimal.
public struct HexError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The byte of the text at fault: a character that is no digit, or the end where the last byte
  /// lacks its second digit.
  public var offset: Int
  /// The character there; nil at the end.
  public var character: Character?

  public var description: String {
    if let character {
      return "not hexadecimal: found \(Value.Text(String(character)).quoted) at offset \(offset)"
    }
    return "an odd number of hexadecimal digits: the last byte lacks its second digit"
  }
}

/// Bytes as hexadecimal text, two digits each.
public enum Hex {
  /// The bytes that `text` spells, in either case. Spaces, tabs and line ends may stand anywhere.
  public static func bytes(of text: some StringProtocol) throws(HexError) -> [UInt8] {
    let utf8 = Array(text.utf8)
    return try bytes(ofUTF8: utf8)
  }

  /// The bytes that the text with these UTF-8 bytes spells.
  public static func bytes(ofUTF8 text: [UInt8]) throws(HexError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for (offset, character) in text.enumerated() {
      let digit = digits[Int(character)]
      guard digit != notADigit else {
        switch character {
        case 0x20, 0x09, 0x0a, 0x0d: continue
        default: throw HexError(offset: offset, character: Hex.character(in: text, at: offset))
        }
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    if high != nil { throw HexError(offset: text.count, character: nil) }
    return bytes
  }

  /// Two lower-case digits for each byte, nothing between them.
  public static func text(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount * 2)
    for byte in bytes {
      text.append(characters[Int(byte >> 4)])
      text.append(characters[Int(byte & 0xf)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let characters = Array("0123456789abcdef".utf8)
  private static let notADigit: UInt8 = 0xff

  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: notADigit, count: 256)
    for (value, character) in characters.enumerated() {
      digits[Int(character)] = UInt8(value)
      if value > 9 { digits[Int(character & ~0x20)] = UInt8(value) }
    }
    return digits
  }()

  private static func character(in text: [UInt8], at offset: Int) -> Character {
    String(decoding: text[offset...].prefix(4), as: UTF8.self).first ?? "\u{fffd}"
  }
}
