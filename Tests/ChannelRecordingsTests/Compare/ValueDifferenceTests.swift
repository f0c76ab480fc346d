import ChannelCodec
import Testing

@testable import ChannelRecordings

@Suite("Differences of values")
struct ValueDifferenceTests {
  private func differences(_ recorded: Value, _ actual: Value, limit: Int = 20) -> Comparison {
    var walk = ValueWalk(limit: limit)
    walk.compare(recorded: recorded, actual: actual)
    return walk.result
  }

  @Test(
    "are of a kind, with the view of Dart",
    arguments: [
      (5, 6, .value, "$: recorded 5, now 6", false),
      (.int32(5), .int64(5), .width, "$: recorded 5 as int32, now as int64", true),
      (.int32(5), .int64(6), .value, "$: recorded 5, now 6", false),
      (1, 1.0, .type, "$: recorded 1 (int32), now 1.0 (double)", false),
      (0.0, -0.0, .value, "$: recorded 0.0, now -0.0", true),
      ("a", "b", .value, "$: recorded 'a', now 'b'", false),
      ("é", "e\u{301}", .value, "$: recorded 'é', now 'e\u{301}'", false),
      (true, false, .value, "$: recorded true, now false", false),
      (nil, 1, .type, "$: recorded null (null), now 1 (int32)", false),
      (.largeInteger("ff"), "ff", .width, nil, true),
      (.largeInteger("ff"), "fe", .type, nil, false),
      (["a": 1], ["a": 2], .value, "$.a: recorded 1, now 2", false),
      (["a": 1], [:], .missing, "$.a: recorded 1, now missing", false),
      ([:], ["the key": 1], .extra, "$['the key']: not recorded, now 1", false),
      (["a": 1, "b": 2], ["b": 2, "a": 1], .order, nil, true),
      ([1, 2], [1, 3], .value, "$[1]: recorded 2, now 3", false),
      ([1, 2], [1], .missing, "$[1]: recorded 2, now missing", false),
      ([1], [1, [2]], .extra, "$[1]: not recorded, now [2]", false),
      (.uint8List([1, 2]), .uint8List([1, 3]), .value, "$[1]: recorded 2, now 3", false),
      (.uint8List([1, 2]), .uint8List([1]), .value, "$: recorded 2 elements, now 1", false),
      (.uint8List([1]), [1], .type, nil, false),
      (.float64List([0.0]), .float64List([-0.0]), .value, "$[0]: recorded 0.0, now -0.0", true),
      (.custom(129, 1), .custom(129, 2), .value, "$<129>: recorded 1, now 2", false),
      (.custom(129, 1), .custom(130, 1), .type, nil, false),
      (
        .map(Value.Map([(key: "a", value: 1), (key: "a", value: 2)])), ["a": 2], .repeatedKey, nil,
        true
      ),
      (
        .map(Value.Map([(key: .int32(1), value: 1)])),
        .map(Value.Map([(key: .int64(1), value: 1)])), .width, nil, true
      ),
    ] as [(Value, Value, ValueDifference.Kind, String?, Bool)])
  func kinds(
    recorded: Value, actual: Value, kind: ValueDifference.Kind, text: String?, isEqual: Bool
  ) throws {
    let result = differences(recorded, actual)
    let difference = try #require(result.differences.first)
    #expect(result.differences.count == 1)
    #expect(difference.kind == kind)
    #expect(difference.isEqualInDart == isEqual)
    #expect(result.isEqualInDart == isEqual)
    #expect(recorded.isEqualInDart(to: actual) == isEqual)
    if let text { #expect(difference.text.replacing("[\"the key\"]", with: "['the key']") == text) }
    // The other way round it is seen as well.
    #expect(!differences(actual, recorded).isMatch)
    #expect(differences(recorded, recorded).isMatch)
  }

  @Test("are found at all places, with the path of each")
  func paths() {
    let recorded: Value = ["a": [1, ["b": 2, "c": 3]], "d": "x", "e": [:]]
    let actual: Value = ["a": [0, ["b": 2, "c": 4]], "d": "y", "e": [:]]
    let result = differences(recorded, actual)
    #expect(
      result.differences.map { MessagePath.text(of: $0.path) } == ["$.a[0]", "$.a[1].c", "$.d"])
  }

  @Test("beyond the limit are counted")
  func limit() {
    let result = differences([1, 2, 3, 4, 5], [9, 9, 9, 9, 9], limit: 2)
    #expect(result.differences.count == 2)
    #expect(result.furtherCount == 3)
    #expect(!result.isMatch)
  }

  @Test("of two NaN are not seen by Dart")
  func notANumber() {
    let other = Double(bitPattern: 0x7ff8_0000_0000_0001)
    let result = differences(.float64(.nan), .float64(other))
    #expect(result.differences.count == 1)
    #expect(result.isEqualInDart)
  }

  @Test("of deep and of long values need no stack and little time")
  func large() {
    func nested(_ innermost: Value, _ depth: Int) -> Value {
      var builder = ValueBuilder()
      for _ in 0..<depth { builder.beginList() }
      builder.append(innermost)
      for _ in 0..<depth { builder.end() }
      return builder.finish()
    }
    let deep = differences(nested(1, 100_000), nested(2, 100_000))
    #expect(deep.differences.first?.path.components.count == 100_000)
    let long = Value.list(Value.List((0..<200_000).map { .integer($0) }))
    let other = Value.list(Value.List((0..<200_000).map { .integer($0 == 199_999 ? 0 : $0) }))
    #expect(
      differences(long, other).differences.map { MessagePath.text(of: $0.path) } == ["$[199999]"])
  }

  @Test("of long texts are shown from where they begin")
  func longTexts() throws {
    let start = String(repeating: "x", count: 100)
    let result = differences(.string(.init(start + "a")), .string(.init(start + "b")))
    let difference = try #require(result.differences.first)
    #expect(difference.recorded == "…'xxxxxxxxxxxxa'")
    #expect(difference.actual == "…'xxxxxxxxxxxxb', from character 100")
  }
}
