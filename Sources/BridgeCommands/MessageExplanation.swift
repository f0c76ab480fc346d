import ChannelCodec
import ChannelNotation
import CommandLineFlags
import TerminalSafety

/// The annotated dump and the platforms' reactions, laid out for a terminal.
struct MessageExplanation {
  private static let bytesPerRow = 8
  /// Rows of one value; the rest of a long one is only counted.
  private static let rowsPerLine = 8

  let isColored: Bool

  // MARK: - Dump

  func rows(of line: AnnotatedDump.Line) -> [String] {
    let size = MessageExplanation.bytesPerRow
    let shown = line.bytes.prefix(size * MessageExplanation.rowsPerLine)
    let color = Color(line.role)
    var rows: [String] = []
    for start in stride(from: 0, to: max(1, shown.count), by: size) {
      let hex = Hex.spaced(shown.dropFirst(start).prefix(size))
      let offset = "\(line.offset + start)".padded(to: 6, toTheRight: true)
      var row = paint(offset, .grey) + "  "
      if start == 0 {
        row += paint(hex.padded(to: size * 3 - 1), color) + "  " + words(about: line, color)
      } else {
        row += paint(hex, color)
      }
      rows.append(row)
    }
    let rest = line.bytes.count - shown.count
    if rest > 0 { rows.append(paint("        … \(rest) more bytes", .grey)) }
    return rows
  }

  private func words(about line: AnnotatedDump.Line, _ color: Color?) -> String {
    // A deep message would run off to the right.
    let indent = String(repeating: "  ", count: min(line.depth, 12))
    let words = line.meaning.safeForTerminal
    let meaning = line.role == .fault ? paint(words, color) : words
    guard !line.path.isEmpty else { return indent + meaning }
    return indent + meaning + "  " + paint(cut(line.path).safeForTerminal, .grey)
  }

  /// Both ends of a path that is too long to read: where it starts, and what is meant.
  private func cut(_ path: String) -> String {
    guard path.utf8.count > 80, path.count > 80 else { return path }
    return path.prefix(30) + "…" + path.suffix(45)
  }

  // MARK: - Reactions

  func row(of reaction: ProfileReactions.Line) -> String {
    let (verdict, color): (String, Color) =
      switch reaction.kind {
      case .accepted: ("reads", .green)
      case .refused: ("refuses", .yellow)
      case .crash: ("crashes", .red)
      case .unspecified: ("unspecified", .magenta)
      }
    let notes = reaction.notes.map { paint("; \($0.safeForTerminal)", .grey) }.joined()
    let text =
      reaction.kind == .accepted
      ? reaction.text.jsonSafeForTerminal : reaction.text.safeForTerminal
    return reaction.profile.rawValue.padded(to: 9) + paint(verdict.padded(to: 13), color)
      + text + notes
  }

  private func paint(_ text: String, _ color: Color?) -> String {
    guard isColored, let color else { return text }
    return color.paint(text)
  }
}

extension Color {
  fileprivate init?(_ role: MessageSpan.Role) {
    switch role {
    case .type: self = .cyan
    case .size: self = .blue
    case .padding: self = .grey
    case .content: return nil
    case .flag: self = .magenta
    case .trailing: self = .yellow
    case .fault: self = .red
    }
  }
}

extension Hex {
  fileprivate static func spaced(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { text(of: CollectionOfOne($0)) }.joined(separator: " ")
  }
}

extension String {
  fileprivate func padded(to width: Int, toTheRight: Bool = false) -> String {
    let gap = String(repeating: " ", count: max(0, width - count))
    return toTheRight ? gap + self : self + gap
  }
}
