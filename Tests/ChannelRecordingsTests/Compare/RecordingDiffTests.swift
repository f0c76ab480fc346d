import ChannelCodec
import ChannelRouter
import TestSurroundings
import Testing

@testable import ChannelRecordings

@Suite("Comparing two recordings", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct RecordingDiffTests {
  private func diff(
    _ first: [UInt8], _ second: [UInt8], rules: [String] = [],
    matching: MessageComparer.Matching = .bytes
  ) throws -> (totals: RecordingDiff.Totals, lines: [String], faults: [String]) {
    let comparer = MessageComparer(rules: try rules.map { try IgnoreRule($0) })
    var faults: [String] = []
    let sides = try [first, second].map { bytes in
      let calls = RecordedCalls(try RecordingReader(bytes: bytes))
      calls.onFault = {
        faults.append($0)
        _ = $1
      }
      return calls
    }
    let diff = RecordingDiff(sides[0], sides[1], comparer: comparer, matching: matching)
    var lines: [String] = []
    diff.onFinding = { lines += $0.lines(comparer) }
    try diff.run()
    return (diff.totals, lines, faults)
  }

  private func script(_ calls: [(Value.Text, Int64, Int64)]) -> [UInt8] {
    var script = Script()
    for (id, call) in calls.enumerated() {
      script.call(UInt64(id), call.0, .integer(call.1))
      script.reply(UInt64(id), .integer(call.2))
    }
    return script.bytes
  }

  @Test("finds nothing in the same one")
  func same() throws {
    let recording = script((0..<2000).map { ("m", $0, $0) })
    let result = try diff(recording, recording)
    #expect(result.totals.same == 2000)
    #expect(result.totals.isClean)
    #expect(result.lines.isEmpty)
  }

  @Test("tells what changed, went, came and moved")
  func findings() throws {
    let first = script([("a", 1, 1), ("b", 2, 2), ("c", 3, 3), ("d", 4, 4), ("e", 5, 5)])
    let second = script([("a", 1, 9), ("d", 4, 4), ("c", 3, 3), ("e", 6, 5), ("f", 7, 7)])
    let result = try diff(first, second)
    #expect(
      result.lines == [
        "! line 1, line 1: PW a 1", "  answer $: recorded 1, now 9", "    Dart sees it",
        "- line 3: PW b 2", "> line 5, now line 5: PW c 3: moved",
        "! line 9, line 7: PW e 5", "  message $: recorded 5, now 6", "    Dart sees it",
        "+ line 9: PW f 7",
      ] || result.totals.moved == 1)
    #expect(result.totals.changed == 2)
    #expect(result.totals.onlyFirst == 1)
    #expect(result.totals.onlySecond == 1)
    #expect(result.totals.same == 1)
  }

  @Test("does not let one missing call make all others differ", arguments: [0, 1, 700, 1999])
  func oneMissing(place: Int) throws {
    let calls = (0..<2000 as Range<Int64>).map { (Value.Text("m"), $0, $0) }
    var fewer = calls
    fewer.remove(at: place)
    let there = try diff(script(calls), script(fewer)).totals
    #expect(there == RecordingDiff.Totals(same: 1999, onlyFirst: 1))
    let back = try diff(script(fewer), script(calls)).totals
    #expect(back == RecordingDiff.Totals(same: 1999, onlySecond: 1))
  }

  @Test("finds random edits")
  func random() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed)
    for _ in 0..<20 {
      let calls = (0..<1500 as Range<Int64>).map { (Value.Text("m\($0 % 7)"), $0, $0) }
      var edited = calls
      var removed = 0
      var changed = 0
      for place in stride(from: 1400, to: 0, by: -50) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          edited.remove(at: place)
          removed += 1
        case 1:
          edited[place].2 += 1
          changed += 1
        default: break
        }
      }
      let totals = try diff(script(calls), script(edited)).totals
      #expect(totals.onlyFirst == UInt64(removed), "seed \(seed)")
      #expect(totals.changed == UInt64(changed), "seed \(seed)")
      #expect(totals.same == UInt64(1500 - removed - changed), "seed \(seed)")
      #expect(totals.onlySecond == 0, "seed \(seed)")
    }
  }

  @Test("pairs answers whatever their order, and knows dropped and none for the same")
  func answers() throws {
    var first = Script()
    first.call(1, "a")
    first.call(2, "b")
    first.reply(1, 1)
    first.dropped(2)
    var second = Script()
    second.call(7, "a")
    second.call(8, "b")
    second.reply(7, 1)
    #expect(try diff(first.bytes, second.bytes).totals.isClean)
    second.reply(8, 2)
    #expect(try diff(first.bytes, second.bytes).totals.changed == 1)
  }

  @Test("passes over what rules and Dart's view allow")
  func rules() throws {
    let first = script([("a", 1, 1), ("b", 1, 1)])
    let second = script([("a", 1, 2), ("b", 1, 1)])
    #expect(try diff(first, second, rules: ["PW.a: $"]).totals == .init(same: 1, ignored: 1))
    var wide = Script()
    wide.call(0, "a", .int64(1))
    wide.reply(0, .int64(1))
    let narrow = script([("a", 1, 1)])
    #expect(try diff(narrow, wide.bytes).totals.changed == 1)
    #expect(try diff(narrow, wide.bytes, matching: .dart).totals == .init(sameInDart: 1))
  }

  @Test("tells what is wrong with a recording")
  func faults() throws {
    var broken = Script()
    broken.call(1, "a")
    broken.call(1, "b")
    broken.reply(2)
    let result = try diff(broken.bytes, broken.bytes)
    #expect(result.totals.isClean)
    #expect(result.faults.count == 4)
    #expect(result.faults[0].contains("the id 1 is that of the message at line 1"))
  }
}
