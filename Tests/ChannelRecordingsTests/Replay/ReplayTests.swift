import ChannelCodec
import ChannelRecordings
import ChannelRouter
import TestSurroundings
import Testing

@Suite("Replaying a recording", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct ReplayTests {
  @Test("sends the messages in order and finds the same answers")
  func same() throws {
    var script = Script()
    for id in 0..<100 as Range<UInt64> {
      script.call(id, id.isMultiple(of: 2) ? "start" : "stop", ["n": .integer(Int64(id))])
      script.reply(id)
    }
    let stage = Stage()
    let (summary, mismatches) = try script.play(on: stage)
    #expect(mismatches.isEmpty)
    #expect(summary.isClean)
    #expect(summary.sent == 100)
    #expect(summary.same == 100)
    #expect(stage.sent.count == 100)
    #expect(stage.sent.prefix(3) == ["PW start", "PW stop", "PW start"])
    #expect(summary.methods.map { $0.tally.method } == ["start", "stop"])
    #expect(summary.methods.map { $0.tally.same } == [50, 50])
  }

  @Test("tells a difference with its line, call, path and what to do")
  func different() throws {
    var script = Script()
    script.call(1, "start", ["elapsedSeconds": 0])
    script.reply(1, ["token": "a", "n": 1])
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      stage.answer(number, .success(["token": "b", "n": .int64(1)]))
    }
    let (summary, mismatches) = try script.play(on: stage)
    #expect(summary.different == 1)
    #expect(!summary.isClean)
    let mismatch = try #require(mismatches.first)
    #expect(
      mismatch.lines == [
        "line 1: PW start {elapsedSeconds: 0}",
        "  $.token: recorded 'a', now 'b'",
        "    Dart sees it; to ignore it: --ignore 'PW.start: $.token'",
        "  $.n: recorded 1 as int32, now as int64",
        "    Dart sees no difference: it has one type for both; to ignore it: "
          + "--ignore 'PW.start: $.n'",
      ])
    #expect(summary.methods.first?.failures.count == 1)
  }

  @Test("passes over what rules and Dart's view allow")
  func allowed() throws {
    var script = Script()
    script.call(1, "start")
    script.reply(1, ["token": "a"])
    script.call(2, "start")
    script.reply(2, ["token": "b", "n": .int32(1)])
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      stage.answer(
        number, .success(number == 1 ? ["token": "x"] : ["token": "b", "n": .int64(1)]))
    }
    let (summary, _) = try script.play(on: stage) { options in
      options.comparer.rules = [try IgnoreRule("PW.start: $.token")]
      options.matching = .dart
    }
    #expect(summary.isClean)
    #expect(summary.ignored == 1)
    #expect(summary.sameInDart == 1)
  }

  @Test("lets calls overlap that overlapped, and no others")
  func concurrency() throws {
    var script = Script()
    script.call(1, "a")
    script.call(2, "b")
    script.reply(2, 2)
    script.call(3, "c")
    script.reply(1, 1)
    script.reply(3, 3)
    script.call(4, "d")
    script.reply(4, 4)
    let stage = Stage()
    var open: Set<UInt64> = []
    var seen: [UInt64: Set<UInt64>] = [:]
    stage.onSend = { stage, _, _, number in
      seen[number] = open
      open.insert(number)
      let answer = {
        open.remove(number)
        stage.answer(number, .success(.integer(Int64(number))))
      }
      // The first call is answered after the third was sent.
      if number == 3 {
        stage.later {
          open.remove(1)
          stage.answer(1, .success(1))
        }
      }
      if number != 1 { stage.later(answer) }
    }
    let (summary, mismatches) = try script.play(on: stage)
    #expect(mismatches.isEmpty)
    #expect(summary.isClean)
    #expect(seen == [1: [], 2: [1], 3: [1], 4: []])
  }

  @Test("does not mind answers that overtake each other")
  func outOfOrder() throws {
    var script = Script()
    for id in 1...50 as ClosedRange<UInt64> { script.call(id, "a") }
    for id in 1...50 as ClosedRange<UInt64> { script.reply(id, .integer(Int64(id))) }
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      guard number == 50 else { return }
      for number in (1...50 as ClosedRange<UInt64>).reversed() {
        stage.later { stage.answer(number, .success(.integer(Int64(number)))) }
      }
    }
    #expect(try script.play(on: stage).summary.isClean)
  }

  @Test("takes dropped and never answered for the same, and both for no answer")
  func silence() throws {
    var script = Script()
    script.call(1, "dropped")
    script.dropped(1)
    script.call(2, "open")
    script.call(3, "answered")
    script.reply(3)
    let stage = Stage()
    stage.onSend = { stage, call, _, number in
      switch call.method {
      case "open": stage.receiver?.answered(number, with: .dropped)
      case "answered": stage.answer(number, .success(.null))
      default: break
      }
    }
    #expect(try script.play(on: stage).summary.isClean)
    stage.onSend = { stage, call, _, number in
      call.method == "answered"
        ? stage.receiver?.answered(number, with: .dropped)
        : stage.answer(number, .success(.null))
    }
    let (summary, mismatches) = try script.play(on: stage)
    #expect(summary.different == 3)
    #expect(
      Set(mismatches.flatMap { $0.comparison.differences.map(\.text) }) == [
        "$: recorded no answer (dropped), now success null",
        "$: recorded no answer, now success null",
        "$: recorded success null, now no answer (dropped)",
      ])
  }

  @Test("gives up an answer that does not come in time")
  func timeout() throws {
    var script = Script()
    script.call(1, "a")
    script.reply(1)
    script.call(2, "b")
    script.reply(2)
    let stage = Stage()
    stage.isStubborn = true
    stage.onSend = { stage, _, _, number in
      if number == 2 { stage.answer(2, .success(.null)) }
    }
    let (summary, mismatches) = try script.play(on: stage) { $0.timeout = .milliseconds(30) }
    #expect(summary.different == 1)
    #expect(summary.same == 1)
    #expect(mismatches.first?.lines[1] == "  $: recorded success null, now no answer")
  }

  @Test("keeps the recorded pace when asked")
  func pace() throws {
    var script = Script()
    script.call(1, "a", at: 1_000_000)
    script.reply(1, at: 1_000_010)
    script.call(2, "a", at: 1_080_000)
    script.reply(2, at: 1_080_010)
    let stage = Stage()
    stage.isStubborn = true
    func milliseconds(_ speed: Double) throws -> UInt64 {
      try script.play(on: stage) { $0.speed = speed }.summary.nanoseconds / 1_000_000
    }
    #expect(try milliseconds(1) >= 80)
    #expect(try (20..<1000).contains(milliseconds(4)))
    // A busy machine may take its time once, not always.
    #expect(try (0..<20).contains { _ in try milliseconds(0) < 80 })
  }

  @Test("replays only the channels that are asked for")
  func channels() throws {
    var script = Script()
    script.call(1, "a", on: "one/x")
    script.reply(1, on: "one/x")
    script.call(2, "a", on: "two")
    script.reply(2, 5, on: "two")
    let stage = Stage()
    let (summary, _) = try script.play(on: stage) { $0.channels = [Glob("one/*")] }
    #expect(summary.isClean)
    #expect(stage.sent == ["one/x a"])
    #expect(summary.skipped == 2)
  }

  @Test("does not keep calls that are never answered")
  func manyOpen() throws {
    var script = Script()
    let count = Replay.mostOpen * 2
    for id in 0..<UInt64(count) { script.call(id, "a") }
    let last = UInt64(count)
    script.call(last, "a")
    script.reply(last)
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      stage.receiver?.answered(
        number, with: number == last + 1 ? .payload(Script.envelope(.success(nil))) : .dropped)
    }
    let (summary, _) = try script.play(on: stage)
    #expect(summary.isClean)
    #expect(summary.same == last + 1)
  }
}
