import ChannelCodec
import ChannelNotation
import ChannelRouter

/// The outcome of a replay for programs that show test results: a test case for each channel and
/// method. Follows the schema that Jenkins reads (`junit-10.xsd` of its xUnit plugin).
public struct JUnitReport {
  private var bytes: [UInt8] = []

  private init() {}

  /// The report as an XML file.
  ///
  /// - Parameters:
  ///   - name: what was replayed.
  ///   - faults: what is wrong with the recording, in words.
  public static func file(
    _ summary: ReplaySummary, name: String, faults: [String], failure: String? = nil
  ) -> [UInt8] {
    var report = JUnitReport()
    let troubled = summary.methods.filter { $0.tally.different > 0 }.count
    let hasFaults = summary.faults > 0
    let tests = summary.methods.count + (hasFaults ? 1 : 0) + (failure == nil ? 0 : 1)
    let seconds = JUnitReport.seconds(summary.nanoseconds)
    report.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"")
    report.put(escaped: name)
    report.put(
      "\" tests=\"\(tests)\" failures=\"\(troubled + (hasFaults ? 1 : 0))\" "
        + "errors=\"\(failure == nil ? 0 : 1)\" skipped=\"0\" time=\"\(seconds)\">\n")
    for entry in summary.methods { report.put(entry.tally, entry.failures) }
    if hasFaults {
      report.put("<testcase classname=\"recording\" name=\"entries\" time=\"0\">\n")
      report.put(failure: "\(summary.faults) entries are at fault", faults)
      report.put("</testcase>\n")
    }
    if let failure {
      report.put(
        "<testcase classname=\"replay\" name=\"connection\" time=\"0\">\n<error message=\"")
      report.put(escaped: failure)
      report.put("\"/>\n</testcase>\n")
    }
    report.put("</testsuite>\n</testsuites>\n")
    return report.bytes
  }

  private mutating func put(_ tally: ReplayTally, _ failures: [String]) {
    put("<testcase classname=\"")
    put(escaped: tally.channel.description)
    put("\" name=\"")
    put(escaped: tally.method?.description ?? "messages")
    put(escaped: tally.isToDart ? " (to Dart)" : "")
    put("\" time=\"0\"")
    if tally.different == 0 { return put("/>\n") }
    put(">\n")
    put(failure: "\(tally.different) of \(max(tally.count, tally.different)) differ", failures)
    let further = tally.different - min(tally.different, UInt64(failures.count))
    if further > 0 { put("<system-out>and \(further) more</system-out>\n") }
    put("</testcase>\n")
  }

  private mutating func put(failure message: String, _ texts: [String]) {
    put("<failure type=\"mismatch\" message=\"")
    put(escaped: message)
    put("\">")
    put(escaped: texts.joined(separator: "\n"))
    put("</failure>\n")
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  private mutating func put(escaped text: String) { put(XMLText.escaped(text)) }

  private static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
