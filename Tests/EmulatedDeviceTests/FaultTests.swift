import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

@Suite("Faults") struct FaultTests {
  private let zero: Value = ["elapsedSeconds": 0]

  private func bench(_ fault: String) throws -> Bench {
    let bench = try Bench()
    bench.device.faults.add(try FaultRule(fault))
    return bench
  }

  @Test func textComesBack() throws {
    for text in [
      "PW: no-reply", "*: delay 200ms", "PW.update*#3: delay 1h", "\"a.b\".c#1-3: close",
      "PW.x#2-: double-reply", "PW.x#%4: not-implemented", "PW: corrupt 00ff",
      "PW: error 418", "PW: error \"two words\" \"text; \\\"quoted\\\"\" {\"a\":[1,null]}",
      "PW: error c null 5", "PW: corrupt ",
    ] {
      let rule = try FaultRule(text)
      #expect(rule.description == text)
      #expect(try FaultRule(rule.description) == rule)
    }
    #expect(
      try FaultRule.rules(separatedBySemicolons: "PW: error c \"a;b\"; x: close ;").count == 2)
  }

  @Test func mistakesAreNamed() {
    let cases: [(String, String)] = [
      ("PW no-reply", "no colon"), ("PW: dely 1s", "did you mean delay?"),
      ("PW: delay", "delay needs a time"), ("PW: delay 5parsec", "found \"5parsec\""),
      ("PW#0: close", "expected the calls as"), ("PW#3-2: close", "expected the calls as"),
      ("a.b.c: close", "\"a.b\".c"), (": close", "expected a channel"),
      ("PW: corrupt 0", "hexadecimal"), ("PW: close now", "nothing may follow"),
      ("PW: error", "needs a code"), ("PW: error c text", "quotation marks"),
      ("PW: error c \"t\" {", "not JSON"), ("PW: error \"c", "closing mark"),
      ("PW:", "expected a fault"),
    ]
    for (text, words) in cases {
      do throws(FaultSyntaxError) {
        _ = try FaultRule(text)
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.text.contains(words), "\(error.text)")
      }
    }
  }

  @Test func filesHoldRules() throws {
    let text = "# faults\n\nPW: close\n  x.y#2: delay 1s\r\n"
    #expect(try FaultRule.rules(ofFile: Array(text.utf8)).count == 2)
    let json = """
      ["PW: close", {"channel": "PW", "method": "m", "calls": 2, "fault": "delay", "delay": 0.5},
       {"fault": "error", "code": "c", "message": "m", "details": {"a": 1}},
       {"channel": "x", "calls": "%3", "fault": "corrupt", "bytes": "00 01"}]
      """
    #expect(
      try FaultRule.rules(ofFile: Array(json.utf8)).map(\.description) == [
        "PW: close", "PW.m#2: delay 500ms", "*: error c \"m\" {\"a\":1}", "x#%3: corrupt 0001",
      ])
    #expect(throws: FaultSyntaxError.self) { try FaultRule.rules(ofFile: Array("a\n".utf8)) }
    #expect(throws: FaultSyntaxError.self) { try FaultRule.rules(ofFile: Array("[1]".utf8)) }
    #expect(throws: FaultSyntaxError.self) { try FaultRule(value: ["chanel": "PW"]) }
  }

  @Test func aDelayHoldsTheReply() throws {
    let bench = try bench("PW.startLiveActivity: delay 200ms")
    let id = try bench.send("PW", "startLiveActivity", zero)
    #expect(bench.outcome(id) == nil)
    #expect(bench.device.store.activitiesOnScreen.count == 1)
    #expect(try bench.control("journal", ["open": true])["entries"]?.list?.count == 1)
    bench.device.clock.advance(by: .milliseconds(199))
    #expect(bench.outcome(id) == nil)
    bench.device.clock.advance(by: .milliseconds(1))
    #expect(bench.outcome(id) == .payload([0, 0]))
    #expect(bench.port.answers[id]?.count == 1)
  }

  @Test func aHeldReplyGoesOutAtReset() throws {
    let bench = try bench("PW: delay 1h")
    let id = try bench.send("PW", "startLiveActivity", zero)
    bench.device.reset()
    #expect(bench.outcome(id) == .payload([0, 0]))
    #expect(bench.device.faults.entries.isEmpty)
    bench.device.clock.advance(by: .seconds(7200))
    #expect(bench.port.answers[id]?.count == 1)
  }

  @Test func noReplyDrops() throws {
    let bench = try bench("PW: no-reply")
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .dropped)
    #expect(bench.device.store.activitiesOnScreen.count == 1)
    #expect(bench.device.messenger.journal.totals.dropped == 1)
  }

  @Test func aDoubleReplyIsReported() throws {
    let bench = try bench("PW: double-reply")
    let id = try bench.send("PW", "startLiveActivity", zero)
    #expect(bench.port.answers[id] == [.payload([0, 0])])
    #expect(bench.device.messenger.journal.totals.repeatedReplies == 1)
    #expect(bench.port.reports.contains { $0.kind == .replyAlreadySubmitted && $0.id == id })
  }

  @Test func errorAndNotImplementedKeepTheHandlerOut() throws {
    let bench = try bench("PW.startLiveActivity#1: error 500 \"no\" [1]")
    bench.device.faults.add(try FaultRule("PW.startLiveActivity#2: not-implemented"))
    let error = try bench.failure("PW", "startLiveActivity", zero)
    #expect(error == ErrorEnvelope(code: "500", message: "no", details: [1]))
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .payload(nil))
    #expect(bench.device.store.activitiesOnScreen.isEmpty)
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .payload([0, 0]))
  }

  @Test func corruptBytesGoOut() throws {
    let bench = try bench("P?.*#%2: corrupt 07ff")
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .payload([0, 0]))
    #expect(try bench.outcome("PW", "updateLiveActivity", zero) == .payload([7, 255]))
    #expect(bench.device.stopwatchActivity?.updateCount == 1)
  }

  @Test func theConnectionBreaks() throws {
    let bench = try bench("PW.stop*: close")
    _ = try bench.outcome("PW", "startLiveActivity", zero)
    #expect(!bench.port.isBroken)
    #expect(try bench.outcome("PW", "stopLiveActivity") == .dropped)
    #expect(bench.port.isBroken)
    #expect(bench.device.stopwatchActivity?.state == .active)
  }

  @Test func severalRulesAddUp() throws {
    let bench = try bench("PW: delay 1s")
    bench.device.faults.add(try FaultRule("*: delay 1s"))
    bench.device.faults.add(try FaultRule("PW: error c"))
    let id = try bench.send("PW", "startLiveActivity", zero)
    bench.device.clock.advance(by: .milliseconds(1999))
    #expect(bench.outcome(id) == nil)
    bench.device.clock.advance(by: .milliseconds(1))
    #expect(bench.outcome(id) == .payload([1, 7, 1, 99, 0, 0]))
  }

  @Test func aRuleForAllSparesTheControlChannel() throws {
    let bench = try bench("*: no-reply")
    #expect(try bench.outcome("unknown", "x") == .dropped)
    try bench.control("faults.clear")
    #expect(try bench.outcome("unknown", "x") == .payload(nil))
    bench.device.faults.add(try FaultRule("pwbridge/control.totals: not-implemented"))
    #expect(try bench.outcome("pwbridge/control", "totals") == .payload(nil))
  }

  @Test func theControlChannelSetsFaults() throws {
    let bench = try Bench()
    #expect(try bench.control("faults.add", ["rule": "PW#2: close"]) == [1])
    #expect(
      try bench.control(
        "faults.add", ["rules": ["x: no-reply", ["fault": "delay", "delay": "1s"]]]) == [2, 3])
    _ = try bench.send("PW", "startLiveActivity", zero)
    let list = try bench.control("faults.list")
    #expect(
      list[0] == ["number": 1, "rule": "PW#2: close", "matched": 1, "hits": 0])
    #expect(list[2]?["rule"] == "*: delay 1s")
    try bench.control("faults.remove", ["number": 1])
    #expect(
      try bench.failure("pwbridge/control", "faults.remove", ["number": 1]).code == "no-such-fault")
    let error = try bench.failure("pwbridge/control", "faults.add", ["rule": "PW: clos"])
    #expect(error.code == "bad-arguments")
    #expect(error.details["found"]?.string?.contains("did you mean close?") == true)
    try bench.control("faults.clear", ["release": true])
    #expect(bench.port.answers[1] == nil || bench.device.faults.heldReplies == 0)
    #expect(try bench.control("faults.list") == [])
  }
}
