import ChannelCodec
import Testing

@Suite("Text and large integers")
struct TextTests {
  @Test("text by string, by bytes and by literal is one text")
  func construction() {
    let text: Value.Text = "aé鍵🔑"
    let substring = "xaé鍵🔑y".dropFirst().dropLast()
    for other in [Value.Text("aé鍵🔑"), Value.Text(substring), Value.Text(bytes: "aé鍵🔑".utf8)] {
      #expect(other == text)
      #expect(other.hashValue == text.hashValue)
      #expect(other.isValidUTF8)
      #expect(other.string == "aé鍵🔑")
      #expect(other.utf8 == Array("aé鍵🔑".utf8))
      #expect(other.utf8Count == 10)
      #expect(other.description == "aé鍵🔑")
    }
  }

  @Test("text that is not UTF-8 keeps its bytes")
  func raw() {
    let text = Value.Text(bytes: [0x61, 0xed, 0xa0, 0x80])
    #expect(!text.isValidUTF8)
    #expect(text.string == nil)
    #expect(text.utf8 == [0x61, 0xed, 0xa0, 0x80])
    #expect(text.utf8Count == 4)
    #expect(text.description.hasPrefix("a\u{fffd}"))
    #expect(text == Value.Text(bytes: [0x61, 0xed, 0xa0, 0x80]))
    #expect(text != Value.Text(text.description))
  }

  @Test("text compares by bytes")
  func equality() {
    #expect(Value.Text("\u{e9}") != Value.Text("e\u{301}"))
    #expect(Value.Text("\u{212b}") != Value.Text("\u{c5}"))
    #expect(Set([Value.Text("\u{e9}"), "e\u{301}", "\u{e9}"]).count == 2)
    #expect(Value.Text("\u{feff}a").utf8Count == 4)
    #expect(Value.Text("a\0b").utf8 == [97, 0, 98])
  }

  @Test("withUTF8 passes errors on")
  func errors() {
    struct Stop: Error {}
    for text: Value.Text in ["swift", Value.Text(bytes: [0x61]), Value.Text(bytes: [0xff])] {
      #expect(throws: Stop.self) { try text.withUTF8 { _ throws(Stop) in throw Stop() } }
    }
  }

  @Test(
    "large integers print in base 16",
    arguments: [
      (Int64(0), "0"), (255, "ff"), (-255, "-ff"), (.max, "7fffffffffffffff"),
      (.min, "-8000000000000000"),
    ])
  func largeIntegers(_ number: Int64, _ text: String) {
    #expect(Value.LargeInteger(number).text == Value.Text(text))
    #expect(Value.LargeInteger(number).description == text)
  }

  @Test("large integers beyond 64 bits")
  func wide() {
    #expect(Value.LargeInteger(UInt64.max).text == "ffffffffffffffff")
    #expect(Value.LargeInteger(Int128.min).text == "-80000000000000000000000000000000")
    #expect(Value.LargeInteger("00ff") != Value.LargeInteger("ff"), "the text is the value")
  }

  @Test("a large integer's text is ill-formed inside a list as it is outside")
  func rawLargeInteger() {
    let raw = Value.LargeInteger(Value.Text(bytes: [0xff]))
    #expect(!raw.text.isValidUTF8)
    guard case .largeInteger(let inside)? = ([.largeInteger(raw)] as Value)[0] else {
      Issue.record("no large integer")
      return
    }
    #expect(inside == raw)
    #expect(!inside.text.isValidUTF8)
  }

  @Test("short text for errors and paths")
  func shortText() {
    let texts = ValueEqualityTests.distinct.map(\.shortText)
    #expect(
      Array(texts.prefix(9)) == ["null", "true", "false", "5", "5", "5.0", "0x5", "0x05", "\"5\""])
    let others: [Value] = [
      .uint8List([1, 2]), .int32List([]), .int64List([1]), .float32List([1]), .float64List([1]),
      [1, 2], ["a": 1], .custom(130, 1),
    ]
    #expect(
      others.map(\.shortText) == [
        "Uint8List(2)", "Int32List(0)", "Int64List(1)", "Float32List(1)", "Float64List(1)",
        "list of 2", "map of 1", "custom type 130",
      ])
  }

  @Test(
    "quoted text is safe for a terminal",
    arguments: [
      ("plain", "\"plain\""), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("\n\t\0", "\"\\n\\u{9}\\u{0}\""),
      ("\u{1b}[31m", "\"\\u{1b}[31m\""), ("\u{7f}\u{9b}", "\"\\u{7f}\\u{9b}\""), ("é鍵", "\"é鍵\""),
    ])
  func quoted(_ text: String, _ quoted: String) {
    #expect(Value.Text(text).quoted == quoted)
  }

  @Test("quoted text is cut after 60 characters")
  func cut() {
    let sixty = String(repeating: "x", count: 60)
    #expect(Value.Text(sixty).quoted == "\"\(sixty)\"")
    #expect(Value.Text(sixty + "y").quoted == "\"\(sixty)…\"")
    #expect(Value.Text(bytes: [0xff, 0x61]).quoted == "\"\u{fffd}a\"")
  }
}
