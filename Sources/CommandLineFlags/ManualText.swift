/// A manual page being written: the requests of man(7), and escapes so that any text means itself.
///
/// All of it is ASCII: what is not is written as an escape, whatever the reader's locale.
struct ManualText {
  /// The page so far, a line for each request and text line.
  private(set) var lines: [String] = []

  /// The whole page.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Filled text is broken here, which man joins again: nobody reads it, but lines of a page that
  /// are longer are taken for a mistake.
  private static let width = 78

  // MARK: - Parts of a page

  mutating func title(_ name: String, date: String, source: String) {
    // Readers parse the date, and would not an escaped one.
    let isDate = !date.isEmpty && date.allSatisfy { "0123456789-".contains($0) }
    let parts = [
      ManualText.argument(name.uppercased()), "1", isDate ? date : ManualText.argument(date),
      ManualText.argument(source), ManualText.argument("User Commands"),
    ]
    lines.append(".TH " + parts.joined(separator: " "))
    // Neither hyphens nor stretched spaces, which would come along when something is copied.
    lines += [".nh", ".ad l"]
  }

  mutating func name(_ name: String, summary: String) {
    section("Name")
    fill("\(ManualText.escaped(name)) \\- \(markedUp(summary))")
  }

  mutating func section(_ title: String) {
    lines.append(".SH \(ManualText.argument(title.uppercased()))")
  }

  mutating func subsection(_ title: String) { lines.append(".SS \(ManualText.argument(title))") }

  /// A way to call the program: what is typed as it stands is bold, what stands for something else
  /// (in capitals) is slanted.
  mutating func form(_ form: String) {
    startParagraph(false)
    var line = ""
    var word = ""
    func marked(_ word: String) -> String {
      guard word.contains(where: \.isLetter) else { return ManualText.escaped(word) }
      return word == word.uppercased() ? italic(word) : bold(word)
    }
    for character in form {
      if character.isLetter || character.isNumber || character == "-" {
        word.append(character)
      } else {
        line += marked(word) + ManualText.escaped(String(character))
        word = ""
      }
    }
    fill(line + marked(word))
  }

  /// A heading, already marked up, and what is to be said about it.
  mutating func item(_ heading: String, _ text: String) {
    lines += [".TP", ManualText.guarded(heading)]
    if text.isEmpty {
      // An item without a body takes the next request for its body.
      lines.append("\\&")
    } else {
      fill(markedUp(text))
    }
  }

  /// Paragraphs, separated by empty lines; a line that begins with a space stands for itself.
  /// Nested ones belong to the item before.
  mutating func prose(_ text: String, isNested: Bool = false) {
    var paragraph: [Substring] = []
    var kept: [Substring] = []
    func endParagraph() {
      if !paragraph.isEmpty {
        startParagraph(isNested)
        fill(markedUp(paragraph.joined(separator: " ")))
      }
      if !kept.isEmpty {
        startParagraph(isNested)
        verbatim(kept.joined(separator: "\n"))
      }
      (paragraph, kept) = ([], [])
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isKept = line.first == " "
      if line.isEmpty || !(isKept ? paragraph : kept).isEmpty { endParagraph() }
      if isKept { kept.append(line) } else if !line.isEmpty { paragraph.append(line) }
    }
    endParagraph()
  }

  private mutating func startParagraph(_ isNested: Bool) {
    // A heading has begun one.
    if let last = lines.last, last.hasPrefix(".SH") || last.hasPrefix(".SS") { return }
    lines.append(isNested ? ".sp" : ".PP")
  }

  /// Lines that are shown as they are.
  mutating func verbatim(_ text: String, isBold: Bool = false, prefix: String = "") {
    lines.append(".nf")
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let whole = (number == 0 ? prefix : "") + line
      let shown = isBold ? bold(whole) : ManualText.escaped(whole)
      lines.append(shown.isEmpty ? "\\&" : ManualText.guarded(shown))
    }
    lines.append(".fi")
  }

  mutating func beginIndent(_ width: Int? = nil) {
    lines.append(".RS" + (width.map { " \($0)" } ?? ""))
  }

  mutating func endIndent() { lines.append(".RE") }

  /// The pages to read on in, all of section 1.
  mutating func references(_ names: [String]) {
    fill(names.map(reference).joined(separator: ", "))
  }

  // MARK: - Marks

  func bold(_ text: String) -> String { "\\fB\(ManualText.escaped(text))\\fR" }
  func italic(_ text: String) -> String { "\\fI\(ManualText.escaped(text))\\fR" }
  func reference(_ name: String) -> String { bold(name) + "(1)" }

  /// Prose, in which backticks enclose what is typed.
  private func markedUp(_ prose: String) -> String {
    let parts = prose.split(separator: "`", omittingEmptySubsequences: false)
    // A backtick without a partner is one.
    guard parts.count % 2 == 1 else { return ManualText.escaped(prose) }
    return parts.enumerated().map { number, part in
      number % 2 == 1 ? bold(String(part)) : ManualText.escaped(String(part))
    }.joined()
  }

  // MARK: - Lines

  /// Text that man breaks as the terminal wants it.
  private mutating func fill(_ text: String) {
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > ManualText.width {
        lines.append(ManualText.guarded(line))
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(ManualText.guarded(line)) }
  }

  /// A dot or an apostrophe in front would make a request of the line, and a space a break.
  private static func guarded(_ line: String) -> String {
    line.first.map { ".' ".contains($0) } ?? false ? "\\&" + line : line
  }

  /// An argument of a request, in quotes where it needs them.
  private static func argument(_ text: String) -> String {
    let escaped = escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    return escaped.isEmpty || escaped.contains(" ") ? "\"\(escaped)\"" : escaped
  }

  /// The text with everything that man would read or typeset as something else escaped. A plain
  /// hyphen or quote becomes a typographic one, with which a copied command does not work.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\t": escaped += "        "
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return escaped
  }
}
