/// Text for a terminal or a log.
enum TerminalText {
  /// The text in one line, with everything escaped that a terminal would act on: controls, and
  /// what turns the direction of writing.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if isSafe(scalar) {
        safe.unicodeScalars.append(scalar)
      } else {
        safe += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return safe
  }

  static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
    if scalar.value == 0x200c || scalar.value == 0x200d { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

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
