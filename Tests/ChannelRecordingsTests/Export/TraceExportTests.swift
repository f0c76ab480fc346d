import ChannelRecordings
import ChannelRouter
import Foundation
import Testing

@Suite("Trace export")
struct TraceExportTests {
  /// The events of the trace of a made recording.
  private func trace(_ made: Made) throws -> [[String: Any]] {
    let file = URL.temporaryDirectory.appending(path: "trace-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let trace = try TraceExport(made.inspection(), to: ExportOutput(path: file.path))
    for event in made.events { try trace.add(event) }
    try trace.finish()
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require((object as? [String: Any])?["traceEvents"] as? [[String: Any]])
  }

  private func of(_ kind: String, _ events: [[String: Any]]) -> [[String: Any]] {
    events.filter { $0["ph"] as? String == kind }
  }

  @Test("a slice for each call, an instant for what nobody answers")
  func slices() throws {
    var made = Made()
    made.call("c", 1, "first", [0])
    made.call("c", 2, "second", [0])
    made.add(.nativeToDart, "c", 1, .message, [0, 1])
    made.reply("c", 1, [0, 1])
    made.reply("c", 2, [1] + wireString("e") + [0, 0])
    made.call("c", 3, "third", [0])
    made.add(.nativeToDart, "c", 3, .dropped, nil)
    made.call("c", 4, "fourth", [0])
    let events = try trace(made)
    let slices = of("X", events)
    #expect(slices.compactMap { $0["name"] as? String } == ["first", "second", "third", "fourth"])
    #expect(slices.compactMap { $0["ts"] as? Int } == [1000, 2000, 6000, 8000])
    #expect(slices.compactMap { $0["dur"] as? Int } == [3000, 3000, 1000, 0])
    let arguments = slices.compactMap { $0["args"] as? [String: Any] }
    #expect(arguments[0]["reply"] as? String == "success true")
    #expect(arguments[2]["ending"] as? String == "dropped: the handler let go of its reply")
    #expect(arguments[3]["ending"] as? String == "no answer")
    // Calls that overlap have tracks of their own; the third finds the first free again.
    let tracks = slices.compactMap { $0["tid"] as? Int }
    #expect(tracks[0] != tracks[1] && tracks[2] == tracks[0])
    let instants = of("i", events)
    #expect(instants.count == 1 && instants[0]["pid"] as? Int == 2)
    let names = of("M", events).filter { $0["name"] as? String == "thread_name" }
    #expect(names.count == 3)
  }

  @Test("slices of a track never overlap, whatever the recording's clock does")
  func overlap() throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    var random = SeededNumbers(seed)
    var made = Made()
    for number in UInt64(0)..<2000 {
      let time = Int64(random.next() % 1_000_000)
      if random.next().isMultiple(of: 2) {
        made.add(.dartToNative, "c", number % 300, .message, wireString("m") + [0], at: time)
      } else {
        made.add(.nativeToDart, "c", random.next() % 300, .reply, [0, 0], at: time)
      }
    }
    let events = try trace(made)
    var spans: [Int: [(Int, Int)]] = [:]
    for slice in of("X", events) {
      let start = try #require(slice["ts"] as? Int)
      let length = try #require(slice["dur"] as? Int)
      spans[try #require(slice["tid"] as? Int), default: []].append((start, start + length))
    }
    for spans in spans.values {
      let sorted = spans.sorted { $0 < $1 }
      for (left, right) in zip(sorted, sorted.dropFirst()) {
        #expect(left.1 <= right.0, "seed \(seed)")
      }
    }
    #expect(spans.count <= 64)
    #expect(of("X", events).count + of("i", events).count == made.events.count { !$0.isAnswer })
  }

  @Test("times that lie further apart than a number of microseconds can say")
  func extremes() throws {
    var made = Made()
    made.add(.dartToNative, "c", 1, .message, wireString("m") + [0], at: .min)
    made.add(.nativeToDart, "c", 1, .reply, [0, 0], at: .max)
    let slices = of("X", try trace(made))
    #expect(slices.map { $0["ts"] as? Int } == [.min])
    #expect(slices.map { $0["dur"] as? Int } == [.max])
  }
}
