import ChannelRecordings
import ChannelRouter
import Foundation
import TestSurroundings
import Testing

@Suite("Replaying a broken recording", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct HostileRecordingTests {
  private func line(_ change: [String: String] = [:]) -> String {
    var fields = [
      "seq": "0", "t_us": "0", "dir": "\"dart->native\"", "channel": "\"PW\"", "id": "1",
      "kind": "\"message\"", "hex": "\"070161 00\"".replacing(" ", with: ""),
    ]
    fields.merge(change) { $1 }
    return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
      + "}\n"
  }

  @Test(
    "tells line and reason, and goes on",
    arguments: [
      (["hex": "\"0g\""], "line 2"), (["id": "18446744073709551616"], "line 2"),
      (["kind": "\"nonsense\""], "line 2"), (["dir": "\"up\""], "line 2"),
      (["kind": "\"reply\"", "dir": "\"native->dart\"", "id": "77"], "line 2"),
      (["kind": "\"reply\"", "dir": "\"dart->native\"", "id": "77"], "line 2"),
      (["id": "5"], "line 2"),
    ] as [([String: String], String)])
  func faults(change: [String: String], place: String) throws {
    let text = line(["id": "5"]) + line(change) + line(["id": "9"])
    let stage = Stage()
    stage.onSend = { stage, _, _, number in stage.receiver?.answered(number, with: .dropped) }
    let (summary, mismatches) = try Script.play(Array(text.utf8), on: stage)
    #expect(summary.faults == 1)
    #expect(!summary.isClean)
    #expect(stage.sent.count >= 2)
    let fault = try #require(mismatches.first { $0.subject == .recording })
    #expect(fault.lines[0].hasPrefix(place))
  }

  @Test("survives times from the edge of the world")
  func times() throws {
    let text =
      line(["t_us": "9223372036854775807", "id": "1"])
      + line(["t_us": "-9223372036854775808", "id": "2"]) + line(["t_us": "0", "id": "3"])
      + line(["t_us": "9223372036854775807", "id": "4"])
    let stage = Stage()
    stage.onSend = { stage, _, _, number in stage.receiver?.answered(number, with: .dropped) }
    let (summary, _) = try Script.play(Array(text.utf8), on: stage) { $0.speed = 1 }
    #expect(summary.sent == 4)
  }

  @Test("skips a torn end and says so")
  func torn() throws {
    let text = line(["id": "1"]) + String(line(["id": "2"]).prefix(30))
    let stage = Stage()
    stage.onSend = { stage, _, _, number in stage.receiver?.answered(number, with: .dropped) }
    let (summary, _) = try Script.play(Array(text.utf8), on: stage)
    #expect(summary.isClean)
    #expect(summary.sent == 1)
    #expect(summary.tornTail != nil)
  }

  @Test("never crashes on a real capture whose lines were cut, mixed and repeated")
  func mutations() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed)
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/captures/desktop-app.jsonl").standardizedFileURL
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").prefix(400)
    for _ in 0..<10 {
      var mixed = lines.shuffled(using: &random).map(String.init)
      for place in mixed.indices where Int.random(in: 0..<10, using: &random) == 0 {
        mixed[place] = String(
          mixed[place].dropLast(Int.random(in: 0..<mixed[place].count, using: &random)))
      }
      for place in mixed.indices where Int.random(in: 0..<10, using: &random) == 0 {
        mixed[place] = mixed[Int.random(in: 0..<mixed.count, using: &random)]
      }
      let bytes = Array(mixed.joined(separator: "\n").utf8)
      let stage = Stage()
      stage.onSend = { stage, call, channel, number in
        stage.tell([1], on: channel)
        stage.receiver?.answered(number, with: .payload(nil))
      }
      guard let reader = try? RecordingReader(bytes: bytes) else { continue }
      var options = ReplayOptions()
      options.grace = .zero
      let replay = Replay(reader, to: stage, options: options)
      try replay.run()
      #expect(!replay.summary.isClean, "seed \(seed)")
      let tallies = replay.summary.methods.map(\.tally)
      #expect(
        replay.summary.different == tallies.map(\.different).reduce(0, +), "seed \(seed)")
      let comparer = MessageComparer()
      let diff = RecordingDiff(
        RecordedCalls(try RecordingReader(bytes: bytes)),
        RecordedCalls(try RecordingReader(path: path.path)), comparer: comparer)
      var count = 0
      diff.onFinding = { count += $0.lines(comparer).count }
      try diff.run()
      #expect(count > 0, "seed \(seed)")
    }
  }
}
