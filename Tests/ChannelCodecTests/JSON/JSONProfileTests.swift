import ChannelCodec
import Testing

@Suite("JSON profiles")
struct JSONProfileTests {
  /// What a profile gives: text or a value, or the error's platform text and consequence.
  enum Outcome: Equatable, CustomStringConvertible {
    case text(String)
    case value(Value?)
    case none
    case refused(String?)
    case unspecified
    case crash

    init(_ error: CodecError) {
      switch error.consequence {
      case .refusal: self = .refused(error.platformError)
      case .crash: self = .crash
      case .unspecified: self = .unspecified
      }
    }

    var description: String {
      switch self {
      case .text(let text): text
      case .value(let value): "\(value.map(\.shortText) ?? "nil")"
      case .none: "none"
      case .refused(let text): "refused \(text ?? "")"
      case .unspecified: "unspecified"
      case .crash: "crash"
      }
    }
  }

  static func encode(_ value: Value?, _ profile: Profile) -> Outcome {
    do throws(CodecError) {
      guard let text = try JSONMessageCodec(profile: profile).encode(value) else { return .none }
      return .text(String(decoding: text, as: UTF8.self))
    } catch {
      return Outcome(error)
    }
  }

  static func decode(_ text: String, _ profile: Profile) -> Outcome {
    do throws(CodecError) {
      return .value(try JSONMessageCodec(profile: profile).decode(Array(text.utf8)))
    } catch {
      return Outcome(error)
    }
  }

  // MARK: - Writing numbers

  /// One row a number: inside a list, so that Android's two ways do not meet. The column `rapid`
  /// was measured on the Linux engine, where Grisu2 does not always find the shortest digits.
  static let numbers:
    [(number: Double, dart: String, web: String, rapid: String, android: String, ios: String)] = [
      (1, "1.0", "1", "1.0", "1", "1"),
      (-1.5, "-1.5", "-1.5", "-1.5", "-1.5", "-1.5"),
      (0, "0.0", "0", "0.0", "0", "0"),
      (-0.0, "-0.0", "-0.0", "-0.0", "-0", "-0"),
      (0.1, "0.1", "0.1", "0.1", "0.1", "0.1"),
      (
        0.1 + 0.2, "0.30000000000000004", "0.30000000000000004", "0.30000000000000007",
        "0.30000000000000004", "0.30000000000000004"
      ),
      (0.001, "0.001", "0.001", "0.001", "0.001", "0.001"),
      (0.0001, "0.0001", "0.0001", "0.0001", "1.0E-4", "0.0001"),
      (0.00012, "0.00012", "0.00012", "0.00012", "1.2E-4", "0.00012"),
      (0.000001, "0.000001", "0.000001", "0.000001", "1.0E-6", "1e-06"),
      (1e-7, "1e-7", "1e-7", "1e-7", "1.0E-7", "1e-07"),
      (1.5e-7, "1.5e-7", "1.5e-7", "1.5e-7", "1.5E-7", "1.5e-07"),
      (1_234_567.5, "1234567.5", "1234567.5", "1234567.5", "1234567.5", "1234567.5"),
      (12_345_678.5, "12345678.5", "12345678.5", "12345678.5", "1.23456785E7", "12345678.5"),
      (
        1e20, "100000000000000000000.0", "100000000000000000000", "100000000000000000000.0",
        "1.0E20", "1e+20"
      ),
      (1e21, "1e+21", "1e+21", "1e21", "1.0E21", "1e+21"),
      (1.5e21, "1.5e+21", "1.5e+21", "1.5e21", "1.5E21", "1.5e+21"),
      (1e300, "1e+300", "1e+300", "1e300", "1.0E300", "1e+300"),
      (.leastNonzeroMagnitude, "5e-324", "5e-324", "5e-324", "4.9E-324", "5e-324"),
      (
        0x1p63, "9223372036854776000.0", "9223372036854776000", "9223372036854776000.0",
        "9223372036854775807", "9.223372036854776e+18"
      ),
      (
        -698_301.6521509961, "-698301.6521509961", "-698301.6521509961", "-698301.6521509962",
        "-698301.6521509961", "-698301.6521509961"
      ),
      (
        Double(bitPattern: 0x2217_bead_dbc4_96cb), "1.9015657400796622e-144",
        "1.9015657400796622e-144", "1.9015657400796623e-144", "1.9015657400796622E-144",
        "1.9015657400796622e-144"
      ),
      (
        Double(bitPattern: 0x74c9_df6a_cc01_1cdd), "3.7937481619418327e+254",
        "3.7937481619418327e+254", "3.7937481619418329e254", "3.7937481619418327E254",
        "3.7937481619418327e+254"
      ),
    ]

  @Test("doubles are printed as each platform does", arguments: numbers)
  func prints(
    number: Double, dart: String, web: String, rapid: String, android: String, ios: String
  ) {
    let texts: [(Profile, String)] = [
      (.strict, dart), (.dart, dart), (.dartWeb, web), (.linux, rapid), (.windows, rapid),
      (.android, android), (.ios, ios),
    ]
    for (profile, text) in texts {
      #expect(Self.encode([.float64(number)], profile) == .text("[\(text)]"), "\(profile)")
    }
  }
  static let loneDoubles: [(number: Double, android: String, others: String)] = [
    (1, "1.0", "1.0"), (-0.0, "-0.0", "-0.0"), (1e7, "1.0E7", "10000000.0"),
    (.nan, "NaN", ""), (-.infinity, "-Infinity", ""),
  ]

  @Test("a double alone is Java's Double.toString on Android", arguments: loneDoubles)
  func alone(number: Double, android: String, others: String) {
    #expect(Self.encode(.float64(number), .android) == .text(android))
    #expect(Self.encode(.float64(number), .linux) == .text(others))
    let isFinite = number.isFinite
    #expect(Self.encode(.float64(number), .dart) == (isFinite ? .text(others) : Self.refusal))
    #expect(Self.encode(.float64(number), .strict) == (isFinite ? .text(others) : .refused(nil)))
  }

  static let refusal = Outcome.refused("JsonUnsupportedObjectError")

  @Test("rapidjson leaves NaN and infinities out and the text broken")
  func nonFinite() {
    let value: Value = [1.0, .float64(.nan), 2.0, .float64(.infinity)]
    #expect(Self.encode(value, .linux) == .text("[1.0,,2.0,]"))
    #expect(Self.encode(["a": .float64(.nan)], .linux) == .text(#"{"a":}"#))
    #expect(Self.encode(.float64List([0.1, .nan]), .linux) == .text("[0.1,]"))
    #expect(Self.encode(value, .dart) == Self.refusal)
    #expect(Self.encode(value, .android) == .unspecified)
    #expect(Self.encode(value, .ios) == .unspecified)
  }

  @Test("integers are themselves, but JavaScript's are doubles")
  func integers() {
    for profile in Profile.allCases {
      let isWeb = profile == .dartWeb
      #expect(Self.encode(.int32(.min), profile) == .text("-2147483648"))
      #expect(Self.encode(.int64(5), profile) == .text("5"))
      #expect(Self.encode(.int64(1 << 53), profile) == .text("9007199254740992"))
      #expect(
        Self.encode(.int64(.min), profile)
          == .text(isWeb ? "-9223372036854776000" : "-9223372036854775808"))
      #expect(
        Self.encode(.int64(.max), profile)
          == (isWeb ? .refused("no such value") : .text("9223372036854775807")))
    }
  }

  // MARK: - Writing text

  @Test("escapes")
  func escapes() {
    let text: Value = "\"\\/\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}é😀\u{2028}"
    let lower = #""\"\\/\b\t\n\f\r\u0001\u001f"# + "\u{7f}é😀\u{2028}\""
    #expect(Self.encode(text, .strict) == .text(lower))
    #expect(Self.encode(text, .dart) == .text(lower))
    #expect(Self.encode(text, .dartWeb) == .text(lower))
    let upper = lower.replacing("001f", with: "001F")
    #expect(Self.encode(text, .linux) == .text(upper))
    #expect(Self.encode(text, .windows) == .text(upper))
    let solidus = lower.replacing("/", with: #"\/"#)
    #expect(Self.encode(text, .android) == .text(solidus))
    #expect(Self.encode(text, .ios) == .text(solidus))
    #expect(Self.encode(["/": 1], .android) == .text(#"{"\/":1}"#))
  }

  @Test("lone surrogates and other bytes that are no UTF-8")
  func illFormedText() {
    let surrogates: Value = .string(
      Value.Text(bytes: [0x61, 0xed, 0xa0, 0x80, 0x62, 0xed, 0xbf, 0xbf]))
    #expect(Self.encode(surrogates, .dart) == .text(#""a\ud800b\udfff""#))
    #expect(Self.encode(surrogates, .strict) == .refused(nil))
    #expect(Self.encode(surrogates, .android) == .unspecified)
    let kept = "\"a".utf8 + [0xed, 0xa0, 0x80] + "b".utf8 + [0xed, 0xbf, 0xbf] + "\"".utf8
    #expect(try! JSONMessageCodec(profile: .linux).encode(surrogates) == Array(kept))
    let bytes: Value = .string(Value.Text(bytes: [0x61, 0xff]))
    #expect(Self.encode(bytes, .dart) == .refused("no such value"))
    let error = #expect(throws: CodecError.self) {
      try JSONMessageCodec().encode([1, ["k": bytes]])
    }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.path.description == #"[1]["k"]"#)
  }

  @Test("Linux strings end at a NUL, and so may become one name")
  func nul() {
    #expect(Self.encode("a\0b", .linux) == .text(#""a""#))
    #expect(Self.encode("a\0b", .dart) == .text(#""a\u0000b""#))
    #expect(Self.encode(["a\0b": 1, "c": 2, "a": 3], .linux) == .text(#"{"a":3,"c":2}"#))
    #expect(Self.decode(#"["a\u0000b"]"#, .linux) == .value(["a"]))
    #expect(Self.decode(#"{"a\u0000b":1,"a":2}"#, .linux) == .value(["a": 2]))
    #expect(Self.decode(#"["a\u0000b"]"#, .dart) == .value(["a\0b"]))
  }

  // MARK: - Values that JSON has no word for

  @Test("typed lists are lists of numbers where the platform's are lists at all")
  func typedLists() {
    let bytes: Value = .uint8List([1, 255])
    let floats: Value = .float32List([0.1, 1])
    #expect(Self.encode(bytes, .strict) == .refused(nil))
    #expect(Self.encode(bytes, .ios) == .unspecified)
    #expect(Self.encode(bytes, .windows) == .refused("no such value"))
    #expect(Self.encode(bytes, .dart) == .text("[1,255]"))
    #expect(Self.encode(bytes, .linux) == .text("[1,255]"))
    #expect(Self.encode(bytes, .android) == .text("[1,-1]"))
    #expect(Self.encode(floats, .dart) == .text("[0.10000000149011612,1.0]"))
    #expect(Self.encode(floats, .android) == .text("[0.1,1]"))
    #expect(Self.encode(floats, .linux) == .refused("UNSUPPORTED_TYPE"))
    #expect(Self.encode(.int32List([]), .dart) == .text("[]"))
    #expect(Self.encode([.int64List([.min]), 1], .dart) == .text("[[-9223372036854775808],1]"))
    #expect(Self.encode(.int64List([1]), .dartWeb) == .refused("UnsupportedError"))
    #expect(Self.encode(["a": .float64List([1, -0.5])], .dartWeb) == .text(#"{"a":[1,-0.5]}"#))
  }

  @Test("large integers, extension values and keys that are no strings are refused with their path")
  func refusals() {
    let large = Value.largeInteger(Value.LargeInteger(255))
    let values: [(Value, String)] = [
      (["a": [1, large]], #"["a"][1]"#),
      ([1, Value.custom(129, 2)], "[1]"),
      (["a": ["x": 0, 1: 2] as Value], #"["a"][key 1]"#),
      ([[] as Value: 2], "[key 0]"),
    ]
    for (value, path) in values {
      let error = #expect(throws: CodecError.self) { try JSONMessageCodec().encode(value) }
      #expect(error?.code == .unsupportedValue)
      #expect(error?.path.description == path)
      #expect(error?.offset == nil)
    }
    let map: Value = [1: 2]
    #expect(Self.encode(map, .dart) == Self.refusal)
    #expect(Self.encode(map, .linux) == .refused("INVALID_OBJECT_KEY_TYPE"))
    #expect(Self.encode(map, .android) == .unspecified)
    #expect(Self.encode(.custom(129, 2), .linux) == .refused("UNSUPPORTED_TYPE"))
  }

  @Test("null and no message")
  func null() {
    let rows: [(Profile, Outcome, Outcome)] = [
      (.strict, .none, .text("null")), (.dart, .none, .none), (.dartWeb, .none, .none),
      (.android, .none, .none), (.ios, .none, .text("null")),
      (.linux, .text("null"), .text("null")),
      (.windows, .text("null"), .text("null")),
    ]
    for (profile, none, null) in rows {
      #expect(Self.encode(nil, profile) == none, "\(profile)")
      #expect(Self.encode(.null, profile) == null, "\(profile)")
      #expect(Self.encode([.null], profile) == .text("[null]"))
      #expect(Self.decode("null", profile) == .value(.null))
    }
  }

  // MARK: - Repeated names

  @Test("a name that stands twice")
  func repeatedNames() {
    let text = #"{"a":1,"b":{"c":[],"c":2},"a":{"d":3,"d":4}}"#
    let inner: Value = ["c": [], "c": 2]
    let last: Value = ["d": 3, "d": 4]
    let pairs: Value = ["a": 1, "b": inner, "a": last]
    let merged = #"{"a":{"d":4},"b":{"c":2}}"#
    #expect(Self.decode(text, .strict) == .value(pairs))
    #expect(Self.encode(pairs, .strict) == .text(text))
    for profile in [Profile.dart, .dartWeb, .android, .linux] {
      #expect(Self.decode(text, profile) == .value(["a": ["d": 4], "b": ["c": 2]]))
      #expect(Self.encode(pairs, profile) == .text(merged))
    }
    for profile in [Profile.ios, .windows] {
      #expect(Self.decode(text, profile) == .unspecified)
      #expect(Self.encode(pairs, profile) == .unspecified)
      #expect(Self.decode(#"[{"a":1},{"a":1}]"#, profile) == .value([["a": 1], ["a": 1]]))
    }
    // Swift's strings would take these two for one.
    let accents = "{\"\u{e9}\":1,\"e\u{301}\":2}"
    #expect(Self.encode(["\u{e9}": 1, "e\u{301}": 2], .dart) == .text(accents))
  }

  // MARK: - Reading

  /// Measured on the Linux engine: from 2^32 up integers are doubles, but for the largest; doubles
  /// are rounded more than once; an exponent above 308 is refused even for zero.
  static let linuxNumbers: [(text: String, outcome: Outcome)] = [
    ("4294967295", .value(.int64(4_294_967_295))), ("4294967296", .value(.float64(0x1p32))),
    ("9007199254740993", .value(.float64(0x1p53))), ("-4294967296", .value(.int64(-0x1_0000_0000))),
    ("9223372036854775806", .value(.float64(0x1p63))),
    ("9223372036854775807", .value(.int64(.max))),
    ("-9223372036854775808", .value(.int64(.min))), ("-0", .value(0)), ("-0.0", .value(-0.0)),
    ("7482978487225197.514833", .value(.float64(Double(bitPattern: 0x433a_95ba_b297_cb6d)))),
    ("429921299519917727e+23", .value(.float64(Double(bitPattern: 0x485f_95eb_c2dd_3afb)))),
    ("0.075E+305", .value(.float64(Double(bitPattern: 0x7f05_df94_eb03_6bad)))),
    ("1e-400", .value(0.0)), ("1e-99999999999", .value(0.0)), ("0.0e309", .value(0.0)),
    ("0e309", .refused("INVALID_JSON")), ("1e309", .refused("INVALID_JSON")),
  ]

  @Test("numbers as the Linux engine reads them", arguments: linuxNumbers)
  func linuxNumber(text: String, outcome: Outcome) {
    #expect(Self.decode(text, .linux) == outcome)
  }

  struct Reading: Sendable {
    let text: String
    let expected: [Profile: Outcome]

    init(_ text: String, _ expected: [Profile: Outcome]) {
      self.text = text
      self.expected = expected
    }
  }

  static let readings: [Reading] = [
    Reading(
      "",
      [
        .strict: .refused(nil), .dart: .refused("FormatException(Unexpected end of input)"),
        .ios: .value(.null), .android: .refused("IllegalArgumentException(Invalid JSON)"),
        .windows: .refused("nullptr"), .linux: .refused("INVALID_JSON"),
      ]),
    Reading(
      "[1,]",
      [
        .strict: .refused(nil), .dart: .refused("FormatException"), .ios: .unspecified,
        .android: .unspecified, .windows: .refused("nullptr"), .linux: .refused("INVALID_JSON"),
      ]),
    Reading(
      "1 2",
      [
        .dart: .refused("FormatException"), .ios: .unspecified,
        .android: .refused("IllegalArgumentException(Invalid JSON)"), .windows: .refused("nullptr"),
      ]),
    Reading("01", [.dart: .refused("FormatException"), .android: .unspecified]),
    Reading(
      "[1] ",
      [
        .strict: .value([1]), .dart: .value([1]), .ios: .value([1]), .linux: .value([1]),
        .android: .refused("IllegalArgumentException(Invalid JSON)"),
      ]),
    Reading(
      "\u{feff}[1]",
      [
        .strict: .refused(nil), .dart: .value([1]), .dartWeb: .value([1]), .ios: .unspecified,
        .android: .unspecified, .windows: .unspecified, .linux: .refused("INVALID_JSON"),
      ]),
    Reading(
      "1e400",
      [
        .strict: .refused(nil), .dart: .value(.float64(.infinity)), .ios: .unspecified,
        .android: .unspecified, .windows: .refused("nullptr"), .linux: .refused("INVALID_JSON"),
      ]),
    Reading(
      "-0", [.strict: .value(0), .dart: .value(0), .dartWeb: .value(-0.0), .android: .value(0)]),
    Reading(
      "9007199254740993",
      [
        .strict: .value(.int64(9_007_199_254_740_993)), .dartWeb: .unspecified,
        .windows: .value(.int64(9_007_199_254_740_993)),
      ]),
    Reading(
      #""\ud800""#,
      [
        .strict: .refused(nil), .dart: .value(.string(Value.Text(bytes: [0xed, 0xa0, 0x80]))),
        .windows: .refused("nullptr"), .linux: .refused("INVALID_JSON"), .android: .unspecified,
      ]),
    Reading(
      #""\udc00""#,
      [
        .strict: .refused(nil), .dart: .value(.string(Value.Text(bytes: [0xed, 0xb0, 0x80]))),
        .windows: .value(.string(Value.Text(bytes: [0xed, 0xb0, 0x80]))),
        .linux: .value(.string(Value.Text(bytes: [0xed, 0xb0, 0x80]))),
      ]),
    Reading(
      "1\0",
      [
        .strict: .refused(nil), .dart: .refused("FormatException"),
        .linux: .refused("INVALID_UTF8"), .windows: .refused("nullptr"),
      ]),
  ]

  @Test("what each platform makes of odd text", arguments: readings)
  func reads(_ reading: Reading) {
    for (profile, outcome) in reading.expected {
      #expect(Self.decode(reading.text, profile) == outcome, "\(profile)")
    }
  }

  @Test("ill-formed UTF-8 goes before ill-formed JSON where the whole message is checked first")
  func utf8First() {
    let bytes: [UInt8] = [0x5b, 0x5d, 0x5d, 0xff]
    func error(_ profile: Profile) -> CodecError? {
      #expect(throws: CodecError.self) { try JSONMessageCodec(profile: profile).decode(bytes) }
    }
    #expect(error(.strict) == CodecError(.invalidJSON, offset: 2, expected: "", found: ""))
    #expect(error(.dart) == CodecError(.invalidUTF8, offset: 3, expected: "", found: ""))
    #expect(error(.linux) == CodecError(.invalidUTF8, offset: 3, expected: "", found: ""))
    #expect(error(.linux)?.platformError == "INVALID_UTF8")
  }
}
