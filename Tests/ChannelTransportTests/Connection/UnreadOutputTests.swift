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
    settings.drainTime = .seconds(1)
    return settings
  }

  @Test func logFrames() throws {
    let rig = try Rig(Self.settings())
    let end = try rig.connect()
    try end.hello()
    try rig.run { rig.devices.first?.messenger.isConnected == true }
    let text = String(repeating: "x", count: 10_000)
    for _ in 0..<1000 { rig.devices[0].messenger.report(MessengerReport(.remark, .warning, text)) }
    try expectFailure(rig)
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
    var rest = writer.takePending()[...]
    try rig.run {
      let count = rest.withUnsafeBytes { try? SystemCalls.writeAvailable(end.descriptor, $0) }
      rest = rest.dropFirst((count ?? nil) ?? 0)
      return rest.isEmpty || !rig.ends.isEmpty
    }
    #expect(held.count == 1)
    try expectFailure(rig)
  }

  private func expectFailure(_ rig: Rig) throws {
    try rig.run { !rig.ends.isEmpty }
    guard case .failed(let error)? = rig.ends.first?.reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(error.problem == .clientNotReading)
  }
}
