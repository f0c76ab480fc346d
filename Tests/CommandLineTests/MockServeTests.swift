import ChannelCodec
import ChannelRecordings
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import Foundation
import SystemInterface
import Testing

@testable import BridgeCommands

/// `--mock` on a server with several clients.
@Suite("Serving a mock") struct MockServeTests {
  private static let recording = """
    {"seq":0,"t_us":0,"dir":"native->dart","channel":"events","id":0,"kind":"message","hex":"0001"}
    {"seq":1,"t_us":1,"dir":"dart->native","channel":"PW","id":1,"kind":"message","hex":"0701610c00"}
    {"seq":2,"t_us":2,"dir":"native->dart","channel":"PW","id":1,"kind":"reply","hex":"0001"}
    {"seq":3,"t_us":3,"dir":"dart->native","channel":"PW","id":2,"kind":"message","hex":"0701610c00"}
    {"seq":4,"t_us":4,"dir":"native->dart","channel":"PW","id":2,"kind":"reply","hex":"0002"}

    """
  private static let message: [UInt8] = [7, 1, 0x61, 12, 0]

  private func choices(_ arguments: [String]) throws -> ServeChoices {
    guard case .run(_, let options, _) = try BridgeProgram.grammar.parse(arguments) else {
      throw UsageError(.missingCommand, program: "pwbridge")
    }
    return options.serving
  }

  private func withSession(
    _ arguments: [String], _ body: (ServeSession) throws -> Void
  ) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(Self.recording.utf8).write(to: URL(filePath: path))
    let choices = try choices(["serve", "--mock", path] + arguments)
    let session = try ServeSession(
      choices, devices: choices.makeDeviceOptions(Console()), log: nil, counts: true,
      recording: RecordingChoices())
    try body(session)
  }

  private func client(
    _ session: ServeSession, device: String? = nil, onEvent: @escaping () -> Void = {}
  ) throws -> BridgeClient {
    let (ours, theirs) = try SystemCalls.makeSocketPair()
    session.server?.serve(input: theirs, output: theirs, ownsDescriptors: true)
    let hello = Hello(device: device)
    let client = BridgeClient(loop: session.loop, input: ours, output: ours, hello)
    client.messenger.setMessageHandler(on: "events") { _, reply in
      onEvent()
      reply.send(nil)
    }
    try client.greet(hello)
    return client
  }

  @Test func clientsOfOneDeviceShareItsMock() throws {
    try withSession(["--strict"]) { session in
      var events = [0, 0, 0, 0]
      let own = try client(session) { events[0] += 1 }
      // Nothing has been sent yet.
      try own.run(for: .seconds(10)) { events[0] == 1 }
      #expect(try own.send(Self.message, on: "PW") == .payload([0, 1]))
      #expect(session.mocked?.complaint == "1 entry of the recording was not used")
      let other = try client(session) { events[1] += 1 }
      #expect(try other.send(Self.message, on: "PW") == .payload([0, 1]))
      #expect(events == [1, 1, 0, 0])

      let first = try client(session, device: "shared") { events[2] += 1 }
      #expect(try first.send(Self.message, on: "PW") == .payload([0, 1]))
      let second = try client(session, device: "shared") { events[3] += 1 }
      #expect(try second.send(Self.message, on: "PW") == .payload([0, 2]))
      #expect(events == [1, 1, 1, 0])
      #expect(session.mocked?.complaint == nil)
      guard case .refused(let refusal) = try first.send(Self.message, on: "PW") else {
        Issue.record("a message was answered that is not in the recording")
        return
      }
      #expect(refusal.code == "not-recorded")
      #expect(session.mocked?.complaint == "1 message was not in it")
      #expect(
        session.mocked?.summary == [
          "mock: 4 answered, 1 not in the recording, 3 sent by native code"
        ])
      #expect(session.totals?.count(of: .refused) == 1)
      for client in [own, other, first, second] { client.close() }
    }
  }

  @Test func theDeviceBehindIsSteeredAsEver() throws {
    try withSession(["--reuse"]) { session in
      let client = try client(session)
      let outcome = try client.invoke("state", on: "pwbridge/control")
      guard case .success = outcome else {
        Issue.record("\(outcome)")
        return
      }
      for _ in 0..<4 { _ = try client.send(Self.message, on: "PW") }
      #expect(try client.send(Self.message, on: "PW") == .payload([0, 2]))
      #expect(session.mocked?.complaint == nil)
      client.close()
    }
  }

  @Test func choicesOfAMock() throws {
    let all = try choices([
      "exec", "--mock", "f", "--mode", "new-episodes", "--match", "bytes", "--order", "recorded",
      "--timing", "time", "--reuse", "--", "true",
    ]).mock
    #expect(all.path == "f")
    #expect(all.options.mode == .newEpisodes)
    #expect(all.options.match == .bytes)
    #expect(all.options.order == .recorded)
    #expect(all.options.timing == .time)
    #expect(all.options.reuses)
    #expect(try choices(["serve"]).mock.makePlayer(device: []) == nil)
  }

  @Test func aRecordingThatIsNone() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let missing = try choices(["serve", "--mock", path]).mock
    #expect(throws: CommandFailure.self) { try missing.makePlayer(device: []) }
    try Data("{\"x\":1}\n".utf8).write(to: URL(filePath: path))
    let failure = #expect(throws: CommandFailure.self) { try missing.makePlayer(device: []) }
    guard case .trouble(let text) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(text.contains("line 1"))
  }
}
