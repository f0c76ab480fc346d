import ChannelRouter
import Testing

@testable import ChannelTransport

@Suite("Conversations in lines") struct LineConversationTests {
  private func talk(
    _ input: String, _ prepare: @escaping (RoutingMessenger) -> Void = { _ in }
  ) throws -> (output: String, rig: Rig) {
    let rig = try Rig(
      ConnectionSettings(drainTime: .milliseconds(100)), framing: .lines)
    rig.prepare = prepare
    let end = try rig.connect()
    try end.send(Array(input.utf8))
    try end.endWriting()
    try rig.run {
      end.read()
      return end.hasEnded
    }
    return (String(decoding: end.bytes, as: UTF8.self), rig)
  }

  private func echo(_ messenger: RoutingMessenger) {
    messenger.setMessageHandler(on: "echo") { message, reply in reply.send(message) }
  }

  @Test func eachRequestHasOneLineOfAnswer() throws {
    let (output, rig) = try talk("echo 01 02\necho -\necho \"\"\n# nothing\n\nnobody 00\n", echo)
    #expect(output == "0102\n-\n\"\"\n-\n")
    #expect(rig.ends[0].unanswered.isEmpty)
  }

  @Test func theLastLineNeedsNoLineEnd() throws {
    #expect(try talk("echo 07", echo).output == "07\n")
  }

  @Test func linesThatMakeNoSenseAreAnsweredInTheirPlace() throws {
    let (output, rig) = try talk("echo 01\nbad line\necho 02\n< 00\n", echo)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == "01")
    #expect(lines[1].hasPrefix("! line 2, column "))
    #expect(lines[2] == "02")
    #expect(lines[3].hasPrefix("! line 4: no message of the native side waits"))
    #expect(rig.troubles.count == 2)
  }

  @Test func answersKeepTheOrderOfTheRequests() throws {
    var kept: [BinaryReply] = []
    let (output, _) = try talk("slow 01\nslow 02\necho 03\n") { messenger in
      self.echo(messenger)
      messenger.setMessageHandler(on: "slow") { _, reply in
        kept.append(reply)
        guard kept.count == 2 else { return }
        for reply in kept.reversed() { reply.send(reply.message) }
        kept = []
      }
    }
    #expect(output == "01\n02\n03\n")
  }

  @Test func whatIsDroppedOrNeverAnsweredIsSaid() throws {
    var kept: BinaryReply?
    let (output, rig) = try talk("silent 00\nslow 00\necho 01\n") { messenger in
      self.echo(messenger)
      messenger.setMessageHandler(on: "silent") { _, _ in }
      messenger.setMessageHandler(on: "slow") { _, reply in kept = reply }
    }
    #expect(
      output == "! dropped: the handler let go of its reply\n! never answered\n01\n")
    #expect(rig.ends[0].unanswered == ["slow"])
    withExtendedLifetime(kept) {}
  }

  @Test func aRequestThatWaitsForALineBehindItEnds() throws {
    let rig = try Rig(
      ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 1)), framing: .lines)
    rig.prepare = { messenger in
      messenger.setMessageHandler(on: "asks") { [unowned messenger] _, reply in
        messenger.send([1], on: "dart") { outcome in
          if case .payload(let payload) = outcome { reply.send(payload) }
        }
      }
    }
    let end = try rig.connect()
    try end.send(Array("asks -\n< 05\nasks -\n< 06\n<\nasks -\n< 07\n".utf8))
    try rig.run {
      end.read()
      return end.bytes.split(separator: 10).count >= 7
    }
    let lines = String(decoding: end.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.prefix(4) == ["> dart 01", "05", "> dart 01", "06"])
    #expect(lines[4].hasPrefix("! ") && lines[5...] == ["> dart 01", "07"])
  }

  @Test func callsOfTheNativeSideAreBounded() throws {
    let rig = try Rig(
      ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 3)), framing: .lines)
    let end = try rig.connect()
    var outcomes: [ReplyOutcome] = []
    for number: UInt8 in 1...5 {
      rig.devices[0].messenger.send([number], on: "a") { outcomes.append($0) }
    }
    rig.devices[0].messenger.send([6], on: "a", reply: nil)
    #expect(outcomes.count == 2)
    for outcome in outcomes {
      guard case .refused(let refusal) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(refusal.text.contains("3 messages"))
    }
    try rig.run {
      end.read()
      return end.bytes.split(separator: 10).count == 4
    }
    #expect(String(decoding: end.bytes, as: UTF8.self) == "> a 01\n> a 02\n> a 03\n> a 06\n")
    outcomes = []
    try end.send(Array("< 0a\n".utf8))
    try rig.run { outcomes.count == 1 }
    rig.devices[0].messenger.send([7], on: "a") { outcomes.append($0) }
    end.close()
    try rig.run { outcomes.count == 4 }
    #expect(outcomes == [.payload([10]), .disconnected, .disconnected, .disconnected])
  }

  @Test func requestsWithoutAnAnswerStopTheReading() throws {
    let rig = try Rig(
      ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 10)), framing: .lines)
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.send(Array(String(repeating: "slow 00\n", count: 25).utf8))
    try rig.run { kept.count == 10 }
    try rig.settle()
    #expect(kept.count == 10)
    var answered = 0
    while answered < 25 {
      try rig.run { !kept.isEmpty }
      answered += kept.count
      for reply in kept { reply.send(reply.message) }
      kept = []
    }
    try rig.run {
      end.read()
      return end.bytes.count == 25 * 3
    }
  }

  @Test func answersThatNobodyReadsEndTheConversation() throws {
    var settings = ConnectionSettings(limits: FrameLimits(maximumPayload: 100_000))
    settings.maximumOutput = 1 << 20
    let rig = try Rig(settings, framing: .lines)
    let end = try rig.connect()
    var ended = 0
    for _ in 0..<50 {
      rig.devices[0].messenger.send([UInt8](repeating: 1, count: 50_000), on: "news") {
        if $0 == .disconnected { ended += 1 }
      }
    }
    // In text 50,000 bytes are twice as many: eleven are more than the limit, and the last ends it.
    #expect(ended == 11)
    guard case .lost(let why)? = rig.ends.first?.reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(why.contains("does not read"))
    withExtendedLifetime(end) {}
  }

  @Test(arguments: [1, 3]) func anAnswerThatIsTooMuchEndsTheConversation(requests: Int) throws {
    var settings = ConnectionSettings()
    settings.maximumOutput = 1 << 14
    let rig = try Rig(settings, framing: .lines)
    var calls = 0
    let end = try rig.connect()
    rig.devices[0].messenger.setMessageHandler(on: "big") { _, reply in
      calls += 1
      reply.send([UInt8](repeating: 1, count: 1 << 14))
    }
    // Together, so that all are there when the first has been the end.
    try end.send(Array(String(repeating: "big -\n", count: requests).utf8))
    try rig.run { rig.ends.count == 1 }
    guard case .lost(let why) = rig.ends[0].reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(why.contains("does not read"))
    #expect(calls == 1)
    // Others are served as before.
    let other = try rig.connect()
    try other.send(Array("nobody -\n".utf8))
    try rig.run {
      other.read()
      return !other.bytes.isEmpty
    }
    #expect(String(decoding: other.bytes, as: UTF8.self) == "-\n")
  }

  @Test func whatComesBehindAFaultThatClosesReachesNobody() throws {
    let rig = try Rig(framing: .lines)
    var calls = 0
    let end = try rig.connect()
    rig.devices[0].messenger.setMessageHandler(on: "last") { _, reply in
      calls += 1
      reply.port.breakOff()
    }
    try end.send(Array("last -\nlast -\nlast -\nlast -".utf8))
    try end.endWriting()
    try rig.run { rig.ends.count == 1 }
    try rig.settle()
    #expect(calls == 1)
  }

  @Test func nativeMessagesShowAndMayBeAnswered() throws {
    let rig = try Rig(framing: .lines)
    let end = try rig.connect()
    var outcome: ReplyOutcome?
    rig.devices[0].messenger.send([1, 2], on: "a b") { outcome = $0 }
    try rig.run {
      end.read()
      return !end.bytes.isEmpty
    }
    #expect(String(decoding: end.bytes, as: UTF8.self) == "> \"a b\" 0102\n")
    try end.send(Array("< 0a\n".utf8))
    try rig.run { outcome != nil }
    #expect(outcome == .payload([10]))
  }
}
