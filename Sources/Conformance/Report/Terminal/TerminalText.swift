/// Text for a terminal or a log.
enum TerminalText {
  /// Lines of at most `width` characters, broken at spaces where there are some.
  static func wrapped(_ text: String, width: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var rest = Substring(word)
      while rest.count > width {
        if !line.isEmpty { lines.append(indent + line) }
        let piece = Self.beginning(of: rest, width: width)
        lines.append(indent + piece)
        rest = rest.dropFirst(piece.count)
        line = ""
      }
      if line.isEmpty {
        line = String(rest)
      } else if line.count + 1 + rest.count <= width {
        line += " " + rest
      } else {
        lines.append(indent + line)
        line = String(rest)
      }
    }
    if !line.isEmpty { lines.append(indent + line) }
    return lines
  }

  /// As much of a long word as fits, preferably up to a mark inside it.
  private static func beginning(of word: Substring, width: Int) -> Substring {
    let piece = word.prefix(width)
    guard let mark = piece.lastIndex(where: { "./-,;:".contains($0) }) else { return piece }
    let end = piece.index(after: mark)
    return piece.distance(from: piece.startIndex, to: end) > width / 2 ? piece[..<end] : piece
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
