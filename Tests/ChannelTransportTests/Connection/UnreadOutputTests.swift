import ChannelRouter
import SystemInterface
import Testing

@testable import ChannelTransport

/// Whatever is written for a client that does not read ends the connection at the limit.
@Suite struct UnreadOutputTests {
  private static func settings() -> ConnectionSettings {
    var settings = ConnectionSettings(limits: FrameLimits(maximumPayload: 1000))
    settings.pausingOutput = 1 << 16
    settings.maximumOutput = 1 << 20
    return settings
  }

  @Test func logFrames() throws {
    let rig = try Rig(Self.settings())
    let end = try rig.connect()
    try end.hello()
    try rig.run { rig.devices.first?.messenger.isConnected == true }
    let text = String(repeating: "x", count: 10_000)
    for _ in 0..<1000 { rig.devices[0].messenger.report(MessengerReport(.remark, .warning, text)) }
    try expectFailure(rig, end)
  }

  @Test func answersToMessagesBehindABye() throws {
    let rig = try Rig(Self.settings())
    var held: [BinaryReply] = []
    rig.prepare = { $0.setMessageHandler(on: "slow") { _, reply in held.append(reply) } }
    let end = try rig.connect()
    try end.hello()
    let writer = FrameWriter()
    try writer.message("slow", id: 1, payload: nil)
    writer.bye()
    for id in 2..<60_000 { try writer.message("slow", id: UInt64(id), payload: nil) }
    try send(writer.takePending(), to: end, rig)
    #expect(held.count == 1)
    try expectFailure(rig, end)
  }

  /// Frames that are each answered with an error, from a client that reads none of them.
  @Test(arguments: [FrameKind.reply, .dropped, .message])
  func errorsThatAClientProvokes(_ kind: FrameKind) throws {
    var settings = Self.settings()
    settings.pausingOutput = settings.maximumOutput
    let rig = try Rig(settings)
    let end = try rig.connect()
    try end.hello()
    let writer = FrameWriter()
    let payload = [UInt8](repeating: 1, count: 1001)
    for id in 1..<20_000 {
      switch kind {
      case .dropped: writer.dropped(id: UInt64(id))
      case .reply: try writer.reply(id: UInt64(id), payload: nil)
      default: try writer.message("a", id: UInt64(id), payload: payload)
      }
    }
    try send(writer.takePending(), to: end, rig)
    try expectFailure(rig, end)
    let waited = failure(rig).flatMap { Int($0.text.prefix { $0.isNumber }) }
    #expect(waited.map { $0 < settings.maximumOutput + 1000 } == true, "\(rig.ends)")
  }

  /// Sends until all is sent or the other side has stopped to read.
  private func send(_ bytes: [UInt8], to end: RawEnd, _ rig: Rig) throws {
    var rest = bytes[...]
    var idleRounds = 0
    try rig.run {
      let count = rest.withUnsafeBytes { try? SystemCalls.writeAvailable(end.descriptor, $0) }
      rest = rest.dropFirst((count ?? nil) ?? 0)
      idleRounds = (count ?? nil) == nil ? idleRounds + 1 : 0
      return rest.isEmpty || idleRounds > 20 || !rig.ends.isEmpty
    }
  }

  private func failure(_ rig: Rig) -> FrameError? {
    if case .failed(let error)? = rig.ends.first?.reason { error } else { nil }
  }

  // MARK: - Messages that wait for answers

  /// A client that has as many calls of the native side open as it takes.
  private func busyClient(
    _ settings: ConnectionSettings, openCalls: Int = 2
  ) throws -> (Rig, RawEnd, RoutingMessenger) {
    let rig = try Rig(settings)
    let end = try rig.connect()
    try end.hello(Hello(limits: FrameLimits(maximumOpenCalls: openCalls), capabilities: []))
    try rig.run { rig.devices.first?.messenger.isConnected == true }
    return (rig, end, rig.devices[0].messenger)
  }

  @Test func messagesThatWaitKeepTheirOrder() throws {
    let (rig, end, messenger) = try busyClient(ConnectionSettings())
    var outcomes: [ReplyOutcome] = []
    for number: UInt8 in 1...20 {
      messenger.send([number], on: "native") { outcomes.append($0) }
    }
    messenger.send([21], on: "native", reply: nil)
    #expect(try end.frames(3).dropFirst().map(\.id) == [1, 2])
    try rig.settle()
    #expect(try end.frames().count == 3, "more calls than the client takes")
    for id: UInt64 in 1...20 {
      try end.send { try $0.reply(id: id, payload: [UInt8(id)]) }
      try rig.run { outcomes.count == Int(id) }
    }
    let frames = try end.frames(22).dropFirst()
    #expect(frames.map(\.payload) == (1...21).map { [$0] })
    #expect(outcomes == (1...20).map { .payload([$0]) })
  }

  @Test func messagesThatWaitAreBoundedInNumber() throws {
    let (rig, end, messenger) = try busyClient(ConnectionSettings())
    var ended = 0
    for _ in 0..<2 + WaitingMessages.most {
      messenger.send(nil, on: "native") { if $0 == .disconnected { ended += 1 } }
    }
    try rig.settle()
    #expect(rig.ends.isEmpty)
    messenger.send(nil, on: "native") { if $0 == .disconnected { ended += 1 } }
    _ = try end.allFrames()
    try expectFailure(rig, end)
    #expect(ended == 3 + WaitingMessages.most, "each is told")
  }

  @Test func messagesThatWaitAreBoundedInBytes() throws {
    var settings = Self.settings()
    settings.maximumOutput = 100_000
    let (rig, end, messenger) = try busyClient(settings)
    var ended = 0
    for _ in 0..<2 + 98 {
      messenger.send([UInt8](repeating: 1, count: 1000), on: "native") {
        if $0 == .disconnected { ended += 1 }
      }
    }
    try rig.settle()
    #expect(rig.ends.isEmpty)
    for _ in 0..<5 {
      messenger.send([UInt8](repeating: 1, count: 1000), on: "native") {
        if $0 == .disconnected { ended += 1 }
      }
    }
    _ = try end.allFrames()
    try expectFailure(rig, end)
    #expect(failure(rig)?.text.contains("of messages wait for answers") == true)
    #expect(ended == 105)
  }

  @Test func oneThatIsOverTheLimitWhenItIsWrittenIsTold() throws {
    var settings = Self.settings()
    settings.maximumOutput = 100_000
    let (rig, end, messenger) = try busyClient(settings, openCalls: 1000)
    var ended = 0
    for _ in 0..<110 {
      messenger.send([UInt8](repeating: 1, count: 10_000), on: "native") {
        if $0 == .disconnected { ended += 1 }
      }
    }
    try expectFailure(rig, end)
    #expect(ended == 110)
  }

  /// Reads at last, so that the end need not be waited for.
  private func expectFailure(_ rig: Rig, _ end: RawEnd) throws {
    try rig.run {
      end.read()
      return !rig.ends.isEmpty
    }
    guard case .failed(let error)? = rig.ends.first?.reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(error.problem == .clientNotReading)
  }
}
