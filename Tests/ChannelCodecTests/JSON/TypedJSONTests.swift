import ChannelCodec
import ChannelNotation
import Testing

@Suite("Typed JSON")
struct TypedJSONTests {
  // MARK: - Values

  /// Text as it is printed, and the value.
  static let printed: [(text: String, value: Value)] = [
    (#"{"null":null}"#, .null), (#"{"bool":true}"#, true), (#"{"bool":false}"#, false),
    (#"{"int32":-5}"#, .int32(-5)),
    (#"{"int64":"9007199254740993"}"#, .int64(9_007_199_254_740_993)),
    (#"{"int64":"5"}"#, .int64(5)), (#"{"int64":"-9223372036854775808"}"#, .int64(.min)),
    (#"{"bigint":"-7f"}"#, .largeInteger(Value.LargeInteger(-0x7f))),
    (#"{"bigint":"no number"}"#, .largeInteger(Value.LargeInteger("no number"))),
    (#"{"bigint_hex":"ff"}"#, .largeInteger(Value.LargeInteger(Value.Text(bytes: [0xff])))),
    (#"{"float64":3.14}"#, 3.14), (#"{"float64":1.0}"#, 1.0), (#"{"float64":0.0}"#, 0.0),
    (#"{"float64":"-0.0"}"#, -0.0), (#"{"float64":1e-7}"#, 1e-7), (#"{"float64":1e+21}"#, 1e21),
    (#"{"float64":-123456789.5}"#, -123_456_789.5),
    (#"{"float64":5e-324}"#, .float64(.leastNonzeroMagnitude)),
    (#"{"float64":1.7976931348623157e+308}"#, .float64(.greatestFiniteMagnitude)),
    (#"{"float64":"inf"}"#, .float64(.infinity)), (#"{"float64":"-inf"}"#, .float64(-.infinity)),
    (#"{"float64":"nan"}"#, .float64(Double(bitPattern: 0x7ff8_0000_0000_0000))),
    (#"{"float64":"0x7ff8000000000001"}"#, .float64(Double(bitPattern: 0x7ff8_0000_0000_0001))),
    (#"{"float64":"0xfff8000000000000"}"#, .float64(Double(bitPattern: 0xfff8_0000_0000_0000))),
    (#"{"float64":"0x7ff0000000000001"}"#, .float64(Double(bitPattern: 0x7ff0_0000_0000_0001))),
    (#"{"string":""}"#, ""), (#"{"string":"é€😀"}"#, "é€😀"),
    (#"{"string":"\"\\/\b\t\n\f\r\u0000\u001f\u007f"}"#, "\"\\/\u{8}\t\n\u{c}\r\0\u{1f}\u{7f}"),
    (#"{"string_hex":"61ff"}"#, .string(Value.Text(bytes: [0x61, 0xff]))),
    (#"{"string_hex":"eda080"}"#, .string(Value.Text(bytes: [0xed, 0xa0, 0x80]))),
    (#"{"uint8list":""}"#, .uint8List([])), (#"{"uint8list":"00ff"}"#, .uint8List([0, 255])),
    (#"{"int32list":[]}"#, .int32List([])),
    (#"{"int32list":[-2147483648,1]}"#, .int32List([.min, 1])),
    (#"{"int64list":["-9223372036854775808","1"]}"#, .int64List([.min, 1])),
    (
      #"{"float32list":[1.5,0.1,"-0.0","inf","nan",1e-45,3.4028235e+38]}"#,
      .float32List([
        1.5, 0.1, -0.0, .infinity, Float(bitPattern: 0x7fc0_0000), .leastNonzeroMagnitude,
        .greatestFiniteMagnitude,
      ])
    ),
    (
      #"{"float32list":["0x7f800001","0xffc00000"]}"#,
      .float32List([Float(bitPattern: 0x7f80_0001), Float(bitPattern: 0xffc0_0000)])
    ),
    (
      #"{"float64list":[1.5,"-inf","0x7ff8000000000001"]}"#,
      .float64List([1.5, -.infinity, Double(bitPattern: 0x7ff8_0000_0000_0001)])
    ),
    (#"{"list":[]}"#, []), (#"{"map":[]}"#, [:]),
    (#"{"list":[{"null":null},{"list":[]},{"map":[]}]}"#, [nil, [], [:]]),
    (
      #"{"map":[[{"string":"a"},{"list":[{"int32":1}]}],[{"null":null},{"map":[]}]]}"#,
      ["a": [1], nil: [:]]
    ),
    (#"{"map":[[{"int32":1},{"int32":2}],[{"int32":1},{"int32":3}]]}"#, [1: 2, 1: 3]),
    (
      #"{"custom":{"type":129,"value":{"list":[{"custom":{"type":255,"value":{"null":null}}}]}}}"#,
      .custom(129, [.custom(255, .null)])
    ),
  ]

  @Test("values are printed and read back", arguments: printed)
  func prints(text: String, value: Value) throws {
    #expect(TypedJSON.text(of: value) == text)
    #expect(try TypedJSON.value(text) == value)
  }

  /// Other ways to write a value.
  static let read: [(text: String, value: Value)] = [
    (#"{"elapsedSeconds":0}"#, ["elapsedSeconds": 0]),
    ("[1,2147483648,1.0,true,null,\"x\"]", [1, .int64(2_147_483_648), 1.0, true, nil, "x"]),
    ("9223372036854775808", .float64(0x1p63)), ("-0", 0), ("-0.0", -0.0),
    ("{}", [:]), ("[]", []), (" [ ] ", []), ("\"x\"", "x"), ("true", true),
    (#"{"int64":5}"#, .int64(5)), (#"{"float64":5}"#, 5.0),
    (#"{"uint8list":[0,255]}"#, .uint8List([0, 255])),
    (#"{"uint8list":"00 FF\n"}"#, .uint8List([0, 255])),
    (#"{"int64list":[1,"2"]}"#, .int64List([1, 2])),
    (#"{"float64":"0x3ff0000000000000"}"#, 1.0),
    (#"{"float64list":["nan",1]}"#, .float64List([.nan, 1])),
    (#"{"string":"\ud800"}"#, .string(Value.Text(bytes: [0xed, 0xa0, 0x80]))),
    (#"{"custom":{"value":2,"type":129}}"#, .custom(129, 2)),
    // Typed inside plain and plain inside typed.
    (#"{"a":{"int64":"1"},"b":[{"float64":2}]}"#, ["a": .int64(1), "b": [2.0]]),
    (#"{"list":[1,{"k":null}]}"#, [1, ["k": nil]]),
    (#"{"map":[["k",1],[[2],{"x":{}}]]}"#, ["k": 1, [2]: ["x": [:]]]),
    // A tag with content of another form is a name like any other.
    (#"{"int32":"5"}"#, ["int32": "5"]), (#"{"int32":null}"#, ["int32": nil]),
    (#"{"null":1}"#, ["null": 1]), (#"{"bool":"true"}"#, ["bool": "true"]),
    (#"{"string":1}"#, ["string": 1]), (#"{"list":{}}"#, ["list": [:]]),
    (#"{"map":{"a":1}}"#, ["map": ["a": 1]]), (#"{"map":[[1]]}"#, ["map": [[1]]]),
    (#"{"map":[[1,2],3]}"#, ["map": [[1, 2], 3]]),
    (#"{"custom":{"type":1}}"#, ["custom": ["type": 1]]),
    (#"{"custom":{"type":"x","value":1}}"#, ["custom": ["type": "x", "value": 1]]),
    (#"{"int32list":[true]}"#, ["int32list": [true]]), (#"{"unknown":[1]}"#, ["unknown": [1]]),
    (#"{"int32":1,"x":2}"#, ["int32": 1, "x": 2]),
    (#"{"list":[],"list":[]}"#, ["list": [], "list": []]),
  ]

  @Test("shorthand and other spellings", arguments: read)
  func reads(text: String, value: Value) throws {
    #expect(try TypedJSON.value(text) == value)
  }

  @Test("null alone is no message, the typed one is a value")
  func null() throws {
    #expect(try TypedJSON.value("null") == nil)
    #expect(try TypedJSON.value(#"{"null":null}"#) == .some(.null))
    #expect(TypedJSON.text(of: Value?.none) == "null")
    #expect(TypedJSON.text(of: Value.null) == #"{"null":null}"#)
  }

  static let refused: [(text: String, offset: Int, words: String)] = [
    (
      #"[{"int32":3000000000}]"#, 10,
      "an integer from -2147483648 to 2147483647 for int32, found 3000000000"
    ),
    (#"{"int32":1.5}"#, 9, "found 1.5"), (#"{"int32":1e2}"#, 9, "found 1e2"),
    (#"{"int64":"9223372036854775808"}"#, 9, "from -9223372036854775808 to 9223372036854775807"),
    (#"{"int64":"x"}"#, 9, #"found "x""#), (#"{"int64":"+1"}"#, 9, #"found "+1""#),
    (#"{"int64":""}"#, 9, #"found """#),
    (#"{"float64":"NaN"}"#, 11, "for float64 a finite number"),
    (#"{"float64":"0x7ff8"}"#, 11, "16 hexadecimal digits"),
    (#"{"float64":"0x+ff8000000000001"}"#, 11, "16 hexadecimal digits"),
    (#"{"float64":1e999}"#, 11, "found 1e999"), ("1e999", 0, "a finite number"),
    (#"{"float32list":[1,1e39]}"#, 18, "found 1e39"),
    (#"{"float32list":["0x7ff8000000000001"]}"#, 16, "8 hexadecimal digits"),
    (#"{"uint8list":[256]}"#, 14, "from 0 to 255 for a uint8list, found 256"),
    (#"{"uint8list":[-1]}"#, 14, "found -1"),
    (#"{"uint8list":"0g"}"#, 15, #"found "g""#), (#"{"uint8list":"000"}"#, 17, "an odd number"),
    (#"{"string_hex":"f"}"#, 16, "string_hex"),
    (#"{"int32list":[1,2147483648]}"#, 16, "for an int32list"),
    (#"{"custom":{"type":14,"value":1}}"#, 18, "from 15 to 255"),
    (#"{"custom":{"type":256,"value":1}}"#, 18, "from 0 to 255"),
    (#"{"int32":1"#, 10, "the end of the text"), ("", 0, "a value"), ("nul", 3, "null"),
  ]

  @Test("errors name the offset, what was expected and what was found", arguments: refused)
  func refuses(text: String, offset: Int, words: String) {
    let error = #expect(throws: CodecError.self) { try TypedJSON.value(text) }
    #expect(error?.code == .invalidJSON)
    #expect(error?.offset == offset)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("any value prints and reads back", arguments: 0..<200)
  func roundTrip(_ seed: UInt64) throws {
    var generator = Numbers(state: seed)
    var builder = ValueBuilder()
    builder.beginList()
    for _ in 0..<20 { generator.append(to: &builder, depth: 0) }
    builder.end()
    let value = builder.finish()
    #expect(try TypedJSON.value(TypedJSON.text(of: value)) == value)
  }

  @Test("100,000 levels cost no stack")
  func deep() throws {
    let depth = 100_000
    var builder = ValueBuilder()
    for level in 0..<depth {
      switch level % 3 {
      case 0: builder.beginList()
      case 1:
        builder.beginMap()
        builder.append(.null)
      default: builder.beginCustom(200)
      }
    }
    builder.append(1)
    for _ in 0..<depth { builder.end() }
    let value = builder.finish()
    let isRepeated = try TypedJSON.value(TypedJSON.text(of: value)) == value
    #expect(isRepeated)
    let error = #expect(throws: CodecError.self) {
      try TypedJSON.value(String(repeating: "[", count: 1_000_000))
    }
    #expect(error?.code == .depthExceeded)
  }

  // MARK: - Calls and envelopes

  static let calls: [(text: String, call: MethodCall)] = [
    (#"{"method":"m","args":{"null":null}}"#, MethodCall("m")),
    (#"{"method":"\"","args":{"list":[{"int32":1}]}}"#, MethodCall("\"", [1])),
    (#"{"method_hex":"ff","args":{"bool":true}}"#, MethodCall(Value.Text(bytes: [0xff]), true)),
  ]

  @Test("calls are printed and read back", arguments: calls)
  func call(text: String, call: MethodCall) throws {
    #expect(TypedJSON.text(of: call) == text)
    #expect(try TypedJSON.call(text) == call)
  }

  static let envelopes: [(text: String, envelope: Envelope?)] = [
    ("null", nil), (#"{"success":{"null":null}}"#, .success(.null)),
    (#"{"success":{"map":[]}}"#, .success([:])),
    (
      #"{"error":{"code":"c","message":null,"details":{"null":null}}}"#,
      .error(code: "c", message: nil)
    ),
    (
      #"{"error":{"code_hex":"ff","message_hex":"fe","details":{"int32":1},"stacktrace":null}}"#,
      .error(
        ErrorEnvelope(
          code: Value.Text(bytes: [0xff]), message: Value.Text(bytes: [0xfe]), details: 1,
          stackTrace: .null))
    ),
    (
      #"{"error":{"code":"","message":"m","details":{"list":[]},"stacktrace":"s"}}"#,
      .error(ErrorEnvelope(code: "", message: "m", details: [], stackTrace: .text("s")))
    ),
    (
      #"{"error":{"code":"c","message":"m","details":{"null":null},"stacktrace_hex":"ff"}}"#,
      .error(
        ErrorEnvelope(
          code: "c", message: "m", stackTrace: .text(Value.Text(bytes: [0xff]))))
    ),
  ]

  @Test("envelopes are printed and read back", arguments: envelopes)
  func envelope(text: String, envelope: Envelope?) throws {
    #expect(TypedJSON.text(of: envelope) == text)
    #expect(try TypedJSON.envelope(text) == envelope)
  }

  @Test("calls and envelopes take plain values and leave out what is null")
  func plain() throws {
    #expect(try TypedJSON.call(#"{"args":{"a":[1]},"method":"m"}"#) == MethodCall("m", ["a": [1]]))
    #expect(try TypedJSON.call(#"{"method":"m"}"#) == MethodCall("m"))
    #expect(try TypedJSON.envelope(#"{"success":null}"#) == .success(.null))
    #expect(
      try TypedJSON.envelope(#"{"error":{"details":[1],"code":"c"}}"#)
        == .error(code: "c", message: nil, details: [1]))
  }

  static let badCalls: [(text: String, offset: Int)] = [
    ("null", 0), ("[]", 0), ("{}", 0), (#"{"args":1}"#, 0), (#"{"method":null}"#, 0),
    (#"{"method":1}"#, 10), (#"{"method":"m","arguments":1}"#, 14),
    (#"{"method":"m","method":"n"}"#, 14), (#"{"method":"m","method_hex":"ff"}"#, 14),
    (#"{"method_hex":"f"}"#, 16), (#"{"method":"m","args":{"int32":1.5}}"#, 30),
  ]

  @Test("what is no call", arguments: badCalls)
  func refusesCall(text: String, offset: Int) {
    let error = #expect(throws: CodecError.self) { try TypedJSON.call(text) }
    #expect(error == CodecError(.invalidJSON, offset: offset, expected: "", found: ""))
  }

  static let badEnvelopes: [(text: String, offset: Int)] = [
    ("[1]", 0), ("{}", 0), (#"{"success":1,"error":{"code":"c"}}"#, 0), (#"{"result":1}"#, 1),
    (#"{"error":"c"}"#, 9), (#"{"error":{}}"#, 9), (#"{"error":{"code":1}}"#, 17),
    (#"{"error":{"code":"c","message":1}}"#, 31), (#"{"error":{"code":"c","stack":1}}"#, 21),
  ]

  @Test("what is no envelope", arguments: badEnvelopes)
  func refusesEnvelope(text: String, offset: Int) {
    let error = #expect(throws: CodecError.self) { try TypedJSON.envelope(text) }
    #expect(error == CodecError(.invalidJSON, offset: offset, expected: "", found: ""))
  }
}

/// Values that depend on a seed alone.
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func bytes() -> [UInt8] {
    (0..<next() % 9).map { _ in
      let bits = next()
      return UInt8(truncatingIfNeeded: bits % 3 == 0 ? bits >> 8 : bits >> 8 & 0x7f)
    }
  }

  mutating func append(to builder: inout ValueBuilder, depth: Int) {
    switch next() % (depth > 4 ? 11 : 14) {
    case 0: builder.append(.null)
    case 1: builder.append(.bool(next() % 2 == 0))
    case 2: builder.append(.int32(Int32(truncatingIfNeeded: next())))
    case 3: builder.append(.int64(Int64(truncatingIfNeeded: next())))
    case 4: builder.append(.float64(Double(bitPattern: next())))
    case 5: builder.append(.string(Value.Text(bytes: bytes())))
    case 6: builder.append(.uint8List(Value.TypedList(bytes())))
    case 7:
      let floats = (0..<4).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: next())) }
      builder.append(.float32List(Value.TypedList(floats)))
    case 8:
      builder.append(.float64List(Value.TypedList((0..<3).map { _ in Double(bitPattern: next()) })))
    case 9:
      let numbers = (0..<3).map { _ in Int64(truncatingIfNeeded: next()) }
      builder.append(.int64List(Value.TypedList(numbers)))
    case 10:
      let numbers = (0..<3).map { _ in Int32(truncatingIfNeeded: next()) }
      builder.append(.int32List(Value.TypedList(numbers)))
    case 11:
      builder.beginList()
      for _ in 0..<next() % 4 { append(to: &builder, depth: depth + 1) }
      builder.end()
    case 12:
      builder.beginMap()
      for _ in 0..<2 * (next() % 4) { append(to: &builder, depth: depth + 1) }
      builder.end()
    default:
      builder.beginCustom(UInt8(15 + next() % 241))
      append(to: &builder, depth: depth + 1)
      builder.end()
    }
  }
}
