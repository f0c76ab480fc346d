/// A pattern for ids of cases.
public struct CasePattern: Sendable, Hashable {
  public let text: String
  private let crossesDots: Bool

  /// In a list of known failures: `*` stands for any characters within one dotted part.
  public static func parts(_ text: String) -> CasePattern {
    CasePattern(text: text, crossesDots: false)
  }

  /// On the command line: `*` stands for any characters at all.
  public static func anything(_ text: String) -> CasePattern {
    CasePattern(text: text, crossesDots: true)
  }

  private init(text: String, crossesDots: Bool) {
    self.text = text
    self.crossesDots = crossesDots
  }

  var isLiteral: Bool { !text.utf8.contains(UInt8(ascii: "*")) }

  /// Whether `id` as a whole is as the pattern says.
  public func matches(_ id: String) -> Bool {
    if isLiteral { return id == text }
    let pattern = Array(text.utf8)
    let id = Array(id.utf8)
    var (place, position) = (0, 0)
    /// Where to go on after the last `*` took one character more.
    var retry: (place: Int, position: Int)?
    while true {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        place += 1
        retry = (place, position)
      } else if position == id.count {
        return place == pattern.count
      } else if place < pattern.count, pattern[place] == id[position] {
        place += 1
        position += 1
      } else if let last = retry, crossesDots || id[last.position] != UInt8(ascii: ".") {
        (place, position) = (last.place, last.position + 1)
        retry = (place, position)
      } else {
        return false
      }
    }
  }
}
