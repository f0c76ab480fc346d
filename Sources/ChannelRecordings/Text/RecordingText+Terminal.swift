import TerminalSafety

extension RecordingText {
  /// Escapes what is unfit for a terminal in the JSON from `start` on, which means the same
  /// afterwards: such characters can only stand inside string literals, or are white space between
  /// tokens. A newline at the very end stays.
  static func makeFitForTerminal(_ bytes: inout [UInt8], from start: Int) {
    let end = bytes.last == 0x0a ? bytes.count - 1 : bytes.count
    guard start < end, bytes[start..<end].contains(where: { $0 >= 0x7f || $0 < 0x20 }) else {
      return
    }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    let tail = bytes[end...]
    bytes.removeSubrange(start...)
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 {
        bytes.append(0x20)
      } else if scalar.isSafeForTerminal {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          bytes += #"\u"#.utf8
          for shift in [12, 8, 4, 0] { bytes.append(digit(UInt8(unit >> UInt16(shift) & 0xf))) }
        }
      }
    }
    bytes += tail
  }
}
