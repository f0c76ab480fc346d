/// A list of cases that are known to fail, as text: one id a line, `*` for any characters within a
/// dotted part, the reason behind `#`. A line with nothing before `#` is a comment.
public struct KnownFailures: Sendable {
  private struct Line: Sendable {
    /// The line as it stands.
    let text: String
    /// nil for a comment and an empty line.
    let pattern: CasePattern?
    let reason: String
  }

  private var lines: [Line] = []

  /// A list with nothing in it.
  public init() {}

  /// - Parameter text: a whole file.
  public init(_ text: String) {
    // By bytes: to Swift, a carriage return and a line feed are one character.
    let pieces = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var lines = pieces.map { piece in
      let line = Substring(piece.last == UInt8(ascii: "\r") ? piece.dropLast() : piece)
      let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let id = Self.trimmed(parts.first ?? "")
      let reason = parts.count > 1 ? Self.trimmed(parts[1]) : ""
      return Line(
        text: String(line), pattern: id.isEmpty ? nil : .parts(id), reason: reason)
    }
    if lines.last?.text.isEmpty == true { lines.removeLast() }
    self.lines = lines
  }

  public var isEmpty: Bool { !lines.contains { $0.pattern != nil } }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }

  // MARK: - Marking

  /// Gives failed cases that are listed their reason, and notes which entries are stale (all their
  /// cases pass) or match nothing. A case that was skipped says neither.
  func mark(_ results: inout ConformanceResults) {
    var stale: [String] = []
    var unknown: [String] = []
    for (pattern, reason) in entries {
      var (failed, passed, matched) = (false, false, false)
      for index in results.cases.indices where pattern.matches(results.cases[index].id) {
        matched = true
        if results.cases[index].isFailure {
          failed = true
          if results.cases[index].knownReason == nil { results.cases[index].knownReason = reason }
        } else if results.cases[index].verdict == .pass {
          passed = true
        }
      }
      // Of generated cases that pass only the number is kept.
      for (area, count) in results.generatedPasses where count > 0 && pattern.text.hasPrefix(area) {
        (matched, passed) = (true, true)
      }
      if passed, !failed { stale.append(pattern.text) }
      if !matched, !results.isPartial { unknown.append(pattern.text) }
    }
    results.staleKnownFailures = stale
    results.unknownListEntries = unknown
  }

  private var entries: [(pattern: CasePattern, reason: String)] {
    lines.compactMap { line in line.pattern.map { ($0, line.reason) } }
  }

  // MARK: - Rewriting

  /// What `--fix` changes.
  public struct Revision: Sendable {
    /// The whole file.
    public var text: String
    public var added: Int
    public var removed: Int
    /// Failures of generated cases, which no list holds: their numbers depend on the seed.
    public var unlisted: Int
  }

  /// The list as it should be after `results`, which must be those of a whole run: stale entries
  /// and those that match nothing go, new failures come to the end. Comments and reasons stay.
  ///
  /// - Parameter isStrict: whether failures of recommended cases are listed as well.
  public func revised(by results: ConformanceResults, isStrict: Bool) -> Revision {
    let gone = Set(results.staleKnownFailures + results.unknownListEntries)
    let kept = lines.filter { line in line.pattern.map { !gone.contains($0.text) } ?? true }
    let failures = results.cases.filter { testCase in
      testCase.isUnknownFailure && (isStrict || testCase.level == .required)
    }
    let new = failures.filter { !$0.area.hasPrefix("generated.") }
    let added = new.map { testCase in "\(testCase.id)  # \(testCase.verdict.rawValue)" }
    let text = (kept.map(\.text) + added).map { $0 + "\n" }.joined()
    return Revision(
      text: text, added: added.count, removed: lines.count - kept.count,
      unlisted: failures.count - new.count)
  }
}
