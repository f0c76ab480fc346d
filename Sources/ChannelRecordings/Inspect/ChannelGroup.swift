import ChannelRouter

/// Takes channels for one whose names differ in an id only: `…/events/546c917b-b477-…` becomes
/// `…/events/*`. Plugins make such channels, one for each player or view.
enum ChannelGroup {
  /// The name with `*` for each of its ids; nil when there is none in it.
  static func pattern(of name: ChannelName) -> [UInt8]? {
    let bytes = name.utf8
    var pattern: [UInt8] = []
    var start = 0
    var hasID = false
    while start <= bytes.count {
      var end = start
      while end < bytes.count, !isSeparator(bytes[end]) { end += 1 }
      let part = bytes[start..<end]
      if isID(part) {
        hasID = true
        pattern.append(UInt8(ascii: "*"))
      } else if let word = wordBeforeNumber(part) {
        hasID = true
        pattern += word
        pattern.append(UInt8(ascii: "*"))
      } else {
        pattern += part
      }
      if end < bytes.count { pattern.append(bytes[end]) }
      start = end + 1
    }
    return hasID ? pattern : nil
  }

  /// A hyphen is part of a UUID and ends no part.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ":")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isID(_ part: ArraySlice<UInt8>) -> Bool {
    guard !part.isEmpty else { return false }
    if part.allSatisfy(isDigit) { return true }
    let digits = part.filter { $0 != UInt8(ascii: "-") }
    return digits.count >= 8 && digits.contains(where: isDigit)
      && digits.allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
  }

  /// `videoEvents` of `videoEvents12`. One letter before digits is a version or a name (`v2`).
  private static func wordBeforeNumber(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let last = part.lastIndex(where: { !isDigit($0) }), last + 1 < part.endIndex,
      last - part.startIndex >= 4
    else { return nil }
    return part[...last]
  }
}
