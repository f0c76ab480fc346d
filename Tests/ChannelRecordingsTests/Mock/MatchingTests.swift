import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Testing

@Suite("A mock finds the recorded message") struct MatchingTests {
  private func twoUpdates() -> MockScript {
    var script = MockScript()
    script.call(1, "PW", "update", ["a": 1, "b": "x"])
    script.answer(1, [0, 3, 1, 0, 0, 0])
    script.call(2, "PW", "update", ["a": 1, "b": "x"])
    script.answer(2, [0, 3, 2, 0, 0, 0])
    return script
  }

  @Test("whatever the width of its integers and the order of its maps") func asDartSeesIt() throws {
    let stage = try MockStage(twoUpdates())
    stage.call(7, "PW", "update", ["b": "x", "a": .int64(1)])
    stage.call(8, "PW", "update", ["a": 1, "b": "x"])
    #expect(
      stage.taken() == [
        .answer(7, .payload([0, 3, 1, 0, 0, 0])), .answer(8, .payload([0, 3, 2, 0, 0, 0])),
      ])
    #expect(stage.usage.unusedCount == 0)
  }

  @Test("by its bytes only, when told so") func byBytes() throws {
    var options = MockOptions()
    options.match = .bytes
    let stage = try MockStage(twoUpdates(), options)
    stage.call(7, "PW", "update", ["b": "x", "a": 1])
    #expect(stage.refusal(7)?.code == "not-recorded")
    stage.call(8, "PW", "update", ["a": 1, "b": "x"])
    #expect(stage.taken().last == .answer(8, .payload([0, 3, 1, 0, 0, 0])))
  }

  @Test("the one with the same bytes before one that only Dart takes for the same")
  func bytesFirst() throws {
    var script = MockScript()
    script.call(1, "PW", "m", .int64(5))
    script.answer(1, [0, 1])
    script.call(2, "PW", "m", .int32(5))
    script.answer(2, [0, 2])
    let stage = try MockStage(script)
    stage.call(7, "PW", "m", .int32(5))
    stage.call(8, "PW", "m", .int32(5))
    #expect(stage.taken() == [.answer(7, .payload([0, 2])), .answer(8, .payload([0, 1]))])
  }

  @Test("once, unless it may be used again") func popOnce() throws {
    let once = try MockStage(twoUpdates())
    for id in UInt64(1)...3 { once.call(id, "PW", "update", ["a": 1, "b": "x"]) }
    #expect(once.refusal(3)?.text.contains("line 3, is used up") == true)
    #expect(once.usage.refused == 1)

    var options = MockOptions()
    options.reuses = true
    let again = try MockStage(twoUpdates(), options)
    for id in UInt64(1)...4 { again.call(id, "PW", "update", ["a": 1, "b": "x"]) }
    #expect(
      again.taken().suffix(2) == [
        .answer(3, .payload([0, 3, 2, 0, 0, 0])), .answer(4, .payload([0, 3, 2, 0, 0, 0])),
      ])
    #expect(again.usage.repeated == 2)
  }

  @Test("only where it comes next, in recorded order") func recordedOrder() throws {
    var script = MockScript()
    script.call(1, "PW", "first")
    script.answer(1, [0, 1])
    script.call(2, "PW", "second")
    script.answer(2, [0, 2])
    var options = MockOptions()
    options.order = .recorded
    let stage = try MockStage(script, options)
    stage.call(1, "PW", "second")
    let text = stage.refusal(1)?.text ?? ""
    #expect(text.contains("comes next in the recording: line 1: PW first"), "\(text)")
    _ = stage.taken()
    stage.call(2, "PW", "first")
    stage.call(3, "PW", "second")
    stage.call(4, "PW", "second")
    #expect(stage.refusal(4)?.text.contains("no message is left") == true)
    #expect(
      stage.taken().prefix(2) == [.answer(2, .payload([0, 1])), .answer(3, .payload([0, 2]))])
  }

  @Test("by name and value on channels of other codecs") func otherCodecs() throws {
    var script = MockScript()
    script.message(1, .dartToNative, "json", Array(#"{"method":"go","args":{"a":1,"b":[2]}}"#.utf8))
    script.answer(1, Array("[true]".utf8))
    script.message(2, .dartToNative, "text", Array("hello".utf8))
    script.answer(2, Array("world".utf8))
    script.message(3, .dartToNative, "none", nil)
    script.answer(3, nil)
    script.message(4, .dartToNative, "empty", [])
    script.answer(4, [])
    let stage = try MockStage(script)
    stage.send(1, "json", Array(#"{ "args": {"b":[2], "a":1}, "method": "go" }"#.utf8))
    stage.send(2, "text", Array("hello".utf8))
    stage.send(3, "none", nil)
    stage.send(4, "empty", [])
    #expect(
      stage.taken() == [
        .answer(1, .payload(Array("[true]".utf8))), .answer(2, .payload(Array("world".utf8))),
        .answer(3, .payload(nil)), .answer(4, .payload([])),
      ])
    stage.send(5, "none", [])
    #expect(stage.refusal(5) != nil, "an empty message is not the same as none")
  }

  @Test("and names the nearest and where it differs when there is none") func nearest() throws {
    var script = MockScript()
    script.call(1, "PW", "update", ["a": 1, "b": ["x", "y"]])
    script.call(2, "PW", "update", ["a": 1, "b": ["x", "z"]])
    script.call(3, "PW", "stop")
    let stage = try MockStage(script)
    stage.call(9, "PW", "update", ["a": 2, "b": ["x", "z"]])
    let text = stage.refusal(9)?.text ?? ""
    #expect(text.contains("PW update"))
    #expect(text.contains("the nearest is line 2"))
    #expect(text.contains("$.a") && text.contains("1") && text.contains("2"), "\(text)")
    #expect(!text.contains("$.b"))
    stage.send(10, "other", nil)
    #expect(stage.refusal(10)?.text.contains("no message on this channel") == true)
  }

  @Test("with the same key for all that Dart takes for equal") func keys() throws {
    let pairs: [(Value, Value)] = [
      (1, .int64(1)),
      (.float64(0), .float64(-0.0)),
      (.float64(.nan), .float64(Double(nan: 5, signaling: false))),
      (["a": 1, "b": 2], ["b": 2, "a": .int64(1)]),
      (["a": 9, "a": 1], ["a": 1]),
      (.string("\u{FEFF}x"), "x"),
      (.largeInteger("ff"), "ff"),
      ([1, ["k": [.null, true]]], [.int64(1), ["k": [.null, true]]]),
      (.float32List([0, 1]), .float32List([-0.0, 1])),
    ]
    for (left, right) in pairs {
      var script = MockScript()
      script.call(1, "PW", "m", left)
      script.answer(1, [0, 0])
      let stage = try MockStage(script)
      stage.call(2, "PW", "m", right)
      #expect(stage.taken() == [.answer(2, .payload([0, 0]))], "\(left) \(right)")
    }
  }
}
