import ChannelCodec
import ChannelRouter
import Foundation
import SystemInterface
import Testing

@testable import ChannelTransport

@Suite("Conversations in frames") struct ConversationTests {
  private func echoing(_ settings: ConnectionSettings = ConnectionSettings()) throws -> Rig {
    let rig = try Rig(settings)
    rig.prepare = { $0.setMessageHandler(on: "echo") { message, reply in reply.send(message) } }
    return rig
  }

  @Test func bothSidesGreetAndMessagesNeedNotWait() throws {
    let end = try echoing().connect()
    try end.send {
      try $0.hello(Hello(software: "test"))
      try $0.message("echo", id: 7, payload: [1, 2, 3])
      try $0.message("echo", id: 8, payload: nil)
      try $0.message("echo", id: 9, payload: [])
      try $0.message("nobody", id: 10, payload: [1])
    }
    let frames = try end.frames(5)
    let hello = try Hello(frames[0])
    #expect(hello.software == "pwbridge")
    #expect(hello.limits == FrameLimits())
    #expect(frames[1] == .reply(id: 7, payload: [1, 2, 3]))
    #expect(frames[2] == .reply(id: 8, payload: nil))
    #expect(frames[3] == .reply(id: 9, payload: []))
    #expect(frames[4] == .reply(id: 10, payload: nil))
  }

  @Test func aMessageMayComeByteByByte() throws {
    let rig = try echoing()
    let end = try rig.connect()
    let writer = FrameWriter()
    try writer.hello(Hello())
    try writer.message("echo", id: 1, payload: Array(0..<100))
    for byte in writer.takePending() {
      try end.send([byte])
      try rig.loop.runOnce(timeout: .zero)
    }
    #expect(try end.frames(2)[1] == .reply(id: 1, payload: Array(0..<100)))
  }

  @Test func aReleasedReplyIsToldAtOnce() throws {
    let rig = try Rig()
    rig.prepare = { $0.setMessageHandler(on: "silent") { _, _ in } }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send { try $0.message("silent", id: 3, payload: nil) }
    #expect(try end.frames(2)[1] == .dropped(id: 3))
  }

  @Test func remarksReachClientsThatWantThem() throws {
    let rig = try Rig()
    rig.prepare = { $0.setMessageHandler(on: "silent") { _, _ in } }
    let end = try rig.connect()
    try end.hello()
    try end.send { try $0.message("silent", id: 3, payload: nil) }
    let frames = try end.frames(3)
    let log = try #require(frames.first { $0.kind == .log })
    #expect(log.id == 3)
    #expect(log.flags.contains(.optional))
    let line = try ReceivedLog(log)
    #expect(line.level == "warning")
    #expect(line.text.contains("released its reply without answering"))
    #expect(frames.contains(.dropped(id: 3)))
  }

  @Test func repliesMayComeInAnyOrder() throws {
    let rig = try Rig()
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello()
    try end.send {
      for id in 1...5 { try $0.message("slow", id: UInt64(id), payload: nil) }
    }
    try rig.run { kept.count == 5 }
    for reply in kept.reversed() { reply.send([UInt8(reply.id)]) }
    kept = []
    #expect(try end.frames(6).dropFirst().map(\.id) == [5, 4, 3, 2, 1])
  }

  @Test func anAnswerFromAnotherThreadArrives() throws {
    let rig = try Rig()
    rig.prepare = {
      $0.setMessageHandler(on: "far") { message, reply in
        // Not a task: the tests themselves keep the threads of tasks busy.
        Thread.detachNewThread { reply.send(message) }
      }
    }
    let end = try rig.connect()
    try end.hello()
    try end.send { writer in
      for id in 1...50 { try writer.message("far", id: UInt64(id), payload: [UInt8(id)]) }
    }
    let frames = try end.frames(51).dropFirst()
    #expect(Set(frames) == Set((1...50).map { Frame.reply(id: UInt64($0), payload: [UInt8($0)]) }))
  }

  @Test(arguments: [FrameKind.bye, .log]) func fieldsAreChecked(_ kind: FrameKind) throws {
    let end = try Rig().connect()
    try end.hello()
    try end.send { try $0.append(Frame(kind, payload: Array("no fields".utf8))) }
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .fieldsMalformed)
  }

  @Test func anIDInUseEndsTheConversation() throws {
    let rig = try Rig()
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello()
    try end.send {
      try $0.message("slow", id: 1, payload: nil)
      try $0.message("slow", id: 1, payload: nil)
    }
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .idInUse)
    #expect(error.isFatal)
  }

  @Test func aTooLongPayloadIsSkippedAndAnswered() throws {
    let rig = try echoing(
      ConnectionSettings(limits: FrameLimits(maximumPayload: 1000)))
    let end = try rig.connect()
    try end.hello()
    try end.send {
      try $0.message("echo", id: 1, payload: [UInt8](repeating: 1, count: 1001))
      try $0.message("echo", id: 2, payload: [5])
    }
    let frames = try end.frames(3)
    let error = try ReceivedError(frames[1])
    #expect(error.problem == .payloadTooLong)
    #expect(error.id == 1)
    #expect(!error.isFatal)
    #expect(error.text.contains("1001") && error.text.contains("1000"))
    #expect(frames[2] == .reply(id: 2, payload: [5]))
    #expect(rig.troubles.count == 1)
  }

  @Test func aReplyLargerThanTheClientAcceptsBecomesAnError() throws {
    let end = try echoing().connect()
    try end.hello(Hello(limits: FrameLimits(maximumPayload: 100)))
    try end.send { try $0.message("echo", id: 1, payload: [UInt8](repeating: 1, count: 101)) }
    let error = try ReceivedError(try end.frames(2)[1])
    #expect(error.problem == .payloadTooLong)
    #expect(error.id == 1)
  }

  @Test(arguments: [
    "hello\n", "{\"jsonrpc\":\"2.0\"}", "Content-Length: 40\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
  ])
  func foreignBytesEndTheConversation(_ text: String) throws {
    let rig = try echoing()
    let end = try rig.connect()
    try end.send(Array(text.utf8))
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .notAFrame)
    guard case .failed(let failure) = rig.ends.first?.reason else {
      Issue.record("did not fail")
      return
    }
    #expect(failure.problem == .notAFrame)
  }

  @Test func theEndInsideAFrameIsAnError() throws {
    let rig = try echoing()
    let end = try rig.connect()
    try end.hello()
    try end.send { writer in
      let whole = FrameWriter()
      try whole.message("echo", id: 1, payload: [1, 2, 3])
      _ = writer
      try end.send(Array(whole.takePending().dropLast(3)))
    }
    try end.endWriting()
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .frameIncomplete)
  }

  @Test func theEndBetweenFramesLetsOpenCallsBeAnswered() throws {
    let rig = try Rig()
    var kept: BinaryReply?
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept = reply } }
    let end = try rig.connect()
    try end.hello()
    try end.send { try $0.message("slow", id: 1, payload: nil) }
    try end.endWriting()
    try rig.run { kept != nil }
    try rig.settle()
    #expect(rig.ends.isEmpty)
    kept?.send([1])
    let frames = try end.allFrames()
    #expect(frames.dropFirst().map(\.kind) == [.reply, .bye])
    #expect(rig.ends[0].unanswered.isEmpty)
    #expect(rig.released == 1)
  }

  @Test func theWaitForOpenCallsIsBounded() throws {
    let rig = try Rig(ConnectionSettings(drainTime: .milliseconds(50)))
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send {
      try $0.message("slow", id: 1, payload: nil)
      try $0.message("slow", id: 2, payload: nil)
      $0.bye()
    }
    let frames = try end.allFrames()
    #expect(frames.dropFirst().map(\.kind) == [.dropped, .dropped, .bye])
    #expect(rig.ends.first?.unanswered == ["slow", "slow"])
    // Too late is no trouble.
    for reply in kept { reply.send(nil) }
  }

  @Test func shuttingDownAnswersWhatIsOpenAndRefusesWhatIsNew() throws {
    let rig = try Rig()
    var kept: BinaryReply?
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept = reply } }
    let end = try rig.connect()
    try end.hello()
    try end.send { try $0.message("slow", id: 1, payload: nil) }
    try rig.run { kept != nil }
    var isDown = false
    rig.server.shutDown { isDown = true }
    try end.send { try $0.message("slow", id: 2, payload: nil) }
    #expect(try ReceivedError(try end.frames(2)[1]).problem == .shuttingDown)
    #expect(!isDown)
    kept?.send([1])
    try rig.run { isDown }
    #expect(try end.allFrames().suffix(2).map(\.kind) == [.reply, .bye])
  }

  @Test func deviceOptionsThatDoNotFitAreRefused() throws {
    let end = try echoing().connect()
    try end.hello(Hello(options: [Hello.Option(name: "colour", value: "red")]))
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .deviceOptions)
    #expect(error.text.contains("colour"))
  }

  @Test func aDeviceIsSharedByName() throws {
    let rig = try echoing()
    let one = try rig.client(Hello(device: "phone"))
    let two = try rig.client(Hello(device: "phone"))
    let three = try rig.client()
    #expect(rig.devices.count == 2)
    #expect(one.server?.device == "phone")
    #expect(three.server?.device == nil)
    _ = two
  }

  // MARK: - Holding back

  @Test func tooManyOpenCallsStopTheReading() throws {
    let rig = try Rig(ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 10)))
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send {
      for id in 1...25 { try $0.message("slow", id: UInt64(id), payload: nil) }
    }
    try rig.run { kept.count == 10 }
    try rig.settle()
    #expect(kept.count == 10)
    var answered: [UInt64] = []
    while answered.count < 25 {
      try rig.run { !kept.isEmpty }
      #expect(kept.count <= 10)
      answered += kept.map(\.id)
      for reply in kept { reply.send(nil) }
      kept = []
    }
    #expect(answered == Array(1...25))
    #expect(try end.frames(26).dropFirst().map(\.id) == Array(1...25))
  }

  /// With the last call that may be open the answers still come through which it waits for.
  @Test func callsThatWaitForAnswersOfTheirCallerEnd() throws {
    let rig = try Rig(ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 10)))
    rig.prepare = { messenger in
      messenger.setMessageHandler(on: "asks") { [unowned messenger] _, reply in
        messenger.send([1], on: "dart") { outcome in
          if case .payload(let payload) = outcome { reply.send(payload) }
        }
      }
    }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send {
      for id in 1...10 { try $0.message("asks", id: UInt64(id), payload: nil) }
    }
    let asked = try end.frames(11).dropFirst()
    #expect(asked.map(\.kind) == Array(repeating: .message, count: 10))
    try end.send { for frame in asked { try $0.reply(id: frame.id, payload: [7]) } }
    #expect(try end.frames(21).dropFirst(11).map(\.id) == Array(1...10))
  }

  @Test func theCallThatIsOneTooManyIsTakenLater() throws {
    let rig = try Rig(ConnectionSettings(limits: FrameLimits(maximumOpenCalls: 2)))
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send {
      for id in [1, 2, 0, 0] as [UInt64] { try $0.message("slow", id: id, payload: nil) }
      $0.cancel(id: 1)
      for id in [3, 0] as [UInt64] { try $0.message("slow", id: id, payload: nil) }
    }
    try rig.run { kept.count == 4 }
    try rig.settle()
    #expect(kept.map(\.id) == [1, 2, 0, 0])
    #expect(kept[0].isCancelled && !kept[1].isCancelled)
    kept[0].send(nil)
    try rig.run { kept.count == 6 }
    #expect(kept.map(\.id).suffix(2) == [3, 0])
    // The end turns back the one that is held.
    try end.send { try $0.message("slow", id: 4, payload: nil) }
    try rig.settle()
    rig.server.shutDown {}
    #expect(try end.frames(3).contains { $0.kind == .error && $0.id == 4 })
  }

  @Test func aMessageThatIsTooLongHasAnIDOfItsOwn() throws {
    let rig = try Rig(ConnectionSettings(limits: FrameLimits(maximumPayload: 1000)))
    var kept: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) } }
    let end = try rig.connect()
    try end.hello(Hello(capabilities: []))
    try end.send {
      try $0.message("slow", id: 1, payload: nil)
      try $0.message("slow", id: 1, payload: [UInt8](repeating: 7, count: 1001))
    }
    try rig.run { !rig.ends.isEmpty }
    guard case .failed(let error) = rig.ends[0].reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(error.problem == .idInUse && error.id == 1)
    #expect(try end.frames(2).last?.kind == .error)
  }

  @Test func aClientThatReadsNothingIsHeldBack() throws {
    let rig = try echoing(ConnectionSettings(pausingOutput: 64 << 10))
    let end = try rig.connect()
    try end.hello()
    let writer = FrameWriter()
    for id in 1...200 {
      try writer.message("echo", id: UInt64(id), payload: [UInt8](repeating: 7, count: 32 << 10))
    }
    // More than the socket takes: the server stops reading, so the writing stalls.
    var rest = writer.takePending()[...]
    for _ in 0..<200 {
      let count = rest.withUnsafeBytes { try? SystemCalls.writeAvailable(end.descriptor, $0) }
      rest = rest.dropFirst((count ?? nil) ?? 0)
      try rig.loop.runOnce(timeout: .zero)
    }
    #expect(!rest.isEmpty, "nothing held the client back")
    try rig.run {
      end.read()
      let count = rest.withUnsafeBytes { try? SystemCalls.writeAvailable(end.descriptor, $0) }
      rest = rest.dropFirst((count ?? nil) ?? 0)
      return rest.isEmpty
    }
    #expect(try end.frames(201).dropFirst().map(\.id) == Array(1...200))
  }

  @Test func eventsForAClientThatReadsNothingAreBounded() throws {
    var settings = ConnectionSettings(limits: FrameLimits(maximumPayload: 100_000))
    settings.maximumOutput = 1 << 20
    settings.drainTime = .milliseconds(100)
    let rig = try Rig(settings)
    let end = try rig.connect()
    try end.hello()
    try rig.run { rig.devices.first?.messenger.isConnected == true }
    for _ in 0..<100 {
      rig.devices[0].messenger.send([UInt8](repeating: 1, count: 50_000), on: "news", reply: nil)
    }
    guard case .failed(let error) = rig.ends.first?.reason ?? .finished else {
      try rig.run { !rig.ends.isEmpty || rig.devices[0].messenger.isConnected == false }
      return
    }
    #expect(error.problem == .clientNotReading)
  }

  // MARK: - Gone

  @Test func aClientThatVanishesHurtsNobody() throws {
    let rig = try Rig()
    var kept: [BinaryReply] = []
    rig.prepare = {
      $0.setMessageHandler(on: "slow") { _, reply in kept.append(reply) }
      $0.setMessageHandler(on: "echo") { message, reply in reply.send(message) }
    }
    let other = try rig.connect()
    try other.hello()
    for _ in 0..<10 {
      let end = try rig.connect()
      try end.hello()
      try end.send { try $0.message("slow", id: 1, payload: nil) }
      let before = kept.count
      try rig.run { kept.count > before }
      end.close()
    }
    for reply in kept { reply.send([1]) }
    kept = []
    try other.send { try $0.message("echo", id: 1, payload: [9]) }
    #expect(try other.frames(2)[1] == .reply(id: 1, payload: [9]))
    try rig.run { rig.ends.count == 10 }
    #expect(rig.server.connectionCount == 1)
  }

  @Test func aFaultBreaksTheConnectionOff() throws {
    let rig = try Rig()
    rig.prepare = { $0.setMessageHandler(on: "bad") { _, reply in reply.port.breakOff() } }
    let end = try rig.connect()
    try end.hello()
    try end.send { try $0.message("bad", id: 1, payload: nil) }
    try rig.run {
      end.read()
      return end.hasEnded
    }
    #expect(rig.server.connectionCount == 0)
  }
}
