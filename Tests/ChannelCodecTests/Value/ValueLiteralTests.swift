import ChannelCodec
import Testing

@Suite("Value: literals and access")
struct ValueLiteralTests {
  @Test("literals take the narrowest integer and keep everything else")
  func literals() {
    #expect((nil as Value) == .null)
    #expect((true as Value) == .bool(true))
    #expect((5 as Value) == .int32(5))
    #expect((-5 as Value) == .int32(-5))
    #expect((2_147_483_647 as Value) == .int32(.max))
    #expect((2_147_483_648 as Value) == .int64(2_147_483_648))
    #expect((-2_147_483_648 as Value) == .int32(.min))
    #expect((-2_147_483_649 as Value) == .int64(-2_147_483_649))
    #expect((9_223_372_036_854_775_807 as Value) == .int64(.max))
    #expect((1.0 as Value) == .float64(1))
    #expect(("text" as Value) == .string("text"))
    #expect(("a\(1)b" as Value) == .string("a1b"))
    #expect(([] as Value) == .list([]))
    #expect(([:] as Value) == .map([:]))
    #expect(([1, "a", nil] as Value) == .list(Value.List([.int32(1), .string("a"), .null])))
    #expect(
      (["a": 1, "a": 2] as Value)
        == .map(Value.Map([(key: "a", value: 1), (key: "a", value: 2)])))
  }

  @Test(
    "integer() narrows as Dart does",
    arguments: [
      (Int64(0), Value.int32(0)), (Int64(Int32.max), .int32(.max)),
      (Int64(Int32.min), .int32(.min)), (Int64(Int32.max) + 1, .int64(2_147_483_648)),
      (Int64(Int32.min) - 1, .int64(-2_147_483_649)), (.max, .int64(.max)), (.min, .int64(.min)),
    ])
  func integer(_ number: Int64, _ value: Value) {
    #expect(Value.integer(number) == value)
  }

  @Test("accessors answer for their own kind only")
  func accessors() throws {
    let values: [Value] = [
      nil, true, 5, .int64(6), .largeInteger(Value.LargeInteger("7")), 1.5, "text", .uint8List([1]),
      .int32List([1]),
      .int64List([1]), .float32List([1]), .float64List([1]), [1], ["a": 1], .custom(200, 1),
    ]
    #expect(values.map(\.isNull) == [true] + [Bool](repeating: false, count: 14))
    #expect(values.compactMap(\.bool) == [true])
    #expect(values.compactMap(\.integer) == [5, 6])
    #expect(values.compactMap(\.double) == [1.5])
    #expect(values.compactMap(\.string) == ["text"])
    #expect(values.compactMap(\.text) == ["text"])
    #expect(values.compactMap(\.list) == [[1]])
    #expect(values.compactMap(\.map) == [["a": 1]])
    let raw = Value.string(Value.Text(bytes: [0xff]))
    #expect(raw.string == nil)
    #expect(raw.text?.utf8 == [0xff])
  }

  @Test("a path of subscripts reaches into a call's arguments")
  func subscripts() {
    let arguments: Value = ["content": ["elapsedSeconds": 5, "list": [nil, "x"]], "n": nil]
    #expect(arguments["content"]?["elapsedSeconds"] == 5)
    #expect(arguments["content"]?["elapsedSeconds"]?.integer == 5)
    #expect(arguments["content"]?["list"]?[1] == "x")
    #expect(arguments["content"]?["list"]?[2] == nil)
    #expect(arguments["content"]?["list"]?[-1] == nil)
    #expect(arguments["n"] == .some(.null), "a null value is not an absent one")
    #expect(arguments["absent"] == nil)
    #expect(arguments["content"]?["elapsedSeconds"]?["deeper"] == nil)
    #expect(arguments["content"]?["elapsedSeconds"]?[0] == nil)
    #expect(("text" as Value)["text"] == nil)
    #expect((["text"] as Value)["text"] == nil)
  }

  @Test("an element by its number, in lists of leaves and of containers")
  func elements() {
    let leaves: Value = [0, 1, "two", 3]
    let mixed: Value = [0, [1, 1, 1], .custom(200, ["a"]), 3, ["k": [4]]]
    #expect((0..<5).map { leaves[$0] } == [0, 1, "two", 3, nil])
    #expect((0..<6).map { mixed[$0] } == [0, [1, 1, 1], .custom(200, ["a"]), 3, ["k": [4]], nil])
    // An inner list starts anywhere in the index of the outer one.
    #expect(mixed[1]?[2] == 1)
    #expect(mixed[4]?["k"]?[0] == 4)
    #expect(([] as Value)[0] == nil)
  }

  @Test("integer keys are found by number, whatever the width")
  func integerKeys() {
    let map: Value = [
      .int32(1): "narrow", .int64(2): "wide", .int32(3): "first", .int64(3): "last",
      .float64(4): "double",
    ]
    #expect(map[1] == "narrow")
    #expect(map[2] == "wide")
    #expect(map[3] == "last")
    #expect(map[4] == nil, "a double is no integer key")
    #expect(map[5] == nil)
    #expect(map[Int.min] == nil)
    #expect(map.map?[.int32(3)] == "first", "an exact key has its width")
    #expect(map.map?[.int64(3)] == "last")
    #expect(map.map?[.float64(4)] == "double")
  }
}

@Suite("Value: look-up in maps")
struct MapLookUpTests {
  @Test("the last of repeated keys wins")
  func repeatedKeys() throws {
    let map = try #require((["a": 1, "b": 2, "a": 3] as Value).map)
    #expect(map["a"] == 3)
    #expect(map[.string("a")] == 3)
    #expect(map.count == 3)
    #expect(map.map(\.value) == [1, 2, 3])
  }

  @Test("keys compare by bytes: é is not e + U+0301")
  func normalization() throws {
    let map = try #require((["\u{e9}": 1, "e\u{301}": 2] as Value).map)
    #expect("\u{e9}" == "e\u{301}", "Swift's strings take them for one")
    #expect(map["\u{e9}"] == 1)
    #expect(map["e\u{301}"] == 2)
    #expect(map[.string("\u{e9}")] == 1)
    #expect(Set(map.map(\.key)).count == 2)
  }

  @Test("keys of every size form are found", arguments: [0, 1, 253, 254, 255, 65_535, 65_536])
  func sizes(_ count: Int) throws {
    let key = String(repeating: "k", count: count)
    let codec = StandardMessageCodec()
    let value: Value = [.string(Value.Text(key)): 1, "other": 2]
    let decoded = try #require(try codec.decode(try codec.encode(value)))
    #expect(value[key] == 1)
    #expect(decoded[key] == 1)
    #expect(decoded[key + "k"] == nil)
    #expect(decoded["other"] == 2)
  }

  @Test("a size in more bytes than it needs does not hide a key")
  func longSizes() throws {
    let message = wire("0d 02 07 fe 01 00 61 01 07 ff 01 00 00 00 62 02")
    let value = try #require(try StandardMessageCodec().decode(message))
    #expect(value["a"] == true)
    #expect(value["b"] == false)
  }

  @Test("keys that are no strings, and keys that are containers")
  func otherKeys() throws {
    let map: Value.Map = [
      nil: 0, true: 1, 1.5: 2, [1, 2]: 3, ["k": "v"]: 4, .uint8List([1]): 5,
      .custom(130, 1): 6, .largeInteger(Value.LargeInteger("ff")): 7, [1, 2]: 8,
    ]
    #expect(map[nil as Value] == 0)
    #expect(map[true as Value] == 1)
    #expect(map[1.5 as Value] == 2)
    #expect(map[[1, 2] as Value] == 8)
    #expect(map[[2, 1] as Value] == nil)
    #expect(map[["k": "v"] as Value] == 4)
    #expect(map[.uint8List([1])] == 5)
    #expect(map[.custom(130, 1)] == 6)
    #expect(map[.largeInteger(Value.LargeInteger("ff"))] == 7)
    #expect(map["ff"] == nil, "type 5 is no string")
  }

  @Test("a key that is not UTF-8 is found by its bytes")
  func rawKeys() {
    let raw = Value.string(Value.Text(bytes: [0xff, 0x41]))
    let map: Value.Map = [raw: 1, "\u{fffd}A": 2]
    #expect(map[raw] == 1)
    #expect(map["\u{fffd}A"] == 2)
  }
}
