import ChannelCodec
import ChannelRecordings
import ChannelRouter
import Testing

@Suite("Comparing messages")
struct MessageComparerTests {
  private let standard = StandardMethodCodec()
  private let json = JSONMethodCodec()

  private func answers(
    _ recorded: ReplyOutcome?, _ actual: ReplyOutcome?, rules: [String] = [],
    codec: ChannelCodecKind? = nil, message: [UInt8]? = nil
  ) throws -> Comparison {
    var comparer = MessageComparer(rules: try rules.map { try IgnoreRule($0) })
    comparer.codecs["PW"] = codec
    let call = try message ?? standard.encodeMethodCall(MethodCall("start", ["a": 1]))
    return comparer.compareAnswers(recorded: recorded, actual: actual, to: call, on: "PW")
  }

  private func success(_ value: Value) throws -> ReplyOutcome {
    .payload(try standard.encodeEnvelope(.success(value)))
  }

  @Test("tells results apart by path")
  func results() throws {
    let result = try answers(success(["token": "a", "n": 1]), success(["token": "b", "n": 1]))
    #expect(result.differences.map(\.text) == ["$.token: recorded 'a', now 'b'"])
    #expect(!result.isEqualInDart)
  }

  @Test("tells errors apart by field")
  func errors() throws {
    let one = try standard.encodeEnvelope(.error(code: "418", message: "no", details: [1]))
    let other = try standard.encodeEnvelope(.error(code: "419", message: nil, details: [2]))
    let result = try answers(.payload(one), .payload(other))
    #expect(
      result.differences.map(\.text) == [
        "$.error.code: recorded '418', now '419'",
        "$.error.message: recorded 'no' (string), now null (null)",
        "$.error.details[0]: recorded 1, now 2",
      ])
  }

  @Test("tells outcomes apart")
  func outcomes() throws {
    let null = try success(nil)
    let refusal = Refusal(code: "message-malformed", text: "no")
    let cases: [(ReplyOutcome?, ReplyOutcome?, String)] = [
      (null, .payload(nil), "$: recorded success null, now not implemented"),
      (null, .dropped, "$: recorded success null, now no answer (dropped)"),
      (null, nil, "$: recorded success null, now no answer"),
      (nil, null, "$: recorded no answer, now success null"),
      (.refused(refusal), null, "$: recorded refused, message-malformed: 'no', now success null"),
      (
        try .payload(standard.encodeEnvelope(.error(code: "418", message: "no"))), null,
        "$: recorded error '418' 'no', now success null"
      ),
    ]
    for (recorded, actual, text) in cases {
      let result = try answers(recorded, actual)
      #expect(result.differences.map(\.text) == [text])
      #expect(result.differences.map(\.kind) == [.outcome])
    }
    #expect(try answers(nil, .dropped).isMatch)
    #expect(try answers(.dropped, nil).isMatch)
  }

  @Test("sees that bytes differ and values do not")
  func encoding() throws {
    // A size of 3 in the three-byte form.
    let wide: [UInt8] = [0, 7, 254, 3, 0, 97, 98, 99]
    let result = try answers(success("abc"), .payload(wide))
    #expect(result.differences.map(\.kind) == [.encoding])
    #expect(result.isEqualInDart)
  }

  @Test("says so when an answer is none of the codec")
  func malformed() throws {
    let result = try answers(success(1), .payload([0xff, 0xee]), codec: .standardMethod)
    #expect(result.differences.map(\.kind) == [.bytes])
    #expect(result.differences[0].actual.contains("no message of the codec standard-method"))
  }

  @Test("reads JSON, texts and bytes")
  func otherCodecs() throws {
    let call = try json.encodeMethodCall(MethodCall("a", nil))
    let byJSON = try answers(
      .payload(Array("[{\"a\":1}]".utf8)), .payload(Array("[{\"a\": 2}]".utf8)), message: call)
    #expect(byJSON.differences.map(\.text) == ["$.a: recorded 1, now 2"])
    let spaces = try answers(
      .payload(Array("[1]".utf8)), .payload(Array("[ 1 ]".utf8)), message: call)
    #expect(spaces.differences.map(\.kind) == [.encoding])
    let text = try answers(
      .payload(Array("abc".utf8)), .payload(Array("abd".utf8)), codec: .string,
      message: Array("x".utf8))
    #expect(text.differences.map(\.text) == ["$: recorded 'abc', now 'abd'"])
    let bytes = try answers(.payload([1, 2, 3]), .payload([1, 2, 4, 5]), codec: .binary)
    #expect(
      bytes.differences.map(\.text)
        == ["$: recorded 3 bytes, from byte 0 010203, now 4 bytes, 01020405"])
  }

  @Test("passes over what rules name, and nothing else")
  func rules() throws {
    let one = try success(["token": "a", "n": 1])
    let other = try success(["token": "b", "n": 2])
    let result = try answers(one, other, rules: ["PW.sta*: $.token"])
    #expect(result.differences.map(\.text) == ["$.n: recorded 1, now 2"])
    #expect(result.ignoredCount == 1)
    #expect(try answers(one, other, rules: ["PW.stop*: $.token"]).differences.count == 2)
    #expect(try answers(one, other, rules: ["PW.start: $"]).isMatch)
    #expect(try answers(one, .dropped, rules: ["PW.start"]).isMatch)
    #expect(try !answers(one, .dropped, rules: ["PW.start: $.token"]).isMatch)
  }

  @Test("reads calls and events from native code")
  func toDart() throws {
    let comparer = MessageComparer()
    let one = try standard.encodeMethodCall(MethodCall("onEvent", ["a": 1]))
    let other = try standard.encodeMethodCall(MethodCall("onEvent", ["a": 2]))
    let third = try standard.encodeMethodCall(MethodCall("onOther", ["a": 2]))
    func texts(_ recorded: [UInt8]?, _ actual: [UInt8]?) -> [String] {
      comparer.compareMessages(recorded: recorded, actual: actual, on: "x", isToDart: true)
        .differences.map(\.text)
    }
    #expect(texts(one, other) == ["$.a: recorded 1, now 2"])
    #expect(texts(other, third) == ["$: recorded the method onEvent, now onOther"])
    let event = try standard.encodeEnvelope(.success(["b": 1]))
    let next = try standard.encodeEnvelope(.success(["b": 2]))
    #expect(texts(event, next) == ["$.b: recorded 1, now 2"])
    #expect(texts(event, nil) == ["$: recorded event {b: 1}, now no payload"])
  }
}
