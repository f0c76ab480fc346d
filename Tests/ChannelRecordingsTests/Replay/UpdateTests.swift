import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Foundation
import TestSurroundings
import Testing

@Suite("Updating a recording", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct UpdateTests {
  /// A recording in a directory of its own.
  private func withFile(_ content: [UInt8], _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "update-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "session.jsonl")
    try Data(content).write(to: file)
    try body(file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session.jsonl"])
  }

  private func update(
    _ file: URL, _ stage: Stage, commits: Bool = true,
    _ change: (inout ReplayOptions) throws -> Void = { _ in }
  ) throws -> UInt64 {
    let reader = try RecordingReader(path: file.path, options: .init(keepsShown: true))
    let update = try RecordingUpdate(path: file.path, of: reader)
    var options = ReplayOptions()
    options.grace = .milliseconds(20)
    try change(&options)
    try Replay(reader, to: stage, options: options, update: update).run()
    if commits { try update.commit() }
    return update.changedCount
  }

  private func isClean(_ file: URL, _ stage: Stage) throws -> Bool {
    let reader = try RecordingReader(path: file.path)
    let replay = Replay(reader, to: stage, options: ReplayOptions())
    try replay.run()
    return replay.summary.isClean
  }

  @Test("takes what came, and leaves every other line as it is")
  func answers() throws {
    var script = Script()
    script.call(1, "same", 1, at: 10)
    script.reply(1, 1, at: 20)
    script.call(2, "changed", at: 30)
    script.reply(2, 1, at: 40)
    script.call(3, "dropped", at: 50)
    script.reply(3, 1, at: 60)
    script.call(4, "open", at: 70)
    script.native(9, "onEvent", 1)
    script.dartReply(9)
    script.native(10, "onNothing", 1)
    script.dartReply(10)
    let stage = Stage()
    stage.onSend = { stage, call, _, number in
      switch call.method {
      case "dropped": stage.receiver?.answered(number, with: .dropped)
      case "open":
        stage.tell(Script.call("onEvent", 2), on: "PW")
        stage.tell(Script.call("onMore"), on: "other")
        stage.answer(number, .success(4))
      case "changed": stage.answer(number, .success(2))
      default: stage.answer(number, .success(1))
      }
    }
    try withFile(script.bytes) { file in
      let before = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      #expect(try update(file, stage) == 6)
      let after = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      #expect(after[0...2] == before[0...2])
      #expect(after[3] != before[3])
      #expect(after[4] == before[4])
      #expect(after[5].contains("\"kind\":\"dropped\""))
      #expect(after[6] == before[6])
      // The message that did not come is gone with its answer, and two entries are new.
      #expect(after.count == 11)
      #expect(try isClean(file, stage))
      #expect(try update(file, stage) == 0)
    }
  }

  @Test("changes nothing unless it is committed")
  func abandoned() throws {
    var script = Script()
    script.call(1, "a")
    script.reply(1, 1)
    try withFile(script.bytes) { file in
      let count = try update(file, Stage(), commits: false)
      #expect(count == 1)
      #expect(try Data(contentsOf: file) == Data(script.bytes))
    }
  }

  @Test("keeps what a rule passes over")
  func ignored() throws {
    var script = Script()
    script.call(1, "a")
    script.reply(1, 1)
    try withFile(script.bytes) { file in
      let count = try update(file, Stage()) { $0.comparer.rules = [try IgnoreRule("PW.a")] }
      #expect(count == 0)
      #expect(try Data(contentsOf: file) == Data(script.bytes))
    }
  }
}
