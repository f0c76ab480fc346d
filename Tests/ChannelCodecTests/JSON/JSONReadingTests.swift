import ChannelCodec
import ChannelNotation
import Testing

@Suite("JSON reading")
struct JSONReadingTests {
  // MARK: - What strict accepts

  static let accepted: [(text: String, value: Value)] = [
    ("null", .null), ("true", true), (" false\r\n\t", false),
    ("0", .int32(0)), ("-0", .int32(0)), ("2147483647", .int32(.max)),
    ("2147483648", .int64(2_147_483_648)), ("-2147483648", .int32(.min)),
    ("-2147483649", .int64(-2_147_483_649)), ("9223372036854775807", .int64(.max)),
    ("-9223372036854775808", .int64(.min)),
    ("9223372036854775808", .float64(0x1p63)), ("-9223372036854775809", .float64(-0x1p63)),
    ("18446744073709551615", .float64(0x1p64)), ("1.0", .float64(1)), ("-0.0", .float64(-0.0)),
    ("1e2", .float64(100)), ("1E+2", .float64(100)), ("1e-2", .float64(0.01)),
    (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"),
    (#""\u0041\u00e9\u20ac\ud83d\ude00""#, "Aé€😀"), (#""é€😀""#, "é€😀"),
    (#""\u0000""#, "\0"), ("\"\u{7f}\"", "\u{7f}"),
    ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]),
    ("[1,[2,[]],{}]", [1, [2, []], [:]]),
    (#" { "a" : 1 , "b" : [ true ] } "#, ["a": 1, "b": [true]]),
    (#"{"a":1,"a":2}"#, ["a": 1, "a": 2]),
  ]

  @Test("strict accepts RFC 8259", arguments: accepted)
  func accepts(text: String, value: Value) throws {
    #expect(try JSONMessageCodec().decode(Array(text.utf8)) == value)
  }

  // MARK: - What strict refuses, and where

  static let refused: [(text: String, offset: Int)] = [
    (" ", 1), ("nul", 3), ("nulL", 3), ("True", 0), ("truefalse", 4), ("NaN", 0), ("Infinity", 0),
    ("-", 1), ("-a", 1), ("+1", 0), ("01", 1), ("-01", 2), (".5", 0), ("1.", 2), ("1.e1", 2),
    ("1e", 2), ("1e+", 3), ("1.5.5", 3), ("0x10", 1), ("1 2", 2), ("1e400", 0), ("-1e400", 0),
    ("\"", 1), ("\"a", 2), ("'a'", 0), ("\"\t\"", 1), ("\"a\u{0}\"", 2), (#""\x""#, 2),
    (#""\u12""#, 5), (#""\u12g4""#, 5), (#""\"#, 2),
    (#""\ud800""#, 1), (#""a\udc00""#, 2), (#""\ud800\u0041""#, 1), (#""\ud800\ud800""#, 1),
    (#""\ud800\u00""#, 11),
    ("[", 1), ("]", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1}", 2),
    ("{", 1), ("}", 0), ("{]", 1), ("{1:2}", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1"#, 6),
    (#"{"a":1,}"#, 7), (#"{"a":1]"#, 6), (#"{"a" 1}"#, 5), (#"{,}"#, 1), ("{a:1}", 1),
    ("[]]", 2), ("// x\n1", 0), ("/* */1", 0), ("\u{feff}1", 0), ("1\u{0}", 1), ("\u{a0}1", 0),
  ]

  @Test("strict refuses the rest at the byte that does not fit", arguments: refused)
  func refuses(text: String, offset: Int) {
    let error = #expect(throws: CodecError.self) {
      try JSONMessageCodec().decode(Array(text.utf8))
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.offset == offset)
    #expect(error?.platformError == nil)
  }

  static let illFormed: [(bytes: [UInt8], offset: Int)] = [
    ([0x22, 0xff, 0x22], 1), ([0x22, 0x61, 0xc3, 0x22], 2), ([0x22, 0xe2, 0x82, 0x22], 1),
    ([0x22, 0xed, 0xa0, 0x80, 0x22], 1), ([0x22, 0xc0, 0x80, 0x22], 1),
    ([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xc3, 0xa9, 0x80], 3),
  ]

  @Test("ill-formed UTF-8 is refused at the character's first byte", arguments: illFormed)
  func refuses(bytes: [UInt8], offset: Int) {
    let error = #expect(throws: CodecError.self) { try JSONMessageCodec().decode(bytes) }
    #expect(error == CodecError(.invalidUTF8, offset: offset, expected: "", found: ""))
  }

  @Test("errors say where they are, what was expected and what was found")
  func words() {
    func description(_ text: String) -> String? {
      let error = #expect(throws: CodecError.self) {
        try JSONMessageCodec().decode(Array(text.utf8))
      }
      return error?.description
    }
    #expect(
      description(#"{"a":[1,{"b\n":tru}]}"#)
        == #"invalidJSON at byte 18 in ["a"][1]["b\n"]: expected "true", found "}""#)
    #expect(
      description("[1,]") == #"invalidJSON at byte 3 in [1]: expected a value, found "]""#)
    #expect(
      description("[1") == #"invalidJSON at byte 2 in [1]: expected "," or "]", "#
        + "found the end of the text")
    #expect(
      description(#"{"a":1,2}"#)
        == #"invalidJSON at byte 7 in [key 1]: expected a member's name, found "2""#)
    #expect(
      description("\u{feff}{}")
        == "invalidJSON at byte 0: expected a value, found a byte order mark")
    #expect(
      description(#""\udead""#) == "invalidJSON at byte 1: "
        + "expected both halves of a surrogate pair, found a low surrogate alone")
  }

  @Test("no bytes are an empty message, no message is nil")
  func nothing() throws {
    #expect(try JSONMessageCodec().decode(nil) == nil)
    let error = #expect(throws: CodecError.self) { try JSONMessageCodec().decode([]) }
    #expect(error == CodecError(.emptyMessage, offset: 0, expected: "", found: ""))
  }

  // MARK: - Depth

  @Test("512 levels pass, the 513th bracket is refused")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(try JSONMessageCodec().decode(nested(512)) != nil)
    let error = #expect(throws: CodecError.self) { try JSONMessageCodec().decode(nested(513)) }
    #expect(error == CodecError(.depthExceeded, offset: 512, expected: "", found: ""))
    #expect(error?.path.components.count == 512)
  }

  @Test("100,000 levels cost no stack", arguments: [Profile.strict, .dart, .linux])
  func deep(_ profile: Profile) throws {
    let depth = 100_000
    let codec = JSONMessageCodec(profile: profile, maximumDepth: depth)
    let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let maps =
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    for text in [Array(lists.utf8), Array(maps.utf8)] {
      // Compared outside #expect, which takes long to note operands of this size.
      let isRepeated = try codec.encode(codec.decode(text)) == text
      #expect(isRepeated)
    }
    for open in ["[", #"{"a":"#] {
      let unclosed = Array(String(repeating: open, count: depth).utf8)
      do throws(CodecError) {
        _ = try codec.decode(unclosed)
        Issue.record("accepted")
      } catch {
        #expect(error.offset == unclosed.count)
      }
    }
  }

  // MARK: - Numbers

  /// Cases that a reader gets wrong which rounds twice or looks at 17 digits only.
  static let doubles: [(text: String, bits: UInt64)] = [
    ("4.9406564584124654e-324", 1), ("2.4703282292062328e-324", 1),
    ("2.4703282292062327e-324", 0), ("-2.4703282292062327e-324", 1 << 63),
    ("2.2250738585072011e-308", 0x000f_ffff_ffff_ffff),
    ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
    ("1.7976931348623157e308", 0x7fef_ffff_ffff_ffff),
    ("1.7976931348623158e308", 0x7fef_ffff_ffff_ffff),
    ("9007199254740993.0", 0x4340_0000_0000_0000),
    ("9007199254740993.0000000000000000000000000000000000000001", 0x4340_0000_0000_0001),
    ("1.00000000000000011102230246251565404236316680908203125", 0x3ff0_0000_0000_0000),
    ("1.00000000000000011102230246251565404236316680908203126", 0x3ff0_0000_0000_0001),
    ("0.000001e22", 0x4341_c379_37e0_8000), ("123456789e-9", 0x3fbf_9add_3739_635f),
    ("1e22", 0x4480_f0cf_064d_d592), ("1e23", 0x44b5_2d02_c7e1_4af6),
    ("0e99999", 0), ("-0e-99999", 1 << 63), ("1e-99999", 0),
    ("0.075E+305", 0x7f05_df94_eb03_6bac), ("7482978487225197.514833", 0x433a_95ba_b297_cb6e),
  ]

  @Test("doubles are the nearest ones", arguments: doubles)
  func nearest(text: String, bits: UInt64) throws {
    #expect(try JSONMessageCodec().decode(Array(text.utf8)) == .float64(Double(bitPattern: bits)))
    let long =
      text.contains("e") || text.contains("E") ? text : text + String(repeating: "0", count: 5000)
    #expect(try JSONMessageCodec().decode(Array(long.utf8)) == .float64(Double(bitPattern: bits)))
  }

  @Test("what is printed reads back as the same bits")
  func roundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    let codec = JSONMessageCodec()
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let text = try #require(try codec.encode(.float64(number)))
      #expect(try codec.decode(text) == .float64(number), "\(number.bitPattern)")
    }
  }

  // MARK: - Anything

  @Test(
    "no cut and no flipped bit of a message brings any profile down", arguments: Profile.allCases)
  func damage(_ profile: Profile) throws {
    let text = Array(
      #"{"a":[1,-2.5e3,"\u00e9\ud83d\ude00é",null],"b":{"a":true,"a":9999999999}}"#.utf8)
    let codec = JSONMessageCodec(profile: profile)
    let method = JSONMethodCodec(profile: profile)
    var refusals = 0
    func tryAll(_ bytes: [UInt8]) {
      do throws(CodecError) {
        if let value = try codec.decode(bytes) { _ = try codec.encode(value) }
      } catch {
        refusals += 1
        if let offset = error.offset { #expect((0...bytes.count).contains(offset)) }
      }
      _ = try? method.decodeMethodCall(bytes)
      _ = try? method.decodeEnvelope(bytes)
    }
    for end in text.indices {
      tryAll(Array(text[..<end]))
      for bit in 0..<8 {
        var flipped = text
        flipped[end] ^= 1 << UInt8(bit)
        tryAll(flipped)
      }
    }
    #expect(refusals > text.count)
  }
}
