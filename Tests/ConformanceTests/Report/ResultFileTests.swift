import Conformance
import Testing

@Suite struct ResultFileTests {
  @Test func readsBackWhatItWrote() throws {
    let runs = [
      Samples.everything, ConformanceResults(testee: "", profile: ""), Samples.passes(3),
    ]
    for results in runs {
      #expect(try ResultFile.results(ResultFile.bytes(of: results)) == results)
    }
  }

  @Test func keepsHostileText() throws {
    let results = Samples.hostileRun
    let bytes = ResultFile.bytes(of: results)
    var expected = results
    for place in expected.cases.indices where expected.cases[place].verdict == .pass {
      expected.cases[place].request = nil
      expected.cases[place].expected = []
      expected.cases[place].actual = nil
    }
    #expect(try ResultFile.results(bytes) == expected)
    // Nothing that a terminal would act on.
    #expect(!bytes.contains { ($0 < 0x20 && $0 != 0x0a) || $0 == 0x7f })
  }

  /// Cases that pass are one line each, without their payloads.
  @Test func writesOneLineForACase() throws {
    var results = Samples.passes(2)
    results.cases[0].request = .bytes([UInt8](repeating: 0x61, count: 100_000))
    let text = String(decoding: ResultFile.bytes(of: results), as: UTF8.self)
    let line =
      #"  {"id":"standard-values.standard.case-0.decode","area":"standard-values","#
      + #""level":"required","operation":"decode","codec":"message","verdict":"pass"},"#
    #expect(text.split(separator: "\n").contains { $0 == line })
  }

  struct BadFile: Sendable {
    var text: String
    var words: String
  }

  static let start =
    #"{"format":"pwbridge-conformance","version":1,"testee":"t","profile":"p""#

  static let badFiles: [BadFile] = [
    BadFile(text: "", words: "not JSON"),
    BadFile(text: "[1]", words: "not a result file"),
    BadFile(text: "{}", words: "not a result file"),
    BadFile(text: #"{"format":"pwbridge-conformance"}"#, words: "version: expected a whole number"),
    BadFile(text: #"{"format":"pwbridge-conformance","version":2}"#, words: "reads version 1"),
    BadFile(
      text: #"{"format":"pwbridge-conformance","version":1}"#,
      words: "testee: expected a text, found nothing"),
    BadFile(text: start + #","seed":5}"#, words: "seed: expected a text, found 5"),
    BadFile(text: start + #","seed":"x"}"#, words: "seed: expected a number as text"),
    BadFile(
      text: start + #","generatedCount":-1}"#, words: "generatedCount: expected a number from 0"),
    BadFile(text: start + #","cases":{}}"#, words: "cases: expected a list"),
    BadFile(text: start + #","cases":[1]}"#, words: "cases[0]: expected an object, found 1"),
    BadFile(text: start + #","cases":[{}]}"#, words: "cases[0].level: expected a text"),
    BadFile(
      text: start
        + #","cases":[{"id":"a","area":"a","level":"required","operation":"o","codec":"c","#
        + #""verdict":"ok"}]}"#, words: "cases[0].verdict: expected one of pass, fail, skipped"),
    BadFile(
      text: start
        + #","cases":[{"id":"a","area":"a","level":"required","operation":"o","codec":"c","#
        + #""verdict":"fail","expected":[{"hex":"0"}]}]}"#, words: "cases[0].expected[0].hex"),
    BadFile(
      text: start
        + #","cases":[{"id":"a","area":"a","level":"required","operation":"o","codec":"c","#
        + #""verdict":"fail","actual":{}}]}"#, words: "cases[0].actual: expected one of"),
    BadFile(text: start + #","generatedPasses":{"a":"b"}}"#, words: "generatedPasses"),
  ]

  @Test(arguments: badFiles)
  func saysWhatIsWrong(_ file: BadFile) {
    do throws(ResultFileError) {
      _ = try ResultFile.results(Array(file.text.utf8))
      Issue.record("accepted: \(file.text)")
    } catch {
      #expect("\(error)".contains(file.words), "\(error)")
    }
  }

  /// A file with bytes changed is refused or read, and nothing else happens.
  @Test func survivesChangedBytes() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix(state: seed)
    let file = ResultFile.bytes(of: Samples.everything)
    for _ in 0..<100 {
      var changed = file
      for _ in 0..<3 {
        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0..<400, using: &random)) }
      _ = try? ResultFile.results(changed)
    }
  }

  /// Numbers that no run has overflow nothing.
  @Test func survivesHugeNumbers() throws {
    let most = "9223372036854775807"
    let text =
      Self.start + ",\"generatedCount\":\(most),\"restarts\":\(most),\"seconds\":1e308,"
      + "\"generatedPasses\":{\"a\":\(most),\"b\":\(most)}}"
    let results = try ResultFile.results(Array(text.utf8))
    #expect(TerminalReport().text(of: results).contains("PASS"))
    #expect(!HTMLReport.bytes(of: [results, results]).isEmpty)
    #expect(!JUnitFile.bytes(of: results).isEmpty)
    #expect(try ResultFile.results(ResultFile.bytes(of: results)).restarts == .max)
  }

  struct Outcome: Sendable {
    var cases: [CaseResult]
    var stale: [String] = []
    var isSuccess: Bool
    var isStrictSuccess: Bool
  }

  static func failing(_ level: Level, known: String? = nil) -> CaseResult {
    CaseResult(
      id: "a", area: "a", level: level, operation: "decode", codec: "message", verdict: .crash,
      knownReason: known)
  }

  @Test(arguments: [
    Outcome(cases: [], isSuccess: true, isStrictSuccess: true),
    Outcome(cases: [failing(.required)], isSuccess: false, isStrictSuccess: false),
    Outcome(cases: [failing(.recommended)], isSuccess: true, isStrictSuccess: false),
    Outcome(cases: [failing(.required, known: "")], isSuccess: true, isStrictSuccess: true),
    Outcome(cases: [], stale: ["a"], isSuccess: false, isStrictSuccess: false),
  ])
  func knowsWhatFailsARun(_ outcome: Outcome) {
    let results = ConformanceResults(
      testee: "", profile: "", cases: outcome.cases, staleKnownFailures: outcome.stale)
    #expect(results.isSuccess == outcome.isSuccess)
    #expect(results.isSuccess(strict: true) == outcome.isStrictSuccess)
  }
}
