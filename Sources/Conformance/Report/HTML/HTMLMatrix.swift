extension HTMLWriter {
  /// Areas against testees.
  mutating func matrix(_ merged: MergedRuns) {
    raw("<section class=\"matrix\">\n<h2>Areas</h2>\n<div class=\"scroll\"><table>\n<thead><tr>")
    raw("<th scope=\"col\">Area</th>")
    for (place, run) in merged.runs.enumerated() {
      raw("<th scope=\"col\"")
      attribute("title", Words.clipped(run.testee, limit: 200))
      raw(">")
      letter(merged, place)
      element("span", Words.clipped(run.testee, limit: 40), class: "name")
      raw("</th>")
    }
    raw("</tr></thead>\n<tbody>\n")
    for area in merged.areas {
      raw("<tr><th scope=\"row\">")
      if area.cases.isEmpty {
        text(area.name)
      } else {
        raw("<a")
        attribute("href", "#area-" + HTMLWriter.anchor(area.name))
        raw(">")
        text(area.name)
        raw("</a>")
      }
      raw("</th>")
      for tally in area.tallies { cell(tally) }
      raw("</tr>\n")
    }
    raw("</tbody>\n<tfoot><tr><th scope=\"row\">All</th>")
    for tally in merged.totals { cell(tally) }
    raw("</tr></tfoot>\n</table></div>\n")
    raw(
      """
      <p class="legend"><span><i class="m pass">✓</i> pass</span> \
      <span><i class="m fail">✗</i> required failure</span> \
      <span><i class="m warn">!</i> recommended failure</span> \
      <span><i class="m known">≈</i> known</span> <span><i class="m skip">–</i> skipped</span> \
      <span><i class="m fail">‼</i> crash</span> <span><i class="m fail">…</i> timeout</span> \
      <span><i class="m fail">?</i> protocol error</span></p>

      """)
    raw("</section>\n")
  }

  /// What most failures of each run look like.
  mutating func causes(_ merged: MergedRuns) {
    let all = merged.runs.map { Causes($0) }
    guard all.contains(where: { !$0.causes.isEmpty }) else { return }
    raw("<section class=\"causes\">\n<h2>What it looks like</h2>\n<ol>\n")
    for (place, causes) in all.enumerated() {
      for cause in causes.causes.prefix(6) {
        raw("<li><span class=\"count\">\(Words.grouped(cause.count)) ×</span>")
        letter(merged, place)
        element("span", Words.clipped(cause.sentence, limit: 400))
        raw(" <a")
        attribute("href", "#" + HTMLWriter.anchor(cause.id))
        raw(">example</a></li>\n")
      }
      let others = causes.otherCount + causes.causes.dropFirst(6).reduce(0) { $0 + $1.count }
      if others > 0 {
        raw("<li><span class=\"count\">\(Words.grouped(others)) ×</span>")
        letter(merged, place)
        raw("<span>Other failures</span></li>\n")
      }
    }
    raw("</ol>\n</section>\n")
  }

  private mutating func cell(_ tally: ResultTally) {
    let mark = Mark.of(tally)
    raw("<td class=\"\(mark.name)\"")
    attribute("title", HTMLWriter.details(of: tally, mark))
    raw("><span class=\"rate\"><i class=\"m \(mark.name)\">\(mark.symbol)</i>")
    if tally.judged == 0 {
      raw("</span></td>")
      return
    }
    raw("\(HTMLWriter.rate(tally.passed, of: tally.judged))</span>")
    raw("<small>\(Words.grouped(tally.passed))/<wbr>\(Words.grouped(tally.judged))</small>")
    let width = Int(Double(tally.passed) / Double(tally.judged) * 100)
    raw("<span class=\"meter\"><span style=\"width:\(width)%\"></span></span></td>")
  }

  static func details(of tally: ResultTally, _ mark: Mark) -> String {
    let parts = [
      (tally.requiredFail, "required wrong"), (tally.recommendedFail, "recommended wrong"),
      (tally.crash, "crash"), (tally.timeout, "timeout"), (tally.protocolError, "protocol error"),
      (tally.known, "known"), (tally.skipped, "skipped"),
    ]
    let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return ([mark.words] + shown).joined(separator: ", ")
  }

  /// Rounded down, so that 100 % means all.
  static func rate(_ part: Int, of whole: Int) -> String {
    if part >= whole { return "100 %" }
    let tenths = Int(Double(part) / Double(whole) * 1000)
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
