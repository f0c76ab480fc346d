import Testing

@testable import Conformance

@Suite("Known failures") struct KnownFailureTests {
  @Test(
    "patterns",
    arguments: [
      ("a.b.c", "a.b.c", true), ("a.*.c", "a.b.c", true), ("a.*.c", "a.b.x.c", false),
      ("a.*", "a.b.c", false), ("a.*.*", "a.b.c", true), ("a.b-*.c", "a.b-12.c", true),
      ("a.*b*.c", "a.xbyb.c", true), ("*", "a", true), ("*", "a.b", false), ("a*", "a", true),
      ("a.b", "a.b.c", false), ("", "", true), ("**.b", "a.b", true), ("*c*.d", "abcbc.d", true),
    ])
  func parts(pattern: String, id: String, expected: Bool) {
    #expect(CasePattern.parts(pattern).matches(id) == expected)
    if expected { #expect(CasePattern.anything(pattern).matches(id)) }
  }

  @Test func anything() {
    #expect(CasePattern.anything("a.*").matches("a.b.c"))
    #expect(CasePattern.anything("*float*").matches("standard.float64.zero.decode"))
    #expect(!CasePattern.anything("a*b").matches("acd"))
  }

  private func results(_ verdicts: [(String, Verdict)], isPartial: Bool = false)
    -> ConformanceResults
  {
    var results = ConformanceResults(testee: "t", profile: "strict", isPartial: isPartial)
    results.cases = verdicts.map { id, verdict in
      CaseResult(id: id, area: "a", operation: "decode", codec: "message", verdict: verdict)
    }
    return results
  }

  @Test func marksListedFailuresAndFindsStaleEntries() {
    let list = KnownFailures("# head\n\na.*.decode # why\nb  #\n  c\nnone\nd.1\r\n")
    var run = results([
      ("a.1.decode", .fail), ("a.2.decode", .pass), ("b", .crash), ("c", .pass), ("x", .timeout),
      ("d.1", .skipped),
    ])
    list.mark(&run)
    #expect(run.cases.map(\.knownReason) == ["why", nil, "", nil, nil, nil])
    #expect(run.staleKnownFailures == ["c"])
    #expect(run.unknownListEntries == ["none"])
    #expect(!run.isSuccess)
  }

  @Test func rewritingKeepsCommentsAndReasons() {
    let list = KnownFailures("# head\n\na.*.decode # why\nb\nc # gone\n# tail\n")
    var run = results([("a.1.decode", .fail), ("b", .fail), ("c", .pass), ("x", .crash)])
    list.mark(&run)
    let revision = list.revised(by: run, isStrict: false)
    #expect(revision.text == "# head\n\na.*.decode # why\nb\n# tail\nx  # crash\n")
    #expect(revision.added == 1 && revision.removed == 1 && revision.unlisted == 0)
    var again = results([("a.1.decode", .fail), ("b", .fail), ("c", .pass), ("x", .crash)])
    KnownFailures(revision.text).mark(&again)
    #expect(again.isSuccess)
  }

  @Test func aPartialRunNamesNoUnknownEntries() {
    var run = results([("a", .fail)], isPartial: true)
    KnownFailures("a\nb\n").mark(&run)
    #expect(run.unknownListEntries.isEmpty && run.isSuccess)
  }
}
