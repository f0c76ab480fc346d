/// A pattern in which `*` stands for any number of bytes and `?` for one; compared byte by byte.
public struct Glob: Hashable, Sendable, CustomStringConvertible {
  private let pattern: [UInt8]

  public init(_ pattern: some StringProtocol) { self.pattern = Array(pattern.utf8) }

  public var description: String { String(decoding: pattern, as: UTF8.self) }

  /// Whether the whole of `text` fits.
  public func matches(_ text: [UInt8]) -> Bool {
    var place = 0
    var offset = 0
    // Where to go on when something does not fit: behind the last star, one byte later.
    var retry: (place: Int, offset: Int)?
    while offset < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        place += 1
        retry = (place, offset)
      } else if place < pattern.count,
        pattern[place] == text[offset] || pattern[place] == UInt8(ascii: "?")
      {
        place += 1
        offset += 1
      } else if let last = retry {
        place = last.place
        offset = last.offset + 1
        retry = (last.place, offset)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
