import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The JUnit report of a replay")
struct JUnitReportTests {
  private final class Collector: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) { elements.append((name, attributes)) }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  private func parse(_ report: [UInt8]) throws -> Collector {
    let parser = XMLParser(data: Data(report))
    let collector = Collector()
    parser.delegate = collector
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return collector
  }

  @Test("is well-formed, whatever names and values hold")
  func wellFormed() throws {
    var script = Script()
    let odd: ChannelName = "a<b>&\"c\u{1}\u{7f}é\u{fffe}"
    script.call(1, "m<'&\"\u{8}>", "]]>", on: odd)
    script.reply(1, "<&>", on: odd)
    script.call(2, "fine")
    script.reply(2)
    script.reply(99)
    let stage = Stage()
    let (summary, mismatches) = try script.play(on: stage)
    #expect(mismatches.count == 2)
    let report = JUnitReport.file(
      summary, name: "s<e>ssion", faults: ["line 5: <bad>"], failure: "gone & lost")
    let parsed = try parse(report)
    let suite = try #require(parsed.elements.first { $0.name == "testsuite" })
    #expect(suite.attributes["tests"] == "4")
    #expect(suite.attributes["failures"] == "2")
    #expect(suite.attributes["errors"] == "1")
    #expect(parsed.elements.filter { $0.name == "testcase" }.count == 4)
    #expect(parsed.elements.filter { $0.name == "failure" }.count == 2)
    #expect(parsed.text.contains("recorded '<&>' (string), now null"))
    #expect(parsed.text.contains("line 5: <bad>"))
  }

  @Test("has a test case for each method")
  func cases() throws {
    var script = Script()
    for id in 0..<100 as Range<UInt64> {
      script.call(id, id < 50 ? "a" : "b")
      script.reply(id, id < 50 ? .null : 1)
    }
    let (summary, _) = try script.play(on: Stage())
    let parsed = try parse(JUnitReport.file(summary, name: "x", faults: []))
    let cases = parsed.elements.filter { $0.name == "testcase" }.map(\.attributes)
    #expect(cases.map { $0["name"] } == ["a", "b"])
    #expect(cases.map { $0["classname"] } == ["PW", "PW"])
    let failure = try #require(parsed.elements.first { $0.name == "failure" })
    #expect(failure.attributes["message"] == "50 of 50 differ")
    #expect(parsed.text.contains("and 30 more"))
  }
}
