import ChannelCodec
import Testing

@Suite("Value: exact equality")
struct ValueEqualityTests {
  /// One of everything that only a careful comparison tells apart. No two are equal.
  static let distinct: [Value] = {
    let nan = Double(bitPattern: 0x7ff8_0000_0000_0000)
    let otherNaN = Double(bitPattern: 0x7ff8_0000_0000_0001)
    let leaves: [Value] = [
      nil, true, false, .int32(5), .int64(5), .float64(5), .largeInteger(Value.LargeInteger("5")),
      .largeInteger(Value.LargeInteger("05")), "5", 0.0, -0.0, .float64(nan), .float64(otherNaN),
      .float64(Double(bitPattern: 0x7ff0_0000_0000_0001)), "", "\u{e9}", "e\u{301}", "\u{feff}",
      .string(Value.Text(bytes: [0xff])), "\u{fffd}", "a", "a\0", .uint8List([]), .int32List([]),
      .int64List([]), .float32List([]), .float64List([]), .uint8List([5]), .int32List([5]),
      .int64List([5]), .float32List([5]), .float64List([5]), .float64List([nan]),
      .float64List([otherNaN]), .float32List([0.0]), .float32List([-0.0]), [], [:],
    ]
    let containers: [Value] = [
      [[]], [[:]], [nil], [.int32(5)], [.int64(5)], [0.0], [-0.0], [.float64(nan)], ["\u{e9}"],
      ["e\u{301}"], [1, 2], [2, 1], [[1], 2], [[1, 2]], ["a", 1], ["a": 1], ["a": .int64(1)],
      ["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 1, "a": 1], [["a": 1]], [[nil]: nil], [nil: [nil]],
      .custom(128, 5), .custom(129, 5), .custom(128, .int64(5)), .custom(128, [5]),
      .custom(128, .custom(128, 5)), [.custom(128, 5)],
    ]
    return leaves + containers
  }()

  @Test("a value equals itself and nothing else")
  func everyPair() {
    for (row, left) in Self.distinct.enumerated() {
      for (column, right) in Self.distinct.enumerated() {
        #expect((left == right) == (row == column), "\(row) \(left) and \(column) \(right)")
      }
    }
    #expect(Set(Self.distinct).count == Self.distinct.count)
  }

  @Test("equality and hash do not ask where a value comes from")
  func provenance() throws {
    let codec = StandardMessageCodec(extensions: .pigeon)
    for value in Self.distinct where !"\(value)".contains("raw") {
      guard let bytes = try? codec.encode(value) else { continue }
      let decoded = try #require(try codec.decode(bytes))
      #expect(decoded == value)
      #expect(decoded.hashValue == value.hashValue)
      // At another offset, inside something else.
      let nested = try #require(([true, "pad", value] as Value)[2])
      #expect(nested == value && nested.hashValue == value.hashValue)
    }
  }

  @Test("long sizes and dirty padding are no part of a value")
  func writing() throws {
    let codec = StandardMessageCodec()
    let plain = wire("0c 02 07 01 61 06 0000 000000000000f83f")
    let odd = wire("0c fe 0200 07 ff 01000000 61 06 eeeeeeee 000000000000f83f")
    let (left, right) = (try codec.decode(plain), try codec.decode(odd))
    #expect(left == ["a", 1.5])
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(try codec.encode(right) == plain)
  }

  @Test("lists, maps and extension values compare as values do")
  func views() {
    #expect(Value.List([1, "a"]) == [1, "a"])
    #expect(Value.List([1]) != [.int64(1)])
    #expect((["a": 1] as Value.Map) == ["a": 1])
    #expect((["a": 1, "b": 2] as Value.Map) != ["b": 2, "a": 1])
    #expect(Set([Value.List([1]), [1], [2]]).count == 2)
    #expect(Set([["a": 1] as Value.Map, ["a": 1], ["a": 2]]).count == 2)
  }

  @Test("calls, envelopes and paths are hashable by value")
  func messages() {
    let calls = [
      MethodCall("m"), MethodCall("m", nil), MethodCall("m", 1), MethodCall("m", .int64(1)),
      MethodCall("n"),
    ]
    #expect(Set(calls).count == 4)
    let envelopes: [Envelope] = [
      .success(nil), .success(1), .error(code: "c", message: nil), .error(code: "c", message: ""),
      .error(code: "c", message: nil, details: 1),
      .error(ErrorEnvelope(code: "c", message: nil, stackTrace: .null)),
      .error(ErrorEnvelope(code: "c", message: nil, stackTrace: .text("t"))),
      .error(ErrorEnvelope(code: "c", message: nil, details: nil, stackTrace: .absent)),
    ]
    #expect(Set(envelopes).count == 7)
  }
}

@Suite("Value: equality in Dart")
struct DartEqualityTests {
  typealias Pair = (left: Value, right: Value)

  private static let nan = Value.float64(Double(bitPattern: 0x7ff8_0000_0000_0000))
  private static let otherNaN = Value.float64(Double(bitPattern: 0xfff8_0000_0000_0001))

  static let equalPairs: [Pair] = [
    (nil, nil), (.int32(5), .int64(5)), (.int32(-1), .int64(-1)),
    (.largeInteger(Value.LargeInteger("ff")), "ff"), ([.int32(5)], [.int64(5)]),
    (["a": 1, "b": 2], ["b": 2, "a": 1]), (["a": 1, "a": 2], ["a": 2]),
    (["a": 1, "b": 0, "a": 2], ["b": 0, "a": .int64(2)]),
    ([.int32(1): "x", .int64(1): "y"], [1: "y"]),
    ([1: "x", 1.0: "y"], [1: "y"]), ([0.0: "x", -0.0: "y"], [0.0: "y"]),
    ([.largeInteger(Value.LargeInteger("a")): 1, "a": 2], ["a": 2]),
    ("\u{feff}text", "text"), (["\u{feff}text"], ["text"]), (nan, otherNaN), ([nan], [otherNaN]),
    (0.0, -0.0), (.float64List([0.0, .nan]), .float64List([-0.0, -.nan])),
    (.float32List([0.0, .nan]), .float32List([-0.0, .signalingNaN])),
    ([["b": 1, "a": [2]]], [["a": [.int64(2)], "b": 1]]),
    (.custom(130, ["a": 1, "b": 2]), .custom(130, ["b": .int64(2), "a": 1])),
    ([["x": 1, "y": 2]: "v"], [["y": 2, "x": 1]: "v"]),
  ]

  static let differentPairs: [Pair] = [
    (nil, false), (1, 1.0), (1, true), ("1", 1), ("\u{e9}", "e\u{301}"), ("", "\u{feff}\u{feff}"),
    ([1, 2], [2, 1]), (.uint8List([1]), [1]), (.int32List([1]), .int64List([1])),
    (.float32List([1]), .float64List([1])), (.float64List([1]), [1.0]),
    ([1: "x"], [1.0: "x"]), (["a": 1], ["a": 2]), (["a": 1], ["b": 1]), (["a": 1], [:]),
    (["a": nil], [:]), ([], [:]), ([[1], 2], [1, [2]]), ([[]], []), ([[], []], [[[]]]),
    (.custom(130, 1), .custom(131, 1)), (.custom(130, 1), [1]), (nan, 0.0), ("a\0", "a"),
    ("a\0\u{1}", "a\0"), (.float64List([1, 2]), .float64List([2, 1])),
    (.int32List([256]), .int32List([1])), (.uint8List([1, 0]), .uint8List([1])),
    (.int64List([1, -1]), .int64List([-1, 1])), (["a\0": 1], ["a": 1]),
    ([nan: 1, otherNaN: 2], [nan: 2]),
  ]

  @Test("what a Dart program cannot tell apart", arguments: equalPairs)
  func equal(_ left: Value, _ right: Value) {
    #expect(left.isEqualInDart(to: right))
    #expect(right.isEqualInDart(to: left))
    #expect(([left] as Value).isEqualInDart(to: [right]))
    #expect((["k": left] as Value).isEqualInDart(to: ["k": right]))
    #expect(Value.custom(200, left).isEqualInDart(to: .custom(200, right)))
  }

  @Test("what a Dart program can tell apart", arguments: differentPairs)
  func different(_ left: Value, _ right: Value) {
    #expect(!left.isEqualInDart(to: right))
    #expect(!right.isEqualInDart(to: left))
    #expect(!([left] as Value).isEqualInDart(to: [right]))
    #expect(!(["k": left] as Value).isEqualInDart(to: ["k": right]))
  }

  @Test("exactly equal values are equal in Dart")
  func exact() {
    for value in ValueEqualityTests.distinct { #expect(value.isEqualInDart(to: value)) }
  }

  @Test(
    "a byte order mark before a key is dropped as before any string",
    arguments: [
      (["\u{feff}a": 1, "b": 2], ["a": 1, "b": 2]),
      (["\u{feff}a": 1, "a": 2], ["a": 2]),
      (["a": 1, "\u{feff}a": 2], ["a": 2]),
    ] as [Pair])
  func byteOrderMarkInKeys(_ left: Value, _ right: Value) {
    #expect(left.isEqualInDart(to: right))
  }

  @Test("the order of pairs does not matter where keys are containers either")
  func containerKeys() {
    let left: Value = [[1]: "a", [2]: "b"]
    let right: Value = [[2]: "b", [1]: "a"]
    #expect(left.isEqualInDart(to: right))
  }
}
