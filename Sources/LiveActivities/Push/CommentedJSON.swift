import ChannelCodec

/// JSON as people write it by hand: with `//` and `/* */` comments and trailing commas, as the
/// guide's server samples have them.
enum CommentedJSON {
  /// The value of `text`. The fault says line and column.
  static func read(_ text: [UInt8]) throws(PushFault) -> Value {
    let plain = try blanked(text)
    do throws(CodecError) {
      guard let value = try JSONMessageCodec().decode(plain) else { return .null }
      return value
    } catch {
      throw PushFault(
        .text, place(error.offset ?? 0, in: text),
        "this is no JSON: expected \(error.expected), found \(error.found)",
        "Comments and trailing commas are fine; look for a missing bracket, quote or comma")
    }
  }

  /// The same text with blanks for what JSON does not have, so that offsets stay.
  private static func blanked(_ text: [UInt8]) throws(PushFault) -> [UInt8] {
    var plain = text
    var position = 0
    /// The last byte that is no blank or comment, the one before it, and where the last stands.
    var last: UInt8 = 0
    var lastButOne: UInt8 = 0
    var lastPosition = 0
    while position < text.count {
      let byte = text[position]
      let next = position + 1 < text.count ? text[position + 1] : 0
      switch (byte, next) {
      case (UInt8(ascii: "\""), _):
        position = endOfString(in: text, from: position)
      case (UInt8(ascii: "/"), UInt8(ascii: "/")):
        let end = text[position...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? text.count
        blank(&plain, position..<end)
        position = end
        continue
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        guard let end = endOfComment(in: text, from: position + 2) else {
          throw PushFault(
            .text, place(position, in: text), "this comment has no end", "Close it with */")
        }
        blank(&plain, position..<end)
        position = end
        continue
      case (UInt8(ascii: "]"), _), (UInt8(ascii: "}"), _):
        // A comma behind a value; behind another comma or a bracket it is a mistake.
        if last == UInt8(ascii: ","), !"[{,:".utf8.contains(lastButOne) {
          plain[lastPosition] = UInt8(ascii: " ")
        }
        position += 1
      default: position += 1
      }
      if byte != 0x20 && !(0x09...0x0d ~= byte) {
        (lastButOne, last, lastPosition) = (last, byte, position - 1)
      }
    }
    return plain
  }

  private static func endOfString(in text: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return text.count
  }

  private static func endOfComment(in text: [UInt8], from start: Int) -> Int? {
    var position = start
    while position + 1 < text.count {
      if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
        return position + 2
      }
      position += 1
    }
    return nil
  }

  /// Line breaks stay, for line numbers.
  private static func blank(_ text: inout [UInt8], _ range: Range<Int>) {
    for position in range where text[position] != 0x0a && text[position] != 0x0d {
      text[position] = UInt8(ascii: " ")
    }
  }

  private static func place(_ offset: Int, in text: [UInt8]) -> String {
    let before = text.prefix(offset)
    let line = before.count { $0 == 0x0a } + 1
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return "line \(line), column \(column)"
  }
}
