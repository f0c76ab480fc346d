import ChannelRouter
import SystemInterface
import Testing

@testable import ChannelTransport

/// A client that does not greet keeps its place for a while, and not for ever.
@Suite struct GreetingTests {
  /// A client of a real socket, which is gone afterwards.
  private func connect(to rig: Rig) throws -> RawEnd {
    var end: RawEnd?
    try withPrivateDirectory { directory in
      let path = directory + "/socket"
      rig.server.serve(try ListeningSocket(path: path))
      end = RawEnd(try SystemCalls.connectSocket(path), rig)
      try rig.run { rig.server.connectionCount == 1 }
      rig.server.stopListening()
    }
    return try #require(end)
  }

  private static func settings(_ span: Duration) -> ConnectionSettings {
    var settings = ConnectionSettings()
    settings.greetingTime = span
    return settings
  }

  private static var pieces: [[UInt8]] {
    let writer = FrameWriter()
    try? writer.hello(Hello())
    let hello = writer.takePending()
    return [[], Array(hello.prefix(5)), Array(hello.dropLast(1))]
  }

  @Test(arguments: [0, 1, 2]) func aSilentClientIsTurnedAway(_ piece: Int) throws {
    let rig = try Rig(Self.settings(.milliseconds(200)))
    let end = try connect(to: rig)
    try end.send(Self.pieces[piece])
    let frames = try end.allFrames()
    #expect(frames.map(\.kind) == [.hello, .error])
    let error = try ReceivedError(try #require(frames.last))
    #expect(error.problem == .helloExpected)
    #expect(error.isFatal)
    #expect(error.text.contains("no hello has come within"))
    #expect(rig.server.connectionCount == 0)
    guard case .failed(let failure)? = rig.ends.first?.reason else {
      Issue.record("\(rig.ends)")
      return
    }
    #expect(failure.problem == .helloExpected)
  }

  @Test func whoHasGreetedMayBeSilent() throws {
    let rig = try Rig(Self.settings(.milliseconds(200)))
    rig.prepare = { $0.setMessageHandler(on: "echo") { message, reply in reply.send(message) } }
    let end = try connect(to: rig)
    try end.hello()
    _ = try end.frames(1)
    let start = SystemCalls.monotonicNanoseconds()
    try rig.run { SystemCalls.monotonicNanoseconds() - start > 500_000_000 }
    try end.send { try $0.message("echo", id: 1, payload: [5]) }
    #expect(try end.frames(2)[1] == .reply(id: 1, payload: [5]))
    #expect(rig.ends.isEmpty)
  }

  @Test func onOneConnectionThatWasHandedOverThereIsNoHurry() throws {
    let rig = try Rig(Self.settings(.milliseconds(50)))
    let end = try rig.connect()
    let start = SystemCalls.monotonicNanoseconds()
    try rig.run { SystemCalls.monotonicNanoseconds() - start > 200_000_000 }
    try end.hello()
    #expect(try end.frames(1).map(\.kind) == [.hello])
    #expect(rig.ends.isEmpty)
  }

  @Test func theTimeIsThirtySeconds() {
    #expect(ConnectionSettings().greetingTime == .seconds(30))
  }

  // MARK: - What a hello may be

  /// Bytes 2 and 3 of the stream are zero with every hello that may be.
  @Test func aHelloOverItsLimit() throws {
    let rig = try Rig()
    let end = try rig.connect()
    let payload = Array("version=1\n".utf8) + [UInt8](repeating: 0x78, count: 65_526)
    try end.send { try $0.append(Frame(.hello, id: Hello.magic, payload: payload)) }
    let error = try ReceivedError(try #require(try end.allFrames().last))
    #expect(error.problem == .notAFrame)
    #expect(rig.devices.isEmpty)
  }

  @Test func theLargestHello() throws {
    let rig = try Rig()
    let end = try rig.connect()
    let start = "version=1\nsoftware="
    let rest = FrameLimits.largestHello - start.utf8.count - 1
    let payload = Array((start + String(repeating: "x", count: rest) + "\n").utf8)
    try end.send { try $0.append(Frame(.hello, id: Hello.magic, payload: payload)) }
    #expect(try end.frames(1).map(\.kind) == [.hello])
  }

  @Test(arguments: [
    (128, false, true), (129, false, false), (3, true, false),
  ]) func namesOfDevices(_ length: Int, _ hasControl: Bool, _ isTaken: Bool) throws {
    let rig = try Rig()
    let end = try rig.connect()
    let name = String(repeating: "n", count: length) + (hasControl ? "\u{1b}" : "")
    try end.hello(Hello(device: name))
    if isTaken {
      #expect(try Hello(try end.frames(1)[0]).device == name)
    } else {
      let error = try ReceivedError(try #require(try end.allFrames().last))
      #expect(error.problem == .deviceName)
      #expect(rig.devices.isEmpty)
    }
  }
}
