import ChannelCodec
import LiveActivities
import Testing

@Suite struct SchemaTests {
  static let cases: [(PayloadSchema.Field, Value, String?)] = [
    (.int, 7, nil), (.int, 1.0, nil), (.int, -0.0, nil), (.int, 1.5, "expected Int, found 1.5"),
    (.int, "7", "expected Int, found \"7\""), (.int, true, "expected Int, found true"),
    (.int, nil, "expected Int, found null"), (.int, 1e19, "expected Int, found 1e+19"),
    (.int, .int64(.max), nil),
    (.double, 7, nil), (.double, 1.5, nil), (.double, "1", "expected Double, found \"1\""),
    (.bool, false, nil), (.bool, 1, "expected Bool, found 1"),
    (.string, "x", nil), (.string, 1, "expected String, found 1"),
    (.date, 700_000_000.5, nil),
    (.date, "2026", "expected Date (seconds since 2001-01-01), found \"2026\""),
    (.data, "aGk=", nil), (.data, "aGk", "expected Data (base64), found \"aGk\""),
    (.data, "a*==", "expected Data (base64), found \"a*==\""), (.any, nil, nil),
    (.optional(.int), nil, nil), (.optional(.int), 1, nil),
    (.optional(.int), "1", "expected Int, found \"1\""),
    (.array(.int), [1, 2], nil), (.array(.int), [1, "2"], "[1]: expected Int, found \"2\""),
    (.array(.int), ["a": 1], "expected [Int], found an object of 1"),
    (.dictionary(.int), ["a": 1], nil),
    (.dictionary(.int), ["a": true], ".a: expected Int, found true"),
    (.object(["b": .int]), ["b": 1, "c": 2], nil),
    (.object(["b": .int]), ["c": 1], ".b: missing, expected Int"),
    (.object(["b": .int]), [1], "expected an object, found a list of 1"),
  ]

  @Test(arguments: cases)
  func `default JSONDecoder rules`(field: PayloadSchema.Field, value: Value, problem: String?) {
    let schema: PayloadSchema = ["v": field]
    let found = schema.problem(in: ["v": value], root: "content-state")?.description
    #expect(
      found
        == problem.map {
          $0.hasPrefix("[") || $0.hasPrefix(".")
            ? "content-state.v\($0)" : "content-state.v: \($0)"
        })
  }

  @Test func `missing keys`() {
    let schema: PayloadSchema = ["a": .optional(.int), "b": .int]
    #expect(
      schema.problem(in: [:], root: "content-state")
        == DecodingProblem(path: "content-state.b", expected: "Int", found: nil))
    #expect(schema.problem(in: ["b": 1], root: "content-state") == nil)
    #expect(
      schema.problem(in: 7, root: "content-state")?.description
        == "content-state: expected an object, found 7")
    #expect(schema.fields.map(\.name) == ["a", "b"])
  }
}
