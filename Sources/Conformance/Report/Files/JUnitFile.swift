import ChannelNotation
/// A run for programs that show test results: a suite for each area, a test for each case. Follows
/// the schema that Jenkins reads (`junit-10.xsd` of its xUnit plugin).
public struct JUnitFile {
  private var bytes: [UInt8] = []

  private init() {}

  /// The run as an XML file. Known failures, and failures of recommended cases unless `strict`,
  /// stand there as skipped, so that the file fails when the run does.
  public static func bytes(of results: ConformanceResults, strict: Bool = false) -> [UInt8] {
    var file = JUnitFile()
    file.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"")
    file.put(escaped: results.testee)
    file.put("\" time=\"\(TerminalReport.seconds(results.seconds))\">\n")
    var order: [String] = []
    var areas: [String: [CaseResult]] = [:]
    for result in results.cases {
      if areas[result.area] == nil { order.append(result.area) }
      areas[result.area, default: []].append(result)
    }
    for area in results.generatedPasses.keys.sorted() where areas[area] == nil {
      order.append(area)
    }
    for area in order {
      file.suite(area, areas[area] ?? [], results.generatedPasses[area], strict)
    }
    if !results.staleKnownFailures.isEmpty { file.stale(results.staleKnownFailures) }
    file.put("</testsuites>\n")
    return file.bytes
  }

  private enum Outcome {
    case pass, failure, error
    case skipped(String)
  }

  private static func outcome(_ result: CaseResult, _ strict: Bool) -> Outcome {
    if let reason = result.knownReason, result.isFailure {
      return .skipped("known failure" + (reason.isEmpty ? "" : ": \(reason)"))
    }
    if result.isFailure, result.level == .recommended, !strict {
      return .skipped("recommended only: \(result.verdict.rawValue)")
    }
    switch result.verdict {
    case .pass: return .pass
    case .skipped: return .skipped(result.note ?? "")
    case .fail: return .failure
    case .crash, .timeout, .protocolError: return .error
    }
  }

  private mutating func suite(
    _ area: String, _ cases: [CaseResult], _ generated: Int?, _ strict: Bool
  ) {
    let outcomes = cases.map { JUnitFile.outcome($0, strict) }
    var (failures, errors, skipped) = (0, 0, 0)
    for outcome in outcomes {
      switch outcome {
      case .pass: break
      case .failure: failures += 1
      case .error: errors += 1
      case .skipped: skipped += 1
      }
    }
    put("<testsuite name=\"")
    put(escaped: area)
    put(
      "\" tests=\"\(cases.count + (generated == nil ? 0 : 1))\" failures=\"\(failures)\" "
        + "errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"0\">\n")
    for (result, outcome) in zip(cases, outcomes) { test(result, outcome) }
    if let generated {
      put("<testcase classname=\"")
      put(escaped: area)
      put("\" name=\"\(generated) generated cases pass\" time=\"0\"/>\n")
    }
    put("</testsuite>\n")
  }

  private mutating func test(_ result: CaseResult, _ outcome: Outcome) {
    put("<testcase classname=\"")
    put(escaped: result.area)
    put("\" name=\"")
    put(escaped: result.id)
    put("\" time=\"0\"")
    switch outcome {
    case .pass: return put("/>\n")
    case .skipped(let reason):
      put(">\n<skipped message=\"")
      put(escaped: reason)
      put("\"/>\n")
    case .failure: fault("failure", result)
    case .error: fault("error", result)
    }
    put("</testcase>\n")
  }

  private mutating func fault(_ element: String, _ result: CaseResult) {
    put(">\n<\(element) type=\"\(result.verdict.rawValue)\" message=\"")
    put(escaped: result.explanation.first ?? result.note ?? result.verdict.rawValue)
    put("\">")
    var lines = result.explanation
    if let note = result.note, !note.isEmpty { lines.append(note) }
    if let request = result.request { lines.append("request: " + JUnitFile.text(request)) }
    lines += result.expected.map { "expected: " + JUnitFile.text($0) }
    if let actual = result.actual { lines.append("actual: " + JUnitFile.text(actual)) }
    put(escaped: lines.joined(separator: "\n"))
    put("</\(element)>\n")
  }

  /// Enough of a payload to see what it is; the JSON file has all of it.
  private static func text(_ payload: Payload) -> String {
    switch payload {
    case .bytes(let bytes): "hex \(Words.hex(bytes, limit: 512))"
    case .noMessage: "no message"
    case .value(let text): Words.clipped(text, limit: 2000)
    case .refusal(let text): text.isEmpty ? "an error" : "error: \(Words.clipped(text, limit: 500))"
    }
  }

  private mutating func stale(_ entries: [String]) {
    put(
      "<testsuite name=\"known failures\" tests=\"\(entries.count)\" failures=\"\(entries.count)\" "
        + "errors=\"0\" skipped=\"0\" time=\"0\">\n")
    for entry in entries {
      put("<testcase classname=\"known failures\" name=\"")
      put(escaped: entry)
      put(
        "\" time=\"0\">\n<failure type=\"stale\" message=\"listed as failing, but it passes\"/>\n")
      put("</testcase>\n")
    }
    put("</testsuite>\n")
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  private mutating func put(escaped text: String) { put(XMLText.escaped(text)) }
}
