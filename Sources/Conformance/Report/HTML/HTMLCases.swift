extension HTMLWriter {
  /// The cases of an area: failures one by one, then what was skipped, then what passes.
  mutating func area(_ area: MergedRuns.Area, _ merged: MergedRuns, _ detailed: inout Int) {
    raw("<section class=\"area\"")
    attribute("id", "area-" + HTMLWriter.anchor(area.name))
    raw(">\n<h2>")
    text(area.name)
    raw("<span class=\"score\">")
    for (place, tally) in area.tallies.enumerated() where tally.judged > 0 {
      raw("<span>")
      letter(merged, place)
      raw("\(Words.grouped(tally.passed))/\(Words.grouped(tally.judged))</span>")
    }
    raw("</span></h2>\n")
    for entry in area.cases where entry.isFailure {
      detailed += 1
      failure(entry, area.name, merged, isDetailed: detailed <= HTMLReport.mostDetailed)
    }
    let others = area.cases.filter { !$0.isFailure }
    list(others.filter(\.isSkipped), "skip", "–", "skipped", area.name, merged)
    list(others.filter { !$0.isSkipped }, "pass", "✓", "pass", area.name, merged)
    raw("</section>\n")
  }

  /// What a name adds to the name of its area.
  private func short(_ id: String, _ area: String) -> String {
    id.hasPrefix(area + ".") ? String(id.dropFirst(area.count + 1)) : id
  }

  /// Cases with nothing to tell, as compact as can be.
  private mutating func list(
    _ cases: [MergedRuns.Case], _ kind: String, _ symbol: String, _ word: String, _ area: String,
    _ merged: MergedRuns
  ) {
    guard !cases.isEmpty else { return }
    raw("<details class=\"group\"><summary><i class=\"m \(kind)\">\(symbol)</i>")
    raw("<span class=\"count\">\(cases.count)</span> \(word)</summary>\n<ul class=\"\(kind)\">\n")
    for entry in cases {
      raw("<li")
      attribute("id", HTMLWriter.anchor(entry.id))
      if entry.level == .recommended { raw(" class=\"r\"") }
      raw(">")
      text(short(entry.id, area))
      if kind == "skip" { skips(entry, merged) }
      raw("\n")
    }
    raw("</ul></details>\n")
  }

  private mutating func skips(_ entry: MergedRuns.Case, _ merged: MergedRuns) {
    for (place, result) in entry.results.enumerated() {
      guard let result, result.verdict == .skipped else { continue }
      raw(" <small>")
      letter(merged, place)
      text(Words.clipped(result.note ?? "", limit: 160))
      raw("</small>")
    }
  }

  private mutating func failure(
    _ entry: MergedRuns.Case, _ area: String, _ merged: MergedRuns, isDetailed: Bool
  ) {
    let results = entry.results.compactMap { $0 }
    raw("<details class=\"case\"")
    attribute("id", HTMLWriter.anchor(entry.id))
    let words = Set(results.map(Mark.filterWord)).sorted()
    attribute("data-v", words.joined(separator: " "))
    raw(" data-l=\"\(entry.level.rawValue)\">\n<summary><span class=\"marks\">")
    for (place, result) in entry.results.enumerated() {
      let mark = Mark.of(result)
      raw("<i class=\"m \(mark.name)\"")
      let testee = Words.clipped(merged.runs[place].testee, limit: 60)
      attribute("title", "\(testee): \(mark.words)")
      raw(">\(mark.symbol)</i>")
    }
    raw("</span><span class=\"id\">")
    text(short(entry.id, area))
    raw("</span>")
    if entry.level == .recommended { raw("<span class=\"tag\">recommended</span>") }
    hint(results)
    raw("</summary>\n<div class=\"body\">\n")
    request(entry)
    for (place, result) in entry.results.enumerated() {
      guard let result, result.isFailure else { continue }
      verdict(result, place, merged, isDetailed: isDetailed)
    }
    raw("<p class=\"again\"><span>Run it again</span> <code>")
    text("pwbridge conform --only \(ShellWord.quoted(entry.id))")
    raw("</code> <a")
    attribute("href", "#" + HTMLWriter.anchor(entry.id))
    raw(">link</a></p>\n</div></details>\n")
  }

  /// A few words beside the name, so that a row tells something before it is opened.
  private mutating func hint(_ results: [CaseResult]) {
    let failures = results.filter(\.isFailure)
    guard let result = failures.first(where: { $0.knownReason == nil }) ?? failures.first,
      let words = Causes.cause(of: result) ?? result.explanation.first
    else { return }
    let beginning = "It looks like "
    let shown = words.hasPrefix(beginning) ? String(words.dropFirst(beginning.count)) : words
    element("span", Words.clipped(shown, limit: 110), class: "hint")
  }

  private mutating func request(_ entry: MergedRuns.Case) {
    guard let result = entry.results.lazy.compactMap({ $0 }).first(where: { $0.request != nil }),
      let request = result.request
    else { return }
    raw("<dl class=\"given\"><div><dt>")
    text("\(result.operation) · \(result.codec)")
    raw("</dt><dd>")
    payload(request)
    raw("</dd></div></dl>\n")
  }

  private mutating func verdict(
    _ result: CaseResult, _ place: Int, _ merged: MergedRuns, isDetailed: Bool
  ) {
    let mark = Mark.of(result)
    raw("<section class=\"finding \(mark.name)\">\n<h3>")
    letter(merged, place)
    raw("<i class=\"m \(mark.name)\">\(mark.symbol)</i>")
    if merged.runs.count > 1 {
      text(Words.clipped(merged.runs[place].testee, limit: 80))
      raw(" · ")
    }
    text(mark.words)
    raw("</h3>\n")
    if let reason = result.knownReason {
      element(
        "p", reason.isEmpty ? "Listed without a reason." : "Listed: " + reason, class: "known")
    }
    let sentences = isDetailed ? result.explanation : Array(result.explanation.prefix(2))
    for (number, sentence) in sentences.enumerated() {
      let isCause = sentence.hasPrefix("It looks like ")
      let kind = isCause ? "cause" : number == 0 ? "lead" : "more"
      element("p", Words.clipped(sentence, limit: 1000), class: kind)
      raw("\n")
    }
    if isDetailed { details(result) }
    raw("</section>\n")
  }

  private mutating func details(_ result: CaseResult) {
    if let pair = SideBySide(result) {
      bytes(pair)
    } else if !result.expected.isEmpty {
      raw("<dl class=\"pair\">")
      for (number, expected) in result.expected.prefix(4).enumerated() {
        raw("<div><dt>\(number == 0 ? "expected" : "or")</dt><dd>")
        payload(expected)
        raw("</dd></div>")
      }
      if let actual = result.actual {
        raw("<div><dt>answered</dt><dd>")
        payload(actual)
        raw("</dd></div>")
      }
      raw("</dl>\n")
    }
    if let note = result.note, !note.isEmpty {
      raw("<pre class=\"note\">")
      text(Words.clipped(note, limit: 4000))
      raw("</pre>\n")
    }
    if let origin = result.shrunkFrom {
      raw("<p class=\"more\">Shrunk from ")
      element("code", Words.clipped(origin, limit: 400))
      raw("</p>\n")
    }
  }

  private mutating func payload(_ payload: Payload) {
    switch payload {
    case .bytes(let bytes):
      if bytes.isEmpty { return element("em", "an empty message, 0 bytes") }
      element("code", Words.hex(bytes, limit: 64))
      if bytes.count > 64 { element("small", " \(bytes.count) bytes") }
    case .noMessage, .value("null"): element("em", "no message (null)")
    case .value(let text): element("code", Words.clipped(text, limit: 600))
    case .refusal(let text):
      element("em", "an error")
      if !text.isEmpty {
        raw(" ")
        element("code", Words.clipped(text, limit: 300))
      }
    }
  }
}
