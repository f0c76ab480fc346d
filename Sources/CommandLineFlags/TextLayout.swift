/// Lines for a terminal of 80 columns.
enum TextLayout {
  static let width = 80

  /// The paragraphs of `text`, broken at spaces and indented; a line that begins with a space is
  /// kept as it is.
  static func wrap(_ text: String, indent: Int) -> [String] {
    guard !text.isEmpty else { return [] }
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    func finished(_ line: String) -> [String] { line.isEmpty ? [] : [margin + line] }
    for source in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if source.isEmpty || source.first == " " {
        lines += finished(line)
        lines.append(source.isEmpty ? "" : margin + source)
        line = ""
        continue
      }
      for word in source.split(separator: " ") {
        if !line.isEmpty, indent + line.count + 1 + word.count > width {
          lines += finished(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + finished(line)
  }

  /// Two columns, the second one wrapped; a first column that is too wide has a line of its own.
  static func columns(_ rows: [(String, String)], indent: Int, widest: Int = 26) -> [String] {
    let fitting = rows.map(\.0.count).filter { $0 <= widest }.max() ?? 0
    let margin = String(repeating: " ", count: indent)
    return rows.flatMap { left, right -> [String] in
      if right.isEmpty { return [margin + left] }
      var lines = wrap(right, indent: indent + fitting + 2)
      if left.count > fitting { return [margin + left] + lines }
      let gap = String(repeating: " ", count: fitting + 2 - left.count)
      lines[0] = margin + left + gap + lines[0].dropFirst(indent + fitting + 2)
      return lines
    }
  }
}
