import ChannelCodec
import Foundation
import Testing

@testable import Conformance

/// `broken_testee.py`: bugs of codecs are caught and named, and so is misbehaviour.
@Suite("Broken testees", .serialized) struct BrokenTesteeTests {
  static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "broken_testee.py").path
  static let list = Result { () throws(VectorFailure) in
    try CaseList(VectorSource.compiledIn, profile: .strict)
  }

  struct Run {
    var results: ConformanceResults
    var failure: TesteeFailure?
    var required: [CaseResult] {
      results.cases.filter { $0.isFailure && $0.level == .required }
    }
  }

  private func run(
    _ bug: String, only: [String] = [], generated: Int = 0, timeout: Double = 20,
    inFlight: Int = 64, maximumRestarts: Int = 1000, maximumTimeouts: Int? = nil
  ) throws -> Run {
    var options = ConformanceRun.Options()
    options.filters = only.map { .anything($0) }
    options.generatedCount = generated
    options.seed = 11
    var testeeOptions = ProcessTestee.Options()
    testeeOptions.timeout = UInt64(timeout * 1e9)
    testeeOptions.inFlight = inFlight
    testeeOptions.maximumRestarts = maximumRestarts
    if let maximumTimeouts { testeeOptions.maximumTimeouts = maximumTimeouts }
    let testee = ProcessTestee(
      ["python3", BrokenTesteeTests.script, bug], options: testeeOptions)
    let run = ConformanceRun(try BrokenTesteeTests.list.get(), options: options)
    let results = run.run(testee)
    testee.finish()
    return Run(results: results, failure: run.failure)
  }

  @Test func withoutABugAllRequiredCasesPass() throws {
    let run = try run("none", only: ["standard-values", "method-calls", "envelopes"], generated: 0)
    #expect(run.failure == nil && run.results.isSuccess && run.results.restarts == 0)
    #expect(run.required.isEmpty, "\(run.required.prefix(5).map { ($0.id, $0.explanation) })")
    #expect(run.results.cases.filter { $0.verdict == .pass }.count > 400)
  }

  @Test(
    "bugs of codecs",
    arguments: [
      (
        "alignment-from-arguments", ["standard-alignment"],
        "alignment is counted from the start of the arguments"
      ),
      ("signed-size", ["standard.size.string-*"], "16-bit size is taken as signed"),
      (
        "no-padding-when-empty", ["standard.size.*-0.*"],
        "padding of an empty typed list is left out"
      ),
      ("int32-only", ["standard-values"], "int32 is used for every integer"),
      ("swapped-booleans", ["standard.bool.*"], "true and false are swapped"),
    ])
  func bug(_ bug: String, _ areas: [String], _ words: String) throws {
    let run = try run(bug, only: areas)
    #expect(run.failure == nil && !run.results.isSuccess)
    #expect(run.required.allSatisfy { $0.verdict == .fail })
    let named = run.required.filter { $0.explanation.joined(separator: " ").contains(words) }
    #expect(!named.isEmpty, "\(run.required.prefix(5).map { ($0.id, $0.explanation) })")
  }

  @Test func aBugIsFoundInGeneratedCasesAndShrunk() throws {
    let run = try run("swapped-booleans", only: ["generated.*"], generated: 200)
    let failures = run.results.cases.filter { $0.area == "generated.encode" }
    #expect(!failures.isEmpty)
    for failure in failures {
      #expect(failure.verdict == .fail && failure.level == .required)
      guard case .value(let text)? = failure.request else {
        Issue.record("\(failure.id): no value")
        continue
      }
      #expect(text.utf8.count < 90, "\(text)")
    }
  }

  @Test(arguments: [1, 64]) func aCrashIsBlamedOnItsCase(_ inFlight: Int) throws {
    let run = try run(
      "crash-on-empty", only: ["envelopes", "standard-malformed", "method-calls"],
      inFlight: inFlight)
    let crashes = run.results.cases.filter { $0.verdict == .crash }
    #expect(run.failure == nil && !crashes.isEmpty)
    #expect(crashes.allSatisfy { $0.request == .bytes([]) })
    #expect(run.results.cases.filter { $0.verdict == .fail && $0.level == .required }.isEmpty)
    for crash in crashes {
      #expect(crash.note?.contains("signal 6") == true, "\(crash.note ?? "")")
      #expect(crash.note?.contains("read byte 0 of nothing") == true)
      #expect(crash.explanation.joined(separator: " ").contains("empty"))
    }
    #expect(run.results.restarts >= crashes.count)
  }

  @Test func aHangIsBlamedOnItsCase() throws {
    let run = try run(
      "hang-on-long", only: ["standard.size.string-65535.*", "standard.size.string-1.*"], timeout: 4
    )
    let hangs = run.results.cases.filter { $0.verdict == .timeout }
    #expect(run.failure == nil && !hangs.isEmpty)
    for hang in hangs {
      guard case .bytes(let bytes)? = hang.request else {
        Issue.record("\(hang.id)")
        continue
      }
      #expect(bytes.count > 500)
      #expect(hang.note?.contains("no answer within 4 s") == true)
    }
    #expect(run.results.cases.contains { $0.verdict == .pass })
  }

  @Test func timeoutsAreBounded() throws {
    #expect(ProcessTestee.Options().maximumTimeouts == 20)
    let run = try run(
      "hang-on-long", only: ["standard.size.*-65535.*", "standard.size.string-1.*"], timeout: 2,
      inFlight: 1, maximumTimeouts: 2)
    let failure = try #require(run.failure).description
    #expect(failure == "given up: 2 requests got no answer in time")
    #expect(run.results.cases.count { $0.verdict == .timeout } == 2)
  }

  @Test(
    "misbehaviour on the pipes",
    arguments: [
      ("no-json", Verdict.protocolError, "not JSON"),
      ("wrong-ids", .protocolError, "which no unanswered request has"),
      ("endless-line", .protocolError, "without ending the line"),
      ("exits-at-once", .crash, "exit code 3"),
      ("exits-at-once", .crash, "cannot load libcodec.so"),
    ])
  func misbehaviour(_ bug: String, _ verdict: Verdict, _ words: String) throws {
    let run = try run(bug, only: ["standard-sizes"], timeout: 30)
    #expect(run.failure != nil && run.results.isPartial && !run.results.isSuccess)
    let first = try #require(run.results.cases.first { $0.isFailure })
    #expect(first.verdict == verdict)
    #expect(first.note?.contains(words) == true, "\(first.note ?? "")")
    #expect(run.results.cases.last?.verdict == .skipped)
    #expect(run.results.cases.last?.note?.contains("given up") == true)
  }

  @Test(
    "silence",
    arguments: [
      ("never-reads", "has not answered anything"), ("no-flush", "does it flush its output"),
    ])
  func silence(_ bug: String, _ words: String) throws {
    let run = try run(bug, only: ["standard-truncation"], timeout: 1)
    #expect(run.failure != nil)
    let first = try #require(run.results.cases.first { $0.isFailure })
    #expect(first.verdict == .timeout)
    #expect(first.note?.contains(words) == true, "\(first.note ?? "")")
  }

  @Test func aTesteeThatIsNotThere() throws {
    let testee = ProcessTestee(["/nonexistent/testee"])
    let run = ConformanceRun(try BrokenTesteeTests.list.get())
    let results = run.run(testee)
    #expect(run.failure?.description.contains("cannot start") == true && run.hasAskedNothing)
    #expect(results.cases.allSatisfy { $0.verdict == .skipped })
  }

  @Test func restartsAreBounded() throws {
    let run = try run("crash-on-empty", only: ["*"], maximumRestarts: 1)
    #expect(run.failure?.description.contains("started again") == true)
    #expect(run.results.restarts == 1 && run.results.isPartial)
  }
}
