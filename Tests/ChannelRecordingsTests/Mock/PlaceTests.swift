import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Testing

@Suite("A mock plays everything at its place") struct PlaceTests {
  /// Two calls that overlap, the second answered first, with messages of native code around.
  private func overlapping() -> MockScript {
    var script = MockScript()
    script.native(1, "events", [0])
    script.native(2, "events", [1])
    script.call(1, "PW", "slow")
    script.native(3, "events", [2])
    script.wait(1000)
    script.call(2, "PW", "fast")
    script.answer(2, [0, 2])
    script.native(4, "events", [3])
    script.wait(2_000_000)
    script.answer(1, [0, 1])
    script.native(5, "events", [4])
    return script
  }

  @Test("what precedes the first message at once, the rest between the same messages")
  func places() throws {
    let stage = try MockStage(overlapping())
    stage.mock.start()
    #expect(stage.taken() == [.native("events", [0]), .native("events", [1])])
    stage.call(11, "PW", "slow")
    #expect(stage.taken() == [.native("events", [2])])
    stage.call(12, "PW", "fast")
    #expect(
      stage.taken() == [
        .answer(12, .payload([0, 2])), .native("events", [3]), .answer(11, .payload([0, 1])),
        .native("events", [4]),
      ])
    #expect(stage.usage.unusedCount == 0)
    #expect(stage.usage.early == 0)
    #expect(stage.real.timers.isEmpty)
  }

  @Test("also when nobody said that the client is there") func startsByItself() throws {
    let stage = try MockStage(overlapping())
    stage.call(11, "PW", "slow")
    #expect(
      stage.taken() == [
        .native("events", [0]), .native("events", [1]), .native("events", [2]),
      ])
  }

  @Test("but does not let a client wait for what it will not send") func quietTime() throws {
    let stage = try MockStage(overlapping())
    stage.call(11, "PW", "slow")
    _ = stage.taken()
    stage.real.pass(.milliseconds(99))
    #expect(stage.taken() == [])
    stage.real.pass(.milliseconds(2))
    #expect(stage.taken() == [.answer(11, .payload([0, 1]))])
    #expect(stage.usage.early == 1)
    stage.call(12, "PW", "fast")
    #expect(
      stage.taken() == [
        .answer(12, .payload([0, 2])), .native("events", [3]), .native("events", [4]),
      ])
  }

  @Test("where a client asks in another order, answers wait for no more than before")
  func otherOrder() throws {
    var script = MockScript()
    for id in UInt64(1)...50 {
      script.call(id, "PW", "m", .int32(Int32(id)))
      script.answer(id, [0, UInt8(id)])
    }
    let stage = try MockStage(script)
    for id in (UInt64(1)...50).reversed() {
      stage.call(id, "PW", "m", .int32(Int32(id)))
      #expect(stage.taken() == [.answer(id, .payload([0, UInt8(id)]))])
    }
  }

  @Test("while replies bring new messages in the middle of it") func reentrance() throws {
    let stage = try MockStage(overlapping())
    stage.onArrival = { [unowned stage] in
      if $0 == .native("events", [1]) { stage.call(11, "PW", "slow") }
      if $0 == .native("events", [2]) { stage.call(12, "PW", "fast") }
    }
    stage.mock.start()
    #expect(
      stage.taken() == [
        .native("events", [0]), .native("events", [1]), .native("events", [2]),
        .answer(12, .payload([0, 2])), .native("events", [3]), .answer(11, .payload([0, 1])),
        .native("events", [4]),
      ])
  }

  @Test("or by the device's clock") func byTime() throws {
    var options = MockOptions()
    options.timing = .time
    let stage = try MockStage(overlapping(), options)
    stage.mock.start()
    #expect(stage.taken() == [])
    stage.clock.advance(by: .zero)
    #expect(
      stage.taken() == [
        .native("events", [0]), .native("events", [1]), .native("events", [2]),
      ])
    stage.call(11, "PW", "slow")
    stage.clock.advance(by: .milliseconds(1))
    #expect(stage.taken() == [.native("events", [3])])
    stage.clock.advance(by: .milliseconds(1999))
    #expect(stage.taken() == [])
    stage.clock.advance(by: .milliseconds(2))
    #expect(stage.taken() == [.answer(11, .payload([0, 1])), .native("events", [4])])
    #expect(stage.usage.unusedCount == 1)
    #expect(stage.usage.unused(limit: 5) == ["line 5: PW fast"])
  }

  @Test("and takes up drops, refusals and silence as they were") func otherOutcomes() throws {
    var script = MockScript()
    script.call(1, "PW", "drop")
    script.answer(1, nil, kind: .dropped)
    script.call(2, "PW", "refuse")
    let refusal = Refusal(code: "message-malformed", text: "no", offset: 3)
    script.answer(2, nil, kind: .refused(refusal))
    script.call(3, "PW", "silent")
    script.call(4, "PW", "null")
    script.answer(4, nil)
    let stage = try MockStage(script)
    for (id, name) in ["drop", "refuse", "silent", "null"].enumerated() {
      stage.call(UInt64(id + 1), "PW", Value.Text(name))
    }
    #expect(
      stage.taken() == [
        .answer(1, .dropped), .answer(2, .refused(refusal)), .answer(4, .payload(nil)),
      ])
    #expect(stage.usage.unusedCount == 0)
    stage.mock.retire()
    #expect(stage.taken() == [.answer(3, .dropped)])
  }

  @Test("gives what waits when it is taken down") func retirement() throws {
    let stage = try MockStage(overlapping())
    stage.call(11, "PW", "slow")
    _ = stage.taken()
    stage.mock.retire()
    #expect(stage.taken() == [.answer(11, .payload([0, 1]))])
    #expect(stage.real.timers.isEmpty)
    stage.call(12, "PW", "fast")
    #expect(stage.taken() == [.answer(12, .payload(nil))], "no handler, no mock")
  }

  @Test("anew for each device, and counts what none of them used") func devices() throws {
    let recording = try overlapping().recording()
    let usage = MockUsage(recording)
    let one = MockStage(recording, usage: usage)
    let other = MockStage(recording, usage: usage)
    one.call(11, "PW", "slow")
    #expect(one.taken().count == 3)
    #expect(usage.unusedCount == 3)
    other.call(11, "PW", "slow")
    #expect(other.taken().count == 3)
    #expect(usage.unusedCount == 3)
    #expect(usage.unused(limit: 2).first == "line 5: PW fast")
    #expect(usage.unused(limit: 9).last?.hasPrefix("line 9, from native code: events") == true)
  }

  @Test("survives recordings that make no sense") func nonsense() throws {
    var script = MockScript()
    script.answer(9, [0])
    script.answer(9, nil, from: .dartToNative)
    script.call(1, "PW", "m")
    script.wait(-5_000_000)
    script.answer(1, [0, 1])
    script.answer(1, [0, 2])
    script.call(1, "PW", "m")
    script.wait(.max - 5)
    script.native(.max, "events", nil)
    script.answer(1, nil)
    for timing in MockOptions.Timing.allCases {
      var options = MockOptions()
      options.timing = timing
      let stage = try MockStage(script, options)
      #expect(stage.recording.strayAnswers == 3)
      stage.call(1, "PW", "m")
      stage.call(2, "PW", "m")
      stage.clock.advance(by: .seconds(1 << 60))
      #expect(stage.taken().count == 3)
    }
  }
}
