/// One page about one run, or several side by side: no network, usable without JavaScript, in light
/// and dark, on paper and on a phone.
public enum HTMLReport {
  /// Cases with all their details; those behind them have their first sentences only, so that a
  /// testee that fails everything does not make a page that no browser opens.
  static let mostDetailed = 1000

  /// The page as UTF-8.
  public static func bytes(of runs: [ConformanceResults]) -> [UInt8] {
    let merged = MergedRuns(runs)
    var writer = HTMLWriter()
    writer.raw(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>
      """)
    writer.text(
      "Conformance: " + runs.map { Words.clipped($0.testee, limit: 60) }.joined(separator: ", "))
    writer.raw(
      "</title>\n<style>\n\(HTMLStyle.sheet)</style>\n<script>\(HTMLScript.early)</script>\n")
    writer.raw("</head>\n<body>\n")
    writer.header()
    writer.raw("<main>\n")
    writer.runs(merged)
    writer.matrix(merged)
    writer.causes(merged)
    writer.listFaults(merged)
    var detailed = 0
    for area in merged.areas where !area.cases.isEmpty {
      writer.area(area, merged, &detailed)
    }
    writer.raw("<p id=\"none\" hidden>No case fits the filter.</p>\n</main>\n")
    writer.raw("<script>\(HTMLScript.late)</script>\n</body>\n</html>\n")
    return writer.bytes
  }
}

extension HTMLWriter {
  fileprivate mutating func header() {
    raw(
      """
      <header>
      <div class="bar">
      <a class="brand" href="#top">Conformance</a>
      <form class="filter" role="search">
      <input type="search" id="text" placeholder="Search cases" aria-label="Search cases">
      <select id="verdict" aria-label="Verdict">
      <option value="">Verdict</option>
      <option value="bad">Failures</option>
      <option value="fail">Fail</option>
      <option value="crash">Crash</option>
      <option value="timeout">Timeout</option>
      <option value="protocol-error">Protocol error</option>
      <option value="known">Known</option>
      <option value="skipped">Skipped</option>
      <option value="pass">Pass</option>
      </select>
      <select id="level" aria-label="Level">
      <option value="">Level</option>
      <option value="required">Required</option>
      <option value="recommended">Recommended</option>
      </select>
      <output id="shown"></output>
      </form>
      </div>
      </header>

      """)
  }

  /// A card for each testee.
  fileprivate mutating func runs(_ merged: MergedRuns) {
    let facts = merged.runs.map { self.facts($0) }
    let shared = HTMLWriter.shared(facts)
    raw("<section class=\"runs\" id=\"top\" aria-label=\"Testees\">\n")
    for (place, run) in merged.runs.enumerated() {
      let total = merged.totals[place]
      let mark = run.isSuccess ? (total.failed > 0 ? "warn" : "pass") : "fail"
      raw("<article class=\"run \(mark)\">\n<h1>")
      letter(merged, place)
      raw("<span class=\"name\">")
      text(Words.clipped(run.testee, limit: 300))
      raw("</span></h1>\n<p class=\"outcome \(mark)\">")
      text(outcome(run, total))
      raw("</p>\n<dl>\n")
      for (name, value) in counts(run, total) + facts[place] where !shared.contains(name) {
        raw("<div>")
        element("dt", name)
        element("dd", value)
        raw("</div>\n")
      }
      raw("</dl>\n</article>\n")
    }
    raw("</section>\n")
    if !shared.isEmpty, let first = facts.first {
      let parts = first.filter { shared.contains($0.name) }
      element(
        "p", "All: " + parts.map { "\($0.name.lowercased()) \($0.value)" }.joined(separator: ", "),
        class: "shared")
      raw("\n")
    }
    let digests = Set(merged.runs.compactMap(\.vectorsDigest))
    let profiles = Set(merged.runs.map(\.profile))
    if digests.count > 1 {
      raw(
        "<p class=\"caution\">The runs used different vectors: cases may not mean the same.</p>\n")
    }
    if profiles.count > 1 {
      raw("<p class=\"caution\">The runs used different profiles: expectations differ.</p>\n")
    }
  }

  private func outcome(_ run: ConformanceResults, _ total: ResultTally) -> String {
    if total.requiredUnknownFailures > 0 {
      let count = total.requiredUnknownFailures
      return "✗ \(count) required \(count == 1 ? "failure" : "failures")"
    }
    if !run.isSuccess { return "✗ The list of known failures is out of date" }
    if total.failed > 0 { return "! Required cases pass, \(total.failed) recommended fail" }
    if total.known > 0 { return "✓ No failures but known ones" }
    return "✓ Everything passes"
  }

  private typealias Fact = (name: String, value: String)

  private func counts(_ run: ConformanceResults, _ total: ResultTally) -> [Fact] {
    var counts: [Fact] = [
      ("Passed", "\(Words.grouped(total.passed)) of \(Words.grouped(total.judged))")
    ]
    if total.known > 0 { counts.append(("Known failures", Words.grouped(total.known))) }
    if total.skipped > 0 { counts.append(("Skipped", Words.grouped(total.skipped))) }
    counts.append(("Duration", "\(TerminalReport.seconds(run.seconds)) s"))
    if run.restarts > 0 { counts.append(("Restarts", "\(run.restarts)")) }
    if run.isPartial { counts.append(("Scope", "not all cases")) }
    return counts
  }

  private func facts(_ run: ConformanceResults) -> [Fact] {
    var facts: [Fact] = [("Profile", run.profile)]
    if let seed = run.seed { facts.append(("Seed", "\(seed)")) }
    if run.generatedCount > 0 { facts.append(("Generated", Words.grouped(run.generatedCount))) }
    if let startedAt = run.startedAt { facts.append(("Date", startedAt)) }
    if let digest = run.vectorsDigest { facts.append(("Vectors", String(digest.prefix(12)))) }
    return facts
  }

  /// Facts that several runs have in common; they are said once.
  private static func shared(_ facts: [[Fact]]) -> Set<String> {
    guard facts.count > 1, let first = facts.first else { return [] }
    let names = first.filter { fact in
      facts.allSatisfy { $0.contains { $0 == fact } }
    }
    return Set(names.map(\.name))
  }

  mutating func letter(_ merged: MergedRuns, _ run: Int) {
    let letter = merged.letter(run)
    if !letter.isEmpty { element("b", letter, class: "letter") }
  }

  /// Entries of lists of known failures that are wrong.
  fileprivate mutating func listFaults(_ merged: MergedRuns) {
    for (place, run) in merged.runs.enumerated() {
      entries(merged, place, "Listed as known failures, but they pass", run.staleKnownFailures)
      entries(merged, place, "Listed as known failures, but no such case", run.unknownListEntries)
    }
  }

  private mutating func entries(
    _ merged: MergedRuns, _ run: Int, _ title: String, _ entries: [String]
  ) {
    guard !entries.isEmpty else { return }
    raw("<section class=\"list\">\n<h2>")
    letter(merged, run)
    text(title)
    raw("</h2>\n<ul>\n")
    for entry in entries.prefix(200) {
      raw("<li>")
      element("code", entry)
      raw("</li>\n")
    }
    if entries.count > 200 { element("li", "and \(entries.count - 200) more") }
    raw("</ul>\n</section>\n")
  }
}
