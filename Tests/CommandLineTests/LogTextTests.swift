import ChannelCodec
import ChannelRouter
import ChannelTransport
import Testing

@testable import BridgeCommands

/// What the log for people looks like.
@Suite("Log text") struct LogTextTests {
  @Test(
    "values in short",
    arguments: [
      (nil, "null"), (true, "true"), (5, "5"), (.int64(5), "5"), (-0.5, "-0.5"),
      ("a", #""a""#), ("", #""""#), ([], "[]"), ([:], "{}"),
      ([1, "b", nil], #"[1, "b", null]"#),
      (["elapsedSeconds": 0], "{elapsedSeconds: 0}"),
      (["a": ["b": [1, [2]]], "c d": 3], #"{a: {b: [1, [2]]}, "c d": 3}"#),
      (["": 1, "1a": 2], #"{"": 1, "1a": 2}"#),
      (.map(Value.Map([(key: 1, value: "x"), (key: 1, value: "y")])), #"{1: "x", 1: "y"}"#),
      (.uint8List([0, 255]), "Uint8List[0, 255]"), (.int32List([-1]), "Int32List[-1]"),
      (.float64List([]), "Float64List[]"), (.float32List([1.5]), "Float32List[1.5]"),
      (.custom(129, 2), "type 129(2)"), (.largeInteger("1a8"), #"BigInteger "1a8""#),
      ("line\nend\t\"\\", #""line\nend\t\"\\""#),
      ("\u{1b}[31m\u{202e}\u{0}é", #""\u{1b}[31m\u{202e}\u{0}é""#),
    ] as [(Value, String)])
  func short(value: Value, expected: String) {
    #expect(CompactNotation.text(of: value) == expected)
  }

  @Test func longValuesAreCut() {
    let text = CompactNotation.text(of: .string(Value.Text(String(repeating: "é", count: 5000))))
    #expect(text.hasPrefix("\"éé") && text.hasSuffix("é…\""))
    #expect((190...210).contains(text.utf8.count))

    let list = CompactNotation.text(of: .list(Value.List((0..<10_000).map { Value.integer($0) })))
    #expect(list.hasPrefix("[0, 1, 2, ") && list.hasSuffix(", …"))
    #expect((190...220).contains(list.utf8.count))

    let bytes = CompactNotation.text(
      of: .uint8List(Value.TypedList([UInt8](repeating: 7, count: 100_000))))
    #expect(bytes.hasSuffix("… of 100000]…") && bytes.utf8.count < 230)

    let names = CompactNotation.text(of: [
      "n": .string(Value.Text(String(repeating: "x", count: 900)))
    ])
    #expect(names.utf8.count < 230)
  }

  @Test func deepValuesAreCut() {
    var value: Value = 1
    for _ in 0..<400 { value = .list(Value.List([value])) }
    let text = CompactNotation.text(of: value)
    #expect(text.hasPrefix("[[[[") && text.hasSuffix("…") && text.utf8.count < 230)
    var inner: Value = 1
    for _ in 0..<150 { inner = .list(Value.List([inner])) }
    let whole = CompactNotation.text(of: inner)
    #expect(whole.contains("1]]]"))
  }

  @Test func stringsThatAreNotUTF8AreShown() {
    let text = CompactNotation.text(of: .string(Value.Text(bytes: [0x61, 0xff, 0x1b])))
    #expect(text == "\"a\u{fffd}\\u{1b}\"")
  }

  // MARK: - Lines

  private static let layout = TextLayoutOfLog(showsClients: false)

  private static func line(
    _ message: GuessedMessage, _ outcome: ReplyOutcome?, channel: ChannelName = "PW",
    isToDart: Bool = false, microseconds: UInt64? = 41
  ) -> String {
    layout.line(
      of: LoggedCall(
        client: nil, isToDart: isToDart, channel: channel, message: message, outcome: outcome,
        microseconds: microseconds, warnings: []))
  }

  private static func call(_ method: Value.Text, _ arguments: Value = .null) -> GuessedMessage {
    .call(MethodCall(method, arguments), .standard)
  }

  @Test(
    "calls",
    arguments: [
      (
        line(call("startLiveActivity", ["elapsedSeconds": 0]), .payload([0, 0])),
        "PW startLiveActivity {elapsedSeconds: 0} -> success null 41us"
      ),
      (
        line(call("stop"), .payload([1, 7, 3, 0x34, 0x31, 0x38, 7, 1, 0x6e, 0])),
        #"PW stop -> error 418 "n" 41us"#
      ),
      (line(call("a b"), .payload(nil)), #"PW "a b" -> not implemented 41us"#),
      (line(call("a"), .dropped), "PW a -> dropped 41us"),
      (line(call("a"), .disconnected), "PW a -> no answer: the client has gone 41us"),
      (
        line(.bytes([7, 5]), .refused(Refusal(code: "message-malformed", text: "PW: cut\u{7}"))),
        #"PW 2 bytes -> refused message-malformed cut\u{7} 41us"#
      ),
      (line(call("a"), .payload([9])), "PW a -> malformed reply of 1 byte 41us"),
      (line(call("a"), nil, microseconds: nil), "PW a"),
      (line(.none, .payload(nil)), "PW no payload -> no payload 41us"),
      (line(.value(5, .standard), .payload([3, 6, 0, 0, 0])), "PW 5 -> 6 41us"),
      (line(.value(["a": 1], .json), .payload(Array("[2]".utf8))), "PW (JSON) {a: 1} -> [2] 41us"),
      (
        line(call("a"), .payload([0, 0]), channel: "bad\u{1b}[2J name"),
        #""bad\u{1b}[2J name" a -> success null 41us"#
      ),
      (
        line(.event(.success(5)), nil, channel: "e", isToDart: true, microseconds: nil),
        "<- e event 5"
      ),
      (line(.none, nil, channel: "e", isToDart: true, microseconds: nil), "<- e end of stream"),
      (
        line(call("hi", [1]), .payload([0, 1]), channel: "d", isToDart: true),
        "<- d hi [1] -> success true 41us"
      ),
    ])
  func lines(line: String, expected: String) {
    #expect(line == expected)
  }

  @Test func guesses() throws {
    let call = MethodCall("go", ["a": 1])
    let standard = try StandardMethodCodec().encodeMethodCall(call)
    guard case .call(call, .standard) = GuessedMessage(standard) else {
      Issue.record("no standard call")
      return
    }
    let json = try JSONMethodCodec().encodeMethodCall(call)
    guard case .call(call, .json) = GuessedMessage(json) else {
      Issue.record("no JSON call")
      return
    }
    guard case .bytes = GuessedMessage([0xff, 0xff]) else {
      Issue.record("bytes taken for something")
      return
    }
    guard case .event(.success(5)) = GuessedMessage(toDart: [0, 3, 5, 0, 0, 0]) else {
      Issue.record("no event")
      return
    }
    guard case .success(true) = GuessedReply(Array("[true]".utf8), to: .call(call, .json)) else {
      Issue.record("no JSON reply")
      return
    }
  }

  @Test(
    arguments: [
      (0, "0us"), (9_999, "9999us"), (10_000, "10ms"), (9_999_999, "9999ms"),
      (10_000_000, "10.0s"), (83_460_000, "83.4s"),
    ] as [(UInt64, String)])
  func times(microseconds: UInt64, expected: String) {
    #expect(TextLayoutOfLog.time(microseconds) == expected)
  }

  @Test func clientsAreNumbered() {
    let layout = TextLayoutOfLog(showsClients: true)
    #expect(
      layout.lines(of: .connected(client: 2, device: "ph\u{1b}one", software: "dart")) == [
        #"[2] connected (dart), device "ph\u{1b}one""#
      ])
    let end = ConnectionEnd(.lost("the other side has gone"), unanswered: ["PW a", "PW b"])
    #expect(
      layout.lines(of: .disconnected(client: 2, end: end)) == [
        "[2] ended: the other side has gone; never answered: PW a, PW b"
      ])
    let many = ConnectionEnd(.finished, unanswered: Array(repeating: "x", count: 12))
    #expect(layout.lines(of: .disconnected(client: 1, end: many))[0].hasSuffix(" and 2 more"))
    #expect(
      layout.lines(of: .report(client: nil, MessengerReport(.bufferOverflow, .info, "t"))) == [
        "note: t"
      ])
  }

  @Test func warningsStandBelowTheirCall() {
    let warning = MessengerReport(.remark, .warning, "PW a: odd\nthing")
    let call = LoggedCall(
      client: nil, isToDart: false, channel: "PW", message: LogTextTests.call("a"),
      outcome: .payload([0, 0]), microseconds: 1, warnings: [warning])
    #expect(
      LogTextTests.layout.lines(of: .call(call)) == [
        "PW a -> success null 1us", #"  warning: odd\u{a}thing"#,
      ])
  }
}
