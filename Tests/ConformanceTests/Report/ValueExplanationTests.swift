import ChannelCodec
import ChannelNotation
import Conformance
import Testing

/// Values, refusals and silence as testees with well-known mistakes answer.
@Suite struct ValueExplanationTests {
  struct WrongAnswer: Sendable, CustomTestStringConvertible {
    var name: String
    var codec = NamedCodec.Name.message
    var operation = "decode"
    var verdict = Verdict.fail
    var request: Payload
    var expected: Payload
    var actual: Payload?
    var words: [String]
    var testDescription: String { name }
  }

  static let wrongAnswers: [WrongAnswer] = [
    WrongAnswer(
      name: "true and false swapped", request: .bytes([0x01]), expected: .value(#"{"bool":true}"#),
      actual: .value(#"{"bool":false}"#),
      words: ["at the top", #"expected {"bool":true}"#, "swapped"]),
    WrongAnswer(
      name: "int32 cut from int64", request: .bytes([4, 1, 0, 0, 0, 1, 0, 0, 0]),
      expected: .value(#"{"int64":"4294967297"}"#), actual: .value(#"{"int32":1}"#),
      words: ["int32 stands where int64 is due", "upper bits are lost", "int32 is used"]),
    WrongAnswer(
      name: "int64 for int32", request: .bytes([3, 5, 0, 0, 0]), expected: .value(#"{"int32":5}"#),
      actual: .value(#"{"int64":"5"}"#), words: ["int64 stands where int32 is due"]),
    WrongAnswer(
      name: "a list element", request: .bytes([0x0c, 2, 3, 1, 0, 0, 0, 3, 2, 0, 0, 0]),
      expected: .value(#"{"list":[{"int32":1},{"int32":2}]}"#),
      actual: .value(#"{"list":[{"int32":1},{"int32":3}]}"#),
      words: ["Value at $[1]", #"expected {"int32":2}"#, #"answered {"int32":3}"#]),
    WrongAnswer(
      name: "NaN bits", request: .bytes([6, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f]),
      expected: .value(#"{"float64":"0x7ff8000000000001"}"#), actual: .value(#"{"float64":"nan"}"#),
      words: ["the bits of the NaN are lost"]),
    WrongAnswer(
      name: "negative zero", request: .bytes([6] + [UInt8](repeating: 0, count: 14) + [0x80]),
      expected: .value(#"{"float64":"-0.0"}"#), actual: .value(#"{"float64":0.0}"#),
      words: ["The sign of zero is lost"]),
    WrongAnswer(
      name: "float32 list read as float64", request: .bytes([0x0e, 1, 0, 0, 0, 0, 0xc0, 0x3f]),
      expected: .value(#"{"float32list":[1.5]}"#), actual: .value(#"{"float64list":[1.5]}"#),
      words: ["Type at the top", "Float64List, 8 bytes a number"]),
    WrongAnswer(
      name: "repeated keys merged",
      request: .bytes([0x0d, 2, 7, 1, 0x61, 1, 7, 1, 0x61, 2]),
      expected: .value(
        #"{"map":[[{"string":"a"},{"bool":true}],[{"string":"a"},{"bool":false}]]}"#),
      actual: .value(#"{"map":[[{"string":"a"},{"bool":false}]]}"#),
      words: ["expected 2 pairs", "repeated keys are merged"]),
    WrongAnswer(
      name: "map order", request: .bytes([0x0d, 2, 7, 1, 0x62, 1, 7, 1, 0x61, 2]),
      expected: .value(
        #"{"map":[[{"string":"b"},{"bool":true}],[{"string":"a"},{"bool":false}]]}"#),
      actual: .value(#"{"map":[[{"string":"a"},{"bool":false}],[{"string":"b"},{"bool":true}]]}"#),
      words: ["Map order at the top", "another order"]),
    WrongAnswer(
      name: "string cut", request: .bytes([7, 3, 0xc3, 0xa9, 0x61]),
      expected: .value(#"{"string":"éa"}"#), actual: .value(#"{"string":"é"}"#),
      words: ["The string is cut", "UTF-16"]),
    WrongAnswer(
      name: "method name", codec: .call, request: .bytes([7, 1, 0x61, 0]),
      expected: .value(#"{"method":"a","args":{"null":null}}"#),
      actual: .value(#"{"method":"b","args":{"null":null}}"#), words: ["at method"]),
    WrongAnswer(
      name: "success for error", codec: .envelope, request: .bytes([1, 7, 1, 0x61, 0, 0]),
      expected: .value(#"{"error":{"code":"a","message":null,"details":{"null":null}}}"#),
      actual: .value(#"{"success":{"string":"a"}}"#),
      words: ["Expected an error envelope", "a success"]),
    WrongAnswer(
      name: "stack trace", codec: .envelope, request: .bytes([1, 7, 1, 0x61, 0, 0, 0]),
      expected: .value(
        #"{"error":{"code":"a","message":null,"details":{"null":null},"stacktrace":null}}"#),
      actual: .value(#"{"error":{"code":"a","message":null,"details":{"null":null}}}"#),
      words: ["fourth field"]),
    WrongAnswer(
      name: "null for nothing", request: .noMessage, expected: .value("null"),
      actual: .value(#"{"null":null}"#), words: ["no message at all", "two different things"]),
    WrongAnswer(
      name: "null for no message", request: .noMessage, expected: .noMessage,
      actual: .value(#"{"null":null}"#), words: ["no message at all", "two different things"]),
    WrongAnswer(
      name: "no message for null", request: .bytes([0]), expected: .value(#"{"null":null}"#),
      actual: .noMessage, words: ["Expected a value", "two different things"]),
    WrongAnswer(
      name: "empty payload for a null reply", codec: .envelope, operation: "encode",
      request: .value("null"), expected: .noMessage, actual: .bytes([]),
      words: ["no message at all", "an empty message (0 bytes)", "null reply"]),
    WrongAnswer(
      name: "null byte for nothing", operation: "encode", request: .value("null"),
      expected: .noMessage, actual: .bytes([0]), words: ["one byte 00"]),
    WrongAnswer(
      name: "truncated input accepted", request: .bytes([3, 5, 0]), expected: .refusal(""),
      actual: .value(#"{"int32":5}"#),
      words: ["must be refused", "truncated", "truncated input is accepted"]),
    WrongAnswer(
      name: "trailing bytes accepted", request: .bytes([3, 5, 0, 0, 0, 9]), expected: .refusal(""),
      actual: .value(#"{"int32":5}"#),
      words: ["must be refused", "byte 5", "trailing bytes are accepted"]),
    WrongAnswer(
      name: "size trusted", request: .bytes([0x08, 0xff, 0xff, 0xff, 0xff, 0x7f]),
      expected: .refusal(""), actual: .value(#"{"uint8list":""}"#), words: ["a size is trusted"]),
    WrongAnswer(
      name: "a valid size refused",
      request: .bytes([7, 0xfe, 0x00, 0x80] + [UInt8](repeating: 0x61, count: 0x8000)),
      expected: .value("{\"string\":\"\(String(repeating: "a", count: 0x8000))\"}"),
      actual: .refusal("negative array size"),
      words: ["refused", "negative array size", "is valid", "taken as signed"]),
    WrongAnswer(
      name: "crash on an empty message", verdict: .crash, request: .bytes([]),
      expected: .refusal(""), actual: nil, words: ["crashed", "message is empty", "first byte"]),
    WrongAnswer(
      name: "hang on a long one", verdict: .timeout,
      request: .bytes([7, 0xfe, 0, 1] + [UInt8](repeating: 0x61, count: 256)),
      expected: .value("…"), actual: nil, words: ["no answer in time", "long (260 bytes)"]),
    WrongAnswer(
      name: "broken rules", verdict: .protocolError, request: .bytes([0]),
      expected: .value(#"{"null":null}"#), actual: nil, words: ["breaks the rules"]),
    WrongAnswer(
      name: "an answer that is no typed JSON", request: .bytes([0]),
      expected: .value(#"{"null":null}"#), actual: .value("{{"), words: ["not typed JSON"]),
    WrongAnswer(
      name: "bytes for a value", request: .bytes([0]), expected: .value(#"{"null":null}"#),
      actual: .bytes([0]), words: [#"Expected {"null":null}"#, "answered with the bytes 00"]),
  ]

  private static func result(_ row: WrongAnswer) -> CaseResult {
    CaseResult(
      id: "a.b.\(row.operation)", area: "a", operation: row.operation, codec: row.codec.rawValue,
      verdict: row.verdict, request: row.request, expected: [row.expected], actual: row.actual)
  }

  @Test(arguments: wrongAnswers)
  func namesTheMistakeInAnswers(_ row: WrongAnswer) {
    let text = FailureExplanation.sentences(for: Self.result(row)).joined(separator: "\n")
    for word in row.words { #expect(text.contains(word), "\(word) is not in:\n\(text)") }
  }

  @Test func addsWhatTheVectorGuardsAgainst() {
    let sentences = FailureExplanation.sentences(
      for: Self.result(Self.wrongAnswers[0]), bugClass: "wrong type byte",
      effect: "a value is read as another type")
    #expect(
      sentences.last
        == "This case guards against \"wrong type byte\": a value is read as another type.")
  }

  @Test func saysNothingAboutPassesAndSkips() {
    for verdict in [Verdict.pass, .skipped] {
      let result = CaseResult(
        id: "a", area: "a", operation: "decode", codec: "message", verdict: verdict)
      #expect(FailureExplanation.sentences(for: result, bugClass: "b").isEmpty)
    }
  }

  /// Where no known mistake gives the answer, none is named.
  @Test func claimsNothingThatTheBytesDoNotShow() {
    let result = CaseResult(
      id: "a", area: "a", operation: "encode", codec: "message", verdict: .fail,
      expected: [.bytes([3, 5, 0, 0, 0])], actual: .bytes([3, 6, 0, 0, 0]))
    let text = FailureExplanation.sentences(for: result).joined(separator: "\n")
    #expect(text.contains("Byte 1 is the content of the int32 at the top"))
    #expect(text.contains(#"expected {"int32":5}, the testee's bytes mean {"int32":6}"#))
    #expect(!text.contains("looks like"))
  }

  /// Bytes and texts of any kind, for every codec and verdict: no trap, and no end of sentences.
  @Test func survivesRandomAnswers() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix(state: seed)
    let texts = ["null", "{", #"{"int32":1}"#, #"{"list":[]}"#, "\u{202e}\u{0}", ""]
    func payload() -> Payload {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .noMessage
      case 1: .value(texts.randomElement(using: &random) ?? "")
      case 2: .refusal(texts.randomElement(using: &random) ?? "")
      default:
        .bytes(
          (0..<Int.random(in: 0..<24, using: &random)).map { _ in
            Bool.random(using: &random)
              ? UInt8.random(in: 0...16, using: &random) : UInt8.random(in: 0...255, using: &random)
          })
      }
    }
    for _ in 0..<400 {
      for codec in NamedCodec.Name.allCases {
        let result = CaseResult(
          id: "a", area: "a",
          operation: ["decode", "encode", "roundtrip"].randomElement(using: &random) ?? "",
          codec: codec.rawValue, verdict: .fail, request: payload(),
          expected: [payload(), payload()],
          actual: payload())
        let sentences = FailureExplanation.sentences(for: result)
        #expect(!sentences.isEmpty && sentences.count < 12)
      }
    }
  }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
