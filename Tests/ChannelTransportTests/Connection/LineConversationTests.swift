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
