import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

/// What faults keep is bounded, and delays end when nobody waits any more.
@Suite("Limits of faults") struct FaultLimitTests {
  private let zero: Value = ["elapsedSeconds": 0]

  private func bench(_ faults: String...) throws -> Bench {
    let bench = try Bench()
    for fault in faults { bench.device.faults.add(try FaultRule(fault)) }
    return bench
  }

  private func passedOver(_ bench: Bench) -> Int {
    bench.warnings.count { $0.contains("the delay is passed over") }
  }

  // MARK: - Messages that want no reply

  @Test func messagesThatWantNoReplyAreHeldInABoundedNumber() throws {
    let bench = try bench("a: delay 1h")
    for _ in 0..<1500 { bench.device.messenger.receive([1], on: "a", id: 0, from: bench.port) }
    #expect(bench.device.faults.heldReplies == 1024)
    #expect(passedOver(bench) == 476)
    // Calls that want a reply are not concerned.
    let id = bench.send("a", message: [1])
    #expect(bench.outcome(id) == nil)
    #expect(bench.device.faults.heldReplies == 1025)
    bench.device.clock.advance(by: .seconds(3600))
    #expect(bench.device.faults.heldReplies == 0)
    #expect(bench.outcome(id) == .payload(nil))
    bench.device.messenger.receive([1], on: "a", id: 0, from: bench.port)
    #expect(bench.device.faults.heldReplies == 1, "what has gone makes room")
  }

  @Test func theirBytesAreBounded() throws {
    let bench = try bench("a: delay 1h")
    bench.device.messenger.setMessageHandler(on: "a") { message, reply in reply.send(message) }
    let megabyte = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<20 { bench.device.messenger.receive(megabyte, on: "a", id: 0, from: bench.port) }
    // Message and reply count: four pairs are 8 MiB, and one more begins below the limit.
    #expect(bench.device.faults.heldReplies == 5)
    #expect(passedOver(bench) == 15)
    bench.device.faults.releaseHeldReplies()
    bench.device.messenger.receive(megabyte, on: "a", id: 0, from: bench.port)
    #expect(bench.device.faults.heldReplies == 1)
  }

  // MARK: - Nobody waits any more

  @Test func aCancelledCallIsAnsweredAtOnce() throws {
    let bench = try bench("PW: delay 1h")
    let message = try Bench.codec.encodeMethodCall(.init("startLiveActivity", zero))
    var calls: [RoutingMessenger.OpenCall] = []
    for id: UInt64 in 1...3 {
      let call = bench.device.messenger.receive(message, on: "PW", id: id, from: bench.port)
      calls.append(try #require(call))
    }
    bench.device.messenger.cancel(calls[1])
    #expect(bench.outcome(2) == .payload([0, 0]))
    #expect(bench.outcome(1) == nil && bench.outcome(3) == nil)
    #expect(bench.device.faults.heldReplies == 2)
    bench.device.clock.advance(by: .seconds(3600))
    for id: UInt64 in 1...3 { #expect(bench.port.answers[id]?.count == 1) }
  }

  @Test func aCallThatWasCancelledBeforeItsAnswerIsNotHeld() throws {
    let bench = try bench("slow: delay 1h")
    var kept: BinaryReply?
    bench.device.messenger.setMessageHandler(on: "slow") { _, reply in kept = reply }
    let call = bench.device.messenger.receive([1], on: "slow", id: 9, from: bench.port)
    bench.device.messenger.cancel(try #require(call))
    #expect(bench.outcome(9) == nil)
    kept?.send([7])
    #expect(bench.outcome(9) == .payload([7]))
  }

  @Test func aCallThatWasCancelledBeforeItIsDroppedIsNotHeld() throws {
    let bench = try bench("slow: delay 1h")
    var kept: BinaryReply?
    bench.device.messenger.setMessageHandler(on: "slow") { _, reply in kept = reply }
    let call = bench.device.messenger.receive([1], on: "slow", id: 9, from: bench.port)
    bench.device.messenger.cancel(try #require(call))
    #expect(kept != nil && bench.outcome(9) == nil)
    kept = nil
    #expect(bench.outcome(9) == .dropped)
    #expect(bench.device.faults.heldReplies == 0)
  }

  /// Another one's cancel is none of the call's business, nor is one of a message without a delay.
  @Test func onlyTheCancelledCallIsNotHeld() throws {
    let bench = try bench("slow#2-: delay 1h")
    var kept: [BinaryReply] = []
    bench.device.messenger.setMessageHandler(on: "slow") { _, reply in kept.append(reply) }
    let calls = (1...3).map {
      bench.device.messenger.receive([1], on: "slow", id: $0, from: bench.port)
    }
    for call in calls.prefix(2) { bench.device.messenger.cancel(try #require(call)) }
    kept = []
    #expect(bench.outcome(1) == .dropped && bench.outcome(2) == .dropped)
    #expect(bench.outcome(3) == nil && bench.device.faults.heldReplies == 1)
    bench.device.clock.advance(by: .seconds(3600))
    #expect(bench.outcome(3) == .dropped)
  }

  @Test func aDroppedCallCanBeCancelledToo() throws {
    let bench = try bench("silent: delay 1h")
    bench.device.messenger.setMessageHandler(on: "silent") { _, _ in }
    let call = bench.device.messenger.receive([1], on: "silent", id: 9, from: bench.port)
    #expect(bench.device.faults.heldReplies == 1)
    if let call { bench.device.messenger.cancel(call) }
    #expect(bench.device.faults.heldReplies == (call == nil ? 1 : 0))
  }

  @Test func whatIsHeldForAConnectionEndsWithIt() throws {
    let bench = try bench("a: delay 1h")
    let other = DartEnd()
    bench.device.messenger.attach(other)
    for id: UInt64 in 0...4 {
      bench.device.messenger.receive([1], on: "a", id: id, from: bench.port)
    }
    bench.device.messenger.receive([1], on: "a", id: 1, from: other)
    bench.device.messenger.detach(bench.port)
    #expect(bench.device.faults.heldReplies == 1)
    #expect(
      bench.device.messenger.journal.entries.prefix(5).map(\.outcome)
        == Array(repeating: .disconnected, count: 5))
    bench.device.clock.advance(by: .seconds(3600))
    #expect(other.answers[1] == [.payload(nil)])
    #expect(bench.port.answers[1] == [.disconnected])
  }

  // MARK: - Rules

  private let many = Array(repeating: "x: close", count: 1025)

  @Test func rulesInTextAndFilesAreBounded() throws {
    let line = many.joined(separator: "\n")
    let json = "[\"" + many.joined(separator: "\",\"") + "\"]"
    for input in [line, json] {
      let error = #expect(throws: FaultSyntaxError.self) {
        try FaultRule.rules(ofFile: Array(input.utf8))
      }
      #expect(error?.text.contains("at most 1024 rules") == true)
    }
    let fewer = many.dropLast()
    #expect(try FaultRule.rules(ofFile: Array(fewer.joined(separator: "\n").utf8)).count == 1024)
    #expect(throws: FaultSyntaxError.self) {
      try FaultRule.rules(separatedBySemicolons: many.joined(separator: ";"))
    }
  }

  @Test func rulesOfOptionsAreBounded() throws {
    var options = DeviceOptions()
    for _ in 0..<1024 { try options.set("fault", to: "x: close") }
    let error = #expect(throws: DeviceOptionError.self) {
      try options.set("fault", to: "x: close")
    }
    #expect(error?.text.contains("at most 1024 rules can be in force") == true)
    #expect(options.faults.count == 1024)
    try options.set("fault", to: "none")
    #expect(options.faults.isEmpty)
  }

  @Test func rulesOfControlCallsAreBounded() throws {
    let bench = try Bench()
    let rules = Value.list(Value.List(many.prefix(1000).map { .string(.init($0)) }))
    try bench.control("faults.add", ["rules": rules])
    let error = try bench.failure("pwbridge/control", "faults.add", ["rules": rules])
    #expect(error.code == "too-many-faults")
    #expect(error.message?.description.contains("1000 more than the 1000 that are there") == true)
    #expect(bench.device.faults.entries.count == 1000, "all or none")
    for _ in 0..<24 { try bench.control("faults.add", ["rule": "y: close"]) }
    #expect(
      try bench.failure("pwbridge/control", "faults.add", ["rule": "y: close"]).code
        == "too-many-faults")
    try bench.control("faults.remove", ["number": 1])
    #expect(try bench.control("faults.add", ["rule": "y: close"]) == [1025])
    let list = Value.list(Value.List(many.map { .string(.init($0)) }))
    try bench.control("faults.clear")
    let whole = try bench.failure("pwbridge/control", "faults.add", ["rules": list])
    #expect(whole.code == "too-many-faults")
    #expect(whole.message?.description.contains("at most 1024") == true)
    let text = Value.string(.init(many.joined(separator: "\n")))
    #expect(
      try bench.failure("pwbridge/control", "faults.add", ["rules": text]).code
        == "too-many-faults")
    for (arguments, found) in [
      ([:], "nothing"), (["rule": "y: close", "rules": "y: close"], "both rule and rules"),
      (["rules": 1], "neither list nor text"),
    ] as [(Value, String)] {
      let error = try bench.failure("pwbridge/control", "faults.add", arguments)
      #expect(error.code == "bad-arguments")
      #expect(error.message?.description.hasSuffix(found) == true)
    }
  }

  @Test func theirBytesAreBoundedTogether() throws {
    let bench = try Bench()
    let long = [UInt8](repeating: 1, count: Faults.mostRuleBytes - 20)
    let rule = FaultRule(channel: "x", action: .corruptReply(long))
    #expect(try bench.device.faults.add(contentsOf: [rule]) == [1])
    let words = String(repeating: "w", count: 30)
    for further in [
      "y: corrupt \(String(repeating: "00", count: 30))", "y: error c null \"\(words)\"",
    ] {
      let error = try bench.failure(
        "pwbridge/control", "faults.add", ["rule": .string(.init(further))])
      #expect(error.code == "too-many-faults")
      #expect(error.message?.description.contains("16777216 at most") == true)
    }
    try bench.control("faults.add", ["rule": "y: close"])
    try bench.control("faults.remove", ["number": 1])
    #expect(try bench.device.faults.add(contentsOf: [rule]) == [3])
    #expect(throws: FaultSyntaxError.self) { try bench.device.faults.add(contentsOf: [rule]) }
    #expect(bench.device.faults.entries.map(\.number) == [2, 3])
  }

  @Test func aLongRuleIsToldInShort() throws {
    let bench = try Bench()
    let bytes = String(repeating: "00", count: 1 << 12)
    bench.device.faults.add(try FaultRule("PW: corrupt \(bytes)"))
    _ = try bench.send("PW", "startLiveActivity", zero)
    let remark = try #require(bench.warnings.first { $0.contains("fault PW: corrupt 00") })
    #expect(remark.utf8.count < 300 && remark.hasSuffix("..."))
  }
}
