import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

@Suite("A mock that records what is new") struct EpisodeTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "mock-\(UUID().uuidString).jsonl").path

  private func write(_ script: MockScript) throws {
    try Data(script.bytes).write(to: URL(filePath: path))
  }

  private func stage(_ mode: MockOptions.Mode) throws -> MockStage {
    var options = MockOptions()
    options.mode = mode
    let player = try MockPlayer(
      path: path, options: options, header: RecordingHeader(software: "test"), nanoseconds: { 0 })
    let stage = MockStage(
      player.recording, options, usage: player.usage, episodes: player.episodes)
    stage.messenger.setMessageHandler(on: "PW") { [unowned stage] message, reply in
      if message == MockScript.bytes("event") {
        stage.messenger.send([5], on: "events", reply: nil)
      }
      if message == MockScript.bytes("drop") { return }
      reply.send([0, 9])
    }
    return stage
  }

  private func recorded() throws -> [String] {
    let reader = try RecordingReader(path: path)
    var lines: [String] = []
    try reader.readAll {
      lines.append("\($0.direction.text) \($0.channel) \($0.id) \($0.kind.text)")
    }
    return lines
  }

  private func known() -> MockScript {
    var script = MockScript()
    script.call(4, "PW", "known")
    script.answer(4, [0, 1])
    return script
  }

  @Test("passes new messages on and plays the old ones") func newEpisodes() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(known())
    do {
      let stage = try stage(.newEpisodes)
      stage.call(1, "PW", "event")
      stage.call(2, "PW", "known")
      stage.call(3, "PW", "drop")
      #expect(
        stage.taken() == [
          .native("events", [5]), .answer(1, .payload([0, 9])), .answer(2, .payload([0, 1])),
          .answer(3, .dropped),
        ])
      #expect(stage.usage.passed == 2)
      #expect(stage.usage.played == 1)
    }
    #expect(
      try recorded() == [
        "dart->native PW 4 message", "native->dart PW 4 reply",
        "dart->native PW 5 message", "native->dart events 6 message",
        "native->dart PW 5 reply", "dart->native PW 7 message", "native->dart PW 7 dropped",
      ])
    // The second time nothing is new.
    let again = try stage(.newEpisodes)
    again.call(2, "PW", "known")
    again.call(1, "PW", "event")
    again.call(3, "PW", "drop")
    #expect(
      again.taken() == [
        .answer(2, .payload([0, 1])), .native("events", [5]), .answer(1, .payload([0, 9])),
        .answer(3, .dropped),
      ])
    #expect(again.usage.passed == 0)
    #expect(again.usage.unusedCount == 0)
  }

  @Test("once records only where there is nothing yet") func once() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let first = try stage(.once)
      first.call(1, "PW", "event")
      #expect(first.taken() == [.native("events", [5]), .answer(1, .payload([0, 9]))])
    }
    let second = try stage(.once)
    second.call(1, "PW", "event")
    second.call(2, "PW", "new")
    #expect(second.refusal(2) != nil)
    #expect(
      second.taken().prefix(2) == [.native("events", [5]), .answer(1, .payload([0, 9]))])
    #expect(try recorded().count == 3)
  }

  @Test("all makes the recording anew") func all() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(known())
    let stage = try stage(.all)
    stage.call(1, "PW", "known")
    #expect(stage.taken() == [.answer(1, .payload([0, 9]))])
    #expect(try recorded() == ["dart->native PW 0 message", "native->dart PW 0 reply"])
  }

  @Test("none wants a recording") func none() throws {
    let error = #expect(throws: RecordingError.self) { try stage(.none) }
    #expect(error?.problem == .system)
  }

  @Test("the control channel is never mocked or recorded") func control() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(known())
    for mode in [MockOptions.Mode.none, .newEpisodes] {
      let stage = try stage(mode)
      stage.call(1, "pwbridge/control", "getState")
      #expect(stage.taken() == [.answer(1, .payload(nil))])
    }
    #expect(try recorded().count == 2)
  }
}
