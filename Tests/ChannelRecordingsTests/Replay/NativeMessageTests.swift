import ChannelCodec
import ChannelRecordings
import ChannelRouter
import TestSurroundings
import Testing

@Suite("Messages from native code in a replay", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct NativeMessageTests {
  @Test("are expected in order, and get the answers that Dart gave")
  func answered() throws {
    var script = Script()
    script.call(1, "listen")
    script.native(1, "onEvent", 1)
    script.reply(1)
    script.dartReply(1, "one")
    script.native(2, "onEvent", 2)
    script.call(2, "stop")
    script.dartReply(2, "two")
    script.reply(2)
    let stage = Stage()
    var answers: [ReplyOutcome] = []
    var order: [String] = []
    stage.onSend = { stage, call, _, number in
      order.append("\(call.method)")
      if call.method == "listen" {
        stage.tell(Script.call("onEvent", 1), on: "PW") { answers.append($0) }
        stage.later {
          order.append("second")
          stage.tell(Script.call("onEvent", 2), on: "PW") { answers.append($0) }
        }
      }
      stage.answer(number, .success(.null))
    }
    let (summary, mismatches) = try script.play(on: stage)
    #expect(mismatches.isEmpty)
    #expect(summary.isClean)
    #expect(summary.expected == 2)
    #expect(order == ["listen", "second", "stop"])
    #expect(
      answers == ["one", "two"].map { .payload(Script.envelope(.success(.string($0)))) })
  }

  @Test("that differ, fail to come or come unasked are told")
  func mismatches() throws {
    var script = Script()
    script.call(1, "a")
    script.reply(1)
    script.native(1, "onEvent", ["n": 1])
    script.native(2, "onOther", on: "other")
    script.call(2, "b")
    script.reply(2)
    let stage = Stage()
    var extraAnswer: ReplyOutcome?
    stage.onSend = { stage, call, _, number in
      if call.method == "a" {
        stage.tell(Script.call("onEvent", ["n": 2]), on: "PW")
        stage.tell(Script.call("onMore"), on: "PW") { extraAnswer = $0 }
      }
      stage.answer(number, .success(.null))
    }
    let (summary, mismatches) = try script.play(on: stage)
    #expect(summary.different == 3)
    #expect(
      mismatches.map(\.lines) == [
        [
          "line 3: PW onEvent {n: 1} (to Dart)", "  $.n: recorded 1, now 2",
          "    Dart sees it; to ignore it: --ignore 'PW.onEvent: $.n'",
        ],
        ["PW onMore: sent by the native side, but not recorded"],
        ["line 4: other onOther: recorded, but the native side did not send it"],
      ])
    #expect(extraAnswer == .payload(nil))
    #expect(summary.methods.map { $0.tally.missing }.reduce(0, +) == 1)
    #expect(summary.methods.map { $0.tally.extra }.reduce(0, +) == 1)
  }

  @Test("may be ignored altogether")
  func ignored() throws {
    var script = Script()
    script.call(1, "a")
    script.reply(1)
    script.native(2, "tick", on: "clock")
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      stage.tell(Script.call("tock"), on: "noise")
      stage.answer(number, .success(.null))
    }
    let (summary, _) = try script.play(on: stage) {
      $0.comparer.rules = [try IgnoreRule("clock"), try IgnoreRule("noise.*")]
    }
    #expect(summary.isClean)
    #expect(summary.ignored == 2)
  }

  @Test("that never come are waited for once in each channel")
  func grace() throws {
    var script = Script()
    for id in 1...200 as ClosedRange<UInt64> {
      script.native(id, "tick")
      script.call(id, "a")
      script.reply(id)
    }
    let stage = Stage()
    stage.isStubborn = true
    let (summary, _) = try script.play(on: stage) { $0.grace = .milliseconds(20) }
    #expect(summary.different == 200)
    #expect(summary.same == 200)
    #expect(summary.nanoseconds < 1_500_000_000)
  }

  @Test("do not pile up")
  func many() throws {
    var script = Script()
    let count = UInt64(Replay.mostOpen + 1000)
    for id in 0..<count { script.native(id, "tick") }
    script.call(1, "a")
    script.reply(1)
    let stage = Stage()
    stage.onSend = { stage, _, _, number in
      for _ in 0..<count { stage.tell(Script.call("tock"), on: "more") }
      stage.answer(number, .success(.null))
    }
    let (summary, _) = try script.play(on: stage)
    #expect(summary.different == count * 2)
  }
}
