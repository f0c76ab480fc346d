import ChannelCodec
import ChannelNotation
import Conformance
import Testing

/// Bytes and values as codecs with well-known mistakes give them: each explanation must name the
/// mistake, where it is, and nothing that the bytes do not show.
@Suite struct ExplanationTests {
  struct WrongBytes: Sendable, CustomTestStringConvertible {
    var name: String
    var codec: NamedCodec.Name
    /// The right message, as typed JSON.
    var value: String
    var wrong: String
    var words: [String]
    var testDescription: String { name }
  }

  static let wrongBytes: [WrongBytes] = [
    WrongBytes(
      name: "alignment from the arguments", codec: .call,
      value: #"{"method":"setVolume","args":{"float64":0.5}}"#,
      // The double is seven zeros behind its type byte instead of four.
      wrong: "0709736574566f6c756d65" + "06" + "00000000000000" + "000000000000e03f",
      words: [
        "Byte 12: padding before the float64 at arguments", "expected 4 zero bytes",
        "wrote 7 zero bytes", "start of the arguments", "instead of from byte 0",
      ]),
    WrongBytes(
      name: "alignment from the value of an envelope", codec: .envelope,
      value: #"{"success":{"float64":1.5}}"#,
      wrong: "00" + "06" + "00000000000000" + "000000000000f83f",
      words: ["padding before the float64 at result", "expected 6 zero bytes", "byte 0"]),
    WrongBytes(
      name: "four-byte list aligned from the arguments", codec: .call,
      value: #"{"method":"a","args":{"float32list":[1.5]}}"#,
      wrong: "070161" + "0e01" + "0000" + "0000c03f",
      words: ["padding before the Float32List at arguments", "expected 3 zero bytes", "arguments"]),
    WrongBytes(
      name: "no padding", codec: .message, value: #"{"list":[{"bool":true},{"float64":1.5}]}"#,
      wrong: "0c02" + "01" + "06" + "000000000000f83f",
      words: [
        "Byte 4: padding before the float64 at $[1]", "expected 4 zero bytes", "wrote none",
        "no padding",
      ]),
    WrongBytes(
      name: "double aligned to 4", codec: .message, value: #"{"float64":1.5}"#,
      wrong: "06" + "000000" + "000000000000f83f",
      words: ["expected 7 zero bytes", "wrote 3 zero bytes", "aligned to 4"]),
    WrongBytes(
      name: "padding of an empty list", codec: .message,
      value: #"{"list":[{"float64list":[]},{"bool":true}]}"#, wrong: "0c020b0001",
      words: ["padding before the Float64List at $[0]", "empty typed list"]),
    WrongBytes(
      name: "Uint8List padded", codec: .message, value: #"{"uint8list":"0102"}"#,
      wrong: "0802" + "000000000000" + "0102", words: ["Uint8List is padded", "expected none"]),
    WrongBytes(
      name: "no size escape", codec: .message,
      value: "{\"string\":\"\(String(repeating: "a", count: 254))\"}",
      wrong: "07fe" + String(repeating: "61", count: 254),
      words: ["the size of the string at the top", "expected fe fe 00", "escape"]),
    WrongBytes(
      name: "size is signed", codec: .message,
      value: "{\"string\":\"\(String(repeating: "a", count: 40000))\"}",
      wrong: "07ff409c0000" + String(repeating: "61", count: 40000),
      words: ["expected fe 40 9c", "signed"]),
    WrongBytes(
      name: "big-endian size", codec: .message,
      value: "{\"string\":\"\(String(repeating: "a", count: 300))\"}",
      wrong: "07fe012c" + String(repeating: "61", count: 300),
      words: ["sizes are big-endian"]),
    WrongBytes(
      name: "int32 for int64", codec: .message, value: #"{"int64":"5000000000"}"#,
      wrong: "0300f2052a",
      words: ["type byte of the int64", "expected 04", "wrote 03", "int64 is due"]),
    WrongBytes(
      name: "int64 for int32", codec: .message, value: #"{"int32":5}"#,
      wrong: "040500000000000000", words: ["type byte of the int32", "int32 is due"]),
    WrongBytes(
      name: "booleans swapped", codec: .message, value: #"{"list":[{"bool":true},{"bool":false}]}"#,
      wrong: "0c020201", words: ["at $[0]", "expected 01", "true and false are swapped"]),
    WrongBytes(
      name: "big-endian numbers", codec: .message, value: #"{"int32":5}"#, wrong: "0300000005",
      words: ["content of the int32", "big-endian"]),
    WrongBytes(
      name: "UTF-16 length", codec: .message, value: #"{"string":"🎉a"}"#,
      wrong: "0703f09f8e8961", words: ["expected 05", "wrote 03", "UTF-16"]),
    WrongBytes(
      name: "characters counted", codec: .message, value: #"{"string":"🎉a"}"#,
      wrong: "0702f09f8e8961", words: ["number of characters"]),
    WrongBytes(
      name: "no count", codec: .message, value: #"{"list":[{"null":null}]}"#, wrong: "0c00",
      words: ["size of the list", "count of a list or map is left out"]),
    WrongBytes(
      name: "NaN bits", codec: .message, value: #"{"float64":"0x7ff8000000000001"}"#,
      wrong: "0600000000000000000000000000f87f", words: ["NaN"]),
    WrongBytes(
      name: "negative zero", codec: .message, value: #"{"float64":"-0.0"}"#,
      wrong: "06000000000000000000000000000000", words: ["-0.0"]),
    WrongBytes(
      name: "float32 list as float64", codec: .message, value: #"{"float32list":[1.5]}"#,
      wrong: "0b01000000000000000000000000f83f", words: ["Float64List"]),
    WrongBytes(
      name: "null arguments left out", codec: .call, value: #"{"method":"a","args":{"null":null}}"#,
      wrong: "070161", words: ["null are left out"]),
    WrongBytes(
      name: "trailing bytes", codec: .message, value: #"{"int32":5}"#, wrong: "030500000000",
      words: ["first 5 bytes are right", "1 byte more: 00"]),
    WrongBytes(
      name: "cut", codec: .message, value: #"{"string":"abc"}"#, wrong: "070361",
      words: ["ends at byte 3", "2 bytes too early", "content of the string"]),
    WrongBytes(
      name: "long size form", codec: .message, value: #"{"string":"a"}"#, wrong: "07fe010061",
      words: ["expected 01", "mean the same value"]),
    WrongBytes(
      name: "another map order", codec: .message,
      value: #"{"map":[[{"string":"b"},{"int32":1}],[{"string":"a"},{"int32":2}]]}"#,
      wrong: "0d02" + "070161" + "0302000000" + "070162" + "0301000000",
      words: ["another order"]),
    WrongBytes(
      name: "JSON text", codec: .jsonMessage, value: #"{"map":[[{"string":"a"},{"int32":1}]]}"#,
      wrong: "7b2261223a20317d", words: ["Byte 5", "expected 31", "wrote 20"]),
  ]

  @Test(arguments: wrongBytes)
  func namesTheMistakeInBytes(_ row: WrongBytes) throws {
    let expected = try #require(try NamedCodec(row.codec).encode(Array(row.value.utf8)))
    let wrong = try Hex.bytes(of: row.wrong)
    let result = CaseResult(
      id: "a.b.encode", area: "a", operation: "encode", codec: row.codec.rawValue, verdict: .fail,
      request: .value(row.value), expected: [.bytes(expected)], actual: .bytes(wrong))
    let text = FailureExplanation.sentences(for: result).joined(separator: "\n")
    for word in row.words { #expect(text.contains(word), "\(word) is not in:\n\(text)") }
  }
}
