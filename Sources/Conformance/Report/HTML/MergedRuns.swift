/// Several runs as one: each case with its result in each run.
struct MergedRuns {
  struct Case {
    var id: String
    /// One place a run; nil where the run does not have the case.
    var results: [CaseResult?]
    var level: Level { results.lazy.compactMap { $0 }.first?.level ?? .required }
    var isFailure: Bool { results.contains { $0?.isFailure == true } }
    var isSkipped: Bool { results.contains { $0?.verdict == .skipped } }
  }

  struct Area {
    var name: String
    var cases: [Case] = []
    var tallies: [ResultTally]
  }

  let runs: [ConformanceResults]
  private(set) var areas: [Area] = []
  let totals: [ResultTally]

  init(_ runs: [ConformanceResults]) {
    self.runs = runs
    let tallies = runs.map { ResultTally.areas(of: $0) }
    totals = tallies.map(\.total)
    var places: [String: Int] = [:]
    for (run, tally) in tallies.enumerated() {
      for row in tally.rows {
        let place = places[row.area] ?? areas.count
        if place == areas.count {
          places[row.area] = place
          let empty = [ResultTally](repeating: ResultTally(), count: runs.count)
          areas.append(Area(name: row.area, tallies: empty))
        }
        areas[place].tallies[run] = row.tally
      }
    }
    var cases: [String: (area: Int, place: Int)] = [:]
    for (run, results) in runs.enumerated() {
      for result in results.cases {
        guard let area = places[result.area] else { continue }
        let known = cases[result.id] ?? (area, areas[area].cases.count)
        if cases[result.id] == nil {
          cases[result.id] = known
          areas[area].cases.append(
            Case(id: result.id, results: [CaseResult?](repeating: nil, count: runs.count)))
        }
        areas[known.area].cases[known.place].results[run] = result
      }
    }
  }

  /// A, B, … of a run; empty where there is only one.
  func letter(_ run: Int) -> String {
    guard runs.count > 1 else { return "" }
    if run < 26, let scalar = Unicode.Scalar(0x41 + UInt32(run)) { return String(scalar) }
    return "\(run + 1)"
  }
}

/// How a verdict, or the state of an area, looks: never by colour alone.
struct Mark {
  /// Of the style sheet.
  let name: String
  let symbol: String
  let words: String

  static func of(_ result: CaseResult?) -> Mark {
    guard let result else { return Mark(name: "none", symbol: "·", words: "not run") }
    if result.isFailure, result.knownReason != nil {
      return Mark(name: "known", symbol: "≈", words: "known failure (\(result.verdict.rawValue))")
    }
    return switch result.verdict {
    case .pass: Mark(name: "pass", symbol: "✓", words: "pass")
    case .fail:
      Mark(
        name: result.level == .required ? "fail" : "warn",
        symbol: result.level == .required ? "✗" : "!",
        words: result.level == .required ? "fail" : "fail (recommended)")
    case .skipped: Mark(name: "skip", symbol: "–", words: "skipped")
    case .crash: Mark(name: "fail", symbol: "‼", words: "crash")
    case .timeout: Mark(name: "fail", symbol: "…", words: "timeout")
    case .protocolError: Mark(name: "fail", symbol: "?", words: "protocol error")
    }
  }

  static func of(_ tally: ResultTally) -> Mark {
    if tally.requiredUnknownFailures > 0 {
      return Mark(name: "fail", symbol: "✗", words: "required failures")
    }
    if tally.failed > 0 { return Mark(name: "warn", symbol: "!", words: "recommended failures") }
    if tally.known > 0 { return Mark(name: "known", symbol: "≈", words: "known failures only") }
    if tally.passed > 0 { return Mark(name: "pass", symbol: "✓", words: "all pass") }
    if tally.skipped > 0 { return Mark(name: "skip", symbol: "–", words: "skipped") }
    return Mark(name: "none", symbol: "·", words: "not run")
  }

  /// For the filter: one word.
  static func filterWord(_ result: CaseResult) -> String {
    result.isFailure && result.knownReason != nil ? "known" : result.verdict.rawValue
  }
}
