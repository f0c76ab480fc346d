import Testing

@testable import BridgeCommands

/// The summary of `exec`.
@Suite("Call totals") struct CallTotalsTests {
  @Test func nothingHappened() {
    #expect(CallTotals().summary == ["0 calls"])
  }

  @Test func worstCallsFirst() {
    let totals = CallTotals()
    for _ in 0..<3 { totals.note(.dropped, "PW b") }
    for name in ["PW a", "PW c", "PW d", "PW e"] { totals.note(.dropped, name) }
    totals.note(.repeatedReply, "PW x")
    totals.note(.error, "PW x")
    totals.note(.leftOpen, "PW z")
    #expect(
      totals.summary == [
        "0 calls, 1 error, 7 dropped, 1 left open, 1 repeated reply",
        "  errors: PW x",
        "  dropped: PW b (3), PW a, PW c, and others",
        "  left open: PW z",
        "  repeated replies: PW x",
      ])
    #expect(totals.unanswered == 8)
  }

  @Test func namesAreBounded() {
    let totals = CallTotals()
    for number in 0..<5000 { totals.note(.error, "x\(number)") }
    #expect(totals.count(of: .error) == 5000)
    #expect(totals.summary.count == 2)
  }

  @Test func namesAreCut() throws {
    let totals = CallTotals()
    let long = String(repeating: "é", count: 1 << 20)
    totals.note(.error, "PW " + long)
    totals.note(.error, "PW " + long + "another end")
    let line = try #require(totals.summary.last)
    #expect(line.hasPrefix("  errors: PW éé") && line.hasSuffix("é… (2)"))
    #expect(line.utf8.count < 250)
  }
}
