import ChannelNotation
import TerminalSafety

/// The outcome of a run for a terminal of 80 columns.
public struct TerminalReport {
  /// Whether to use colours; they never say anything that the words do not.
  public var usesColor: Bool
  /// Failures that are explained one by one.
  public var explainedCount: Int
  /// The words behind `--` in the line that shows how to run one case again; nil where the codec in
  /// the process was tested.
  public var command: [String]?
  /// Whether recommended cases count like required ones.
  public var isStrict: Bool

  public init(
    usesColor: Bool = false, explainedCount: Int = 10, command: [String]? = nil,
    isStrict: Bool = false
  ) {
    self.usesColor = usesColor
    self.explainedCount = explainedCount
    self.command = command
    self.isStrict = isStrict
  }

  static let width = 80

  /// The whole report, ending with a line end.
  public func text(of results: ConformanceResults) -> String {
    let (rows, total) = ResultTally.areas(of: results)
    var lines = AreaTable(rows: rows, total: total, style: style).lines
    let ordered = inOrder(results.cases.filter(\.isUnknownFailure))
    for failure in ordered.prefix(max(0, explainedCount)) {
      lines.append("")
      lines += explained(failure, of: results)
    }
    if ordered.count > explainedCount {
      lines.append("")
      lines.append("and \(ordered.count - max(0, explainedCount)) more failures")
    }
    lines += causes(results)
    lines += listFaults(results)
    lines.append("")
    lines += summary(results, total)
    return lines.joined(separator: "\n") + "\n"
  }

  /// One failure of each cause first, as many are often the same; required ones before the others.
  private func inOrder(_ failures: [CaseResult]) -> [CaseResult] {
    let ordered =
      failures.filter { $0.level == .required } + failures.filter { $0.level != .required }
    var seen: Set<String> = []
    var (first, rest): ([CaseResult], [CaseResult]) = ([], [])
    for result in ordered {
      if seen.insert(Causes.cause(of: result) ?? result.explanation.first ?? "").inserted {
        first.append(result)
      } else {
        rest.append(result)
      }
    }
    return first + rest
  }

  private func causes(_ results: ConformanceResults) -> [String] {
    let found = Causes(results)
    guard !found.causes.isEmpty else { return [] }
    var lines = ["", "What it looks like:"]
    for cause in found.causes.prefix(8) {
      let text = TerminalText.wrapped(cause.sentence.safeForTerminal, width: Self.width - 10)
      for (number, line) in text.enumerated() {
        let count = number == 0 ? "\(cause.count) x" : ""
        lines.append(TerminalText.right(count, 8) + "  " + line)
      }
    }
    let others = found.otherCount + found.causes.dropFirst(8).reduce(0) { $0 + $1.count }
    if others > 0 { lines.append(TerminalText.right("\(others) x", 8) + "  other failures") }
    return lines
  }

  // MARK: - One failure

  private var style: TerminalStyle { TerminalStyle(isOn: usesColor) }

  private func explained(_ result: CaseResult, of results: ConformanceResults) -> [String] {
    let verdict = result.verdict == .fail ? "FAIL" : result.verdict.rawValue.uppercased()
    let level = result.level == .required ? "" : " (recommended)"
    let name = TerminalText.wrapped(
      Words.clipped(result.id, limit: 300).safeForTerminal, width: Self.width - 2)
    // A long name has a line of its own.
    let isShort =
      name.count == 1 && verdict.count + level.count + 1 + (name.first ?? "").count <= 80
    var lines = [style.red(verdict) + level + (isShort ? " " + style.bold(name.first ?? "") : "")]
    if !isShort { lines += name.map { "  " + style.bold($0) } }
    for sentence in result.explanation { lines += wrapped(sentence) }
    if let note = result.note, !note.isEmpty { lines += noteLines(note) }
    if let pair = SideBySide(result) { lines += bytes(pair) }
    if let origin = result.shrunkFrom {
      lines += wrapped("Shrunk from: " + Words.clipped(origin, limit: 160))
    }
    // Never broken, so that it can be copied.
    lines.append("  Again: " + rerun(result.id, of: results).safeForTerminal)
    return lines
  }

  private func wrapped(_ text: String) -> [String] {
    TerminalText.wrapped(text.safeForTerminal, width: Self.width - 2, indent: "  ")
  }

  private func noteLines(_ note: String) -> [String] {
    note.split(separator: "\n", omittingEmptySubsequences: true).prefix(8).flatMap {
      wrapped("| " + Words.clipped(String($0), limit: 300))
    }
  }

  /// The command that runs one case again.
  func rerun(_ id: String, of results: ConformanceResults) -> String {
    var words = ["pwbridge", "conform"]
    if results.profile != "strict" { words += ["--profile", results.profile] }
    if let seed = results.seed, GeneratedCase.number(of: id) != nil {
      words += ["--seed", "\(seed)"]
    }
    words += ["--only", id]
    if let command { words += ["--"] + command }
    return words.map { ShellWord.quoted($0) }.joined(separator: " ")
  }

  private func bytes(_ pair: SideBySide) -> [String] {
    let width = SideBySide.rowLength * 3 - 1
    func place(_ number: Int) -> String { TerminalText.right("\(number)", 8) + "  " }
    func row(_ place: String, _ left: String, _ right: String) -> String {
      place + TerminalText.left(left, width) + "   " + right
    }
    let empty = String(repeating: " ", count: 10)
    var lines = [row(empty, "expected", "actual")]
    if pair.leftOutBefore > 0 { lines.append("\(empty)… \(pair.leftOutBefore) bytes, the same …") }
    for entry in pair.rows {
      lines.append(
        row(place(entry.offset), SideBySide.hex(entry.expected), SideBySide.hex(entry.actual)))
      let column = pair.firstDifference - entry.offset
      if (0..<SideBySide.rowLength).contains(column) {
        let marker = String(repeating: " ", count: column * 3) + "^^"
        lines.append(style.red(row(empty, marker, marker)))
      }
    }
    if pair.leftOutBehind > 0 { lines.append("\(empty)… \(pair.leftOutBehind) bytes …") }
    lines = lines.map { line in line.last == " " ? Self.trimmed(line) : line }
    if !pair.meanings.isEmpty { lines.append("  The expected bytes:") }
    for line in pair.meanings {
      let path = line.path.isEmpty ? "" : "  \(line.path)"
      let text =
        (pair.isWrong(line) ? "> " : "  ") + TerminalText.right("\(line.offset)", 6) + "  "
        + TerminalText.left(Words.hex(line.bytes, limit: 6), 19) + "  "
        + (line.meaning + path).safeForTerminal
      lines.append(Words.clipped(text, limit: Self.width))
    }
    return lines
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  // MARK: - The end

  private func listFaults(_ results: ConformanceResults) -> [String] {
    var lines: [String] = []
    if !results.staleKnownFailures.isEmpty {
      lines += ["", style.red("Listed as known failures, but they pass (--fix takes them out):")]
      lines += results.staleKnownFailures.prefix(50).flatMap(wrapped)
    }
    if !results.unknownListEntries.isEmpty {
      lines += ["", "Listed as known failures, but there is no such case:"]
      lines += results.unknownListEntries.prefix(50).flatMap(wrapped)
    }
    return lines
  }

  private func summary(_ results: ConformanceResults, _ total: ResultTally) -> [String] {
    var facts = "profile \(results.profile)"
    if let seed = results.seed, results.generatedCount > 0 {
      facts += ", \(results.generatedCount) generated with seed \(seed)"
    }
    if results.restarts > 0 { facts += ", \(results.restarts) restarts" }
    facts += ", \(Self.seconds(results.seconds)) s"
    if results.isPartial { facts += ", not all cases" }
    let warnings = total.failed - total.requiredUnknownFailures
    var counts = "\(total.passed) pass, \(total.requiredUnknownFailures) required fail"
    counts += ", \(warnings) recommended fail, \(total.known) known, \(total.skipped) skipped"
    let isSuccess = results.isSuccess(strict: isStrict)
    let verdict = isSuccess ? style.green("PASS") : style.red("FAIL")
    let testee = TerminalText.wrapped(
      Words.clipped(results.testee, limit: 300).safeForTerminal, width: Self.width - 5)
    return [verdict + " " + style.bold(testee.first ?? "")]
      + testee.dropFirst().map { "     " + $0 } + wrapped(counts) + wrapped(facts)
  }

  /// Three digits behind the point.
  static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "0.000" }
    let milliseconds = Int((seconds * 1000).rounded())
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }
}

/// Colours of a terminal, or none.
struct TerminalStyle {
  let isOn: Bool
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func yellow(_ text: String) -> String { wrap(text, "33") }
  func bold(_ text: String) -> String { wrap(text, "1") }
  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// One word of a shell's command line.
enum ShellWord {
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
    if isPlain { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
