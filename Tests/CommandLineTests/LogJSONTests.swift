import ChannelCodec
import ChannelRouter
import ChannelTransport
import Foundation
import Testing

@testable import BridgeCommands

/// The log for programs: every line is a JSON object with the documented members.
@Suite("Log JSON") struct LogJSONTests {
  private static var layout: JSONLayoutOfLog {
    var layout = JSONLayoutOfLog()
    layout.now = { 1_767_225_600_000_042 }
    return layout
  }

  private func line(_ event: LogEvent) throws -> String {
    let lines = LogJSONTests.layout.lines(of: event)
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    return line
  }

  private func line(
    _ message: GuessedMessage, _ outcome: ReplyOutcome?, isToDart: Bool = false
  ) throws -> String {
    try line(
      .call(
        LoggedCall(
          client: 3, isToDart: isToDart, channel: "PW", message: message, outcome: outcome,
          microseconds: 41, warnings: [])))
  }

  @Test func aCall() throws {
    let call = MethodCall("start", ["a": 1])
    #expect(
      try line(.call(call, .standard), .payload([0, 0])) == """
        {"time":1767225600.000042,"event":"call","connection":3,"direction":"from-dart",\
        "channel":"PW","method":"start","codec":"standard",\
        "arguments":{"map":[[{"string":"a"},{"int32":1}]]},"outcome":"success",\
        "value":{"null":null},"microseconds":41}
        """)
  }

  @Test(
    "every outcome has a name",
    arguments: [
      (.payload(nil), "not-implemented"), (.payload([1, 7, 0, 0, 0]), "error"),
      (.payload([9]), "malformed-reply"), (.dropped, "dropped"),
      (.disconnected, "disconnected"), (.refused(Refusal(code: "c", text: "t")), "refused"),
      (nil, "no-reply-wanted"),
    ] as [(ReplyOutcome?, String)])
  func outcomes(outcome: ReplyOutcome?, expected: String) throws {
    let line = try line(.call(MethodCall("m"), .standard), outcome)
    #expect(line.contains("\"outcome\":\"\(expected)\""))
  }

  @Test func everythingElseIsJSONToo() throws {
    let nasty = "a\"b\\c\n\u{1b}\u{202e}\u{7f}"
    for event: LogEvent in [
      .connected(client: 1, device: nasty, software: nasty),
      .disconnected(client: 1, end: ConnectionEnd(.lost(nasty), unanswered: [nasty])),
      .refusedClient(nasty), .trouble(client: 1, text: nasty),
      .report(client: nil, MessengerReport(.remark, .warning, nasty, channel: ChannelName(nasty))),
    ] {
      let line = try line(event)
      #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    }
    #expect(
      try line(
        .event(.error(code: Value.Text(nasty), message: nil)), nil, isToDart: true) != "")
    #expect(try line(.none, .payload(nil)).contains(#""message":null"#))
    #expect(try line(.bytes([1, 2]), .payload([3])).contains(#""bytes":2"#))
  }

  @Test func longMessagesAreToldByTheirSize() throws {
    let bytes = Value.uint8List(Value.TypedList([UInt8](repeating: 1, count: 200_000)))
    let line = try line(.call(MethodCall("m", bytes), .standard), .payload([0, 0]))
    #expect(line.utf8.count < 500)
    #expect(line.contains("\"arguments-omitted\":400016"))
  }

  @Test func longNamesAndTextsAreCutWithTheirSize() throws {
    let long = String(repeating: "é", count: 1 << 20)
    let text = Value.Text(long)
    let refusal = Refusal(code: "c", text: long)
    let call = try line(.call(MethodCall(text), .standard), .refused(refusal))
    #expect(call.utf8.count < 10_000)
    #expect(call.contains("é…\",\"method-bytes\":2097152,"))
    #expect(call.contains("é…\",\"text-bytes\":2097152,"))
    let error = try line(
      .call(MethodCall("m"), .standard),
      .payload(
        StandardMethodCodec().encodeEnvelope(.error(ErrorEnvelope(code: text, message: text)))))
    #expect(error.utf8.count < 500)
    #expect(error.contains("\"outcome\":\"error\",\"error-omitted\":"))
    let event = try line(.event(.error(code: text, message: nil)), nil, isToDart: true)
    #expect(event.utf8.count < 500 && event.contains("\"event-error-omitted\":"))
    let closed = try line(
      .disconnected(
        client: 1,
        end: ConnectionEnd(.finished, unanswered: [String](repeating: long, count: 5000))))
    #expect(closed.utf8.count < 50_000)
    #expect(closed.contains("\"unanswered-count\":5000"))
  }

  @Test(
    arguments: [
      (0, "0.000000"), (1_500_000, "1.500000"), (1_000_001, "1.000001"),
    ] as [(Int64, String)])
  func seconds(microseconds: Int64, expected: String) {
    #expect(JSONLayoutOfLog.seconds(microseconds) == expected)
  }
}
