import ChannelCodec
import Testing

/// A message that strict refuses, with everything that the error must say.
struct Malformed: CustomTestStringConvertible, Sendable {
  enum Kind: Sendable { case message, call, envelope }

  let kind: Kind
  let hex: String?
  let code: CodecError.Code
  let offset: Int
  let path: String
  let expected: String
  let found: String
  var testDescription: String { "\(kind) \(hex ?? "nil")" }

  init(
    _ kind: Kind, _ hex: String?, _ code: CodecError.Code, _ offset: Int, _ path: String,
    _ expected: String, _ found: String
  ) {
    self.kind = kind
    self.hex = hex
    self.code = code
    self.offset = offset
    self.path = path
    self.expected = expected
    self.found = found
  }

  func error(_ profile: Profile = .strict) -> CodecError? {
    let bytes = hex.map(wire)
    return codecError { () throws(CodecError) in
      switch kind {
      case .message:
        _ = try StandardMessageCodec(profile: profile, extensions: .pigeon).decode(bytes)
      case .call:
        _ = try StandardMethodCodec(profile: profile, extensions: .pigeon).decodeMethodCall(bytes)
      case .envelope:
        _ = try StandardMethodCodec(profile: profile, extensions: .pigeon).decodeEnvelope(bytes)
      }
    }
  }

  static let all: [Malformed] = values + sizes + calls + envelopes

  static let values = [
    Malformed(.message, "", .emptyMessage, 0, "the value", "a value", "zero bytes"),
    Malformed(.message, "0f", .unknownType, 0, "the value", "type from 0 to 14", "0x0f"),
    Malformed(.message, "0c 04 00 01 02 7f", .unknownType, 5, "[3]", "type from 0 to 14", "0x7f"),
    Malformed(.message, "0d 01 0c 01 7f 00", .unknownType, 4, "[key 0][0]", "type", "0x7f"),
    Malformed(.message, "0d 01 7f 00", .unknownType, 2, "[key 0]", "type", "0x7f"),
    Malformed(.message, "0d 02 00 00 7f 00", .unknownType, 4, "[key 1]", "type", "0x7f"),
    Malformed(.message, "0d 01 0c 00 7f", .unknownType, 4, "[pair 0]", "type", "0x7f"),
    Malformed(.message, "0d 01 03 05000000 7f", .unknownType, 7, "[5]", "type", "0x7f"),
    Malformed(
      .message, "0d 02 07 01 61 00 07 01 62 7f", .unknownType, 9, "[\"b\"]", "type", "0x7f"),
    Malformed(.message, "0d 01 82 00 7f", .unknownType, 4, "[pair 0]", "type", "0x7f"),
    Malformed(.message, "0c 02 00 81 0c 01 7f", .unknownType, 6, "[1]<129>[0]", "type", "0x7f"),
    Malformed(.message, "0c 02 0c 01 00 7f", .unknownType, 5, "[1]", "type", "0x7f"),
    Malformed(
      .message, "00 00", .trailingBytes, 1, "the value", "end of the message", "1 more byte"),
    Malformed(.message, "0c 00 01 02", .trailingBytes, 2, "the value", "end", "2 more bytes"),
    Malformed(.message, "03 01 00 00", .truncated, 1, "the value", "4 bytes of int32", "3"),
    Malformed(.message, "0c 02 00 03 01", .truncated, 4, "[1]", "4 bytes of int32", "1"),
    Malformed(.message, "04 01 00 00 00", .truncated, 1, "the value", "8 bytes of int64", "4"),
    Malformed(.message, "06 00 00", .truncated, 1, "the value", "padding to byte 8", "at byte 3"),
    Malformed(.message, "06 00000000000000 01", .truncated, 1, "the value", "from byte 8", "1"),
    Malformed(.message, "0c 02 0c 00", .truncated, 4, "[1]", "type byte", "end of the message"),
    Malformed(
      .message, "0d 01 0c 00", .truncated, 4, "[pair 0]", "type byte", "end of the message"),
    Malformed(.message, "81", .truncated, 1, "<129>", "type byte", "end of the message"),
    Malformed(.message, "07 03 c3 28 61", .invalidUTF8, 2, "the value", "UTF-8", "byte c3"),
    Malformed(.message, "0c 01 07 03 61 ed a0", .invalidUTF8, 5, "[0]", "UTF-8", "byte ed"),
    Malformed(.message, "05 01 67", .invalidLargeInteger, 2, "the value", "hexadecimal", "\"g\""),
    Malformed(
      .message, "05 03 31 32 2d", .invalidLargeInteger, 4, "the value", "digits", "\"12-\""),
    Malformed(.message, "05 00", .invalidLargeInteger, 2, "the value", "hexadecimal", "\"\""),
    Malformed(.message, "05 01 2d", .invalidLargeInteger, 3, "the value", "hexadecimal", "\"-\""),
  ]

  static let sizes = [
    Malformed(.message, "07", .truncated, 1, "the value", "the size of a string", "the end"),
    Malformed(.message, "07 fe 01", .truncated, 1, "the value", "in 3 bytes", "2"),
    Malformed(.message, "0d ff 01 00 00", .truncated, 1, "the value", "in 5 bytes", "4"),
    Malformed(.message, "07 05 61", .sizeTooLarge, 1, "the value", "string of 5 bytes", "1 left"),
    Malformed(.message, "05 02 61", .sizeTooLarge, 1, "the value", "integer of 2 bytes", "1 left"),
    Malformed(.message, "0c 02 00", .sizeTooLarge, 1, "the value", "2 elements", "1 bytes left"),
    Malformed(.message, "0d 01 00", .sizeTooLarge, 1, "the value", "1 pairs", "1 bytes left"),
    Malformed(.message, "0c 01 0c fe ffff", .sizeTooLarge, 3, "[0]", "65535 elements", "0 bytes"),
    Malformed(.message, "08 02 01", .sizeTooLarge, 1, "the value", "2 elements of 1", "at byte 3"),
    Malformed(
      .message, "0b 01 00 00 00", .sizeTooLarge, 1, "the value", "8 bytes from byte 8", "5"),
    Malformed(.message, "0e 01 00 00 00 00 00", .sizeTooLarge, 1, "the value", "of 4 bytes", "7"),
    Malformed(.message, "09 00 00", .truncated, 2, "the value", "padding to byte 4", "at byte 3"),
    Malformed(
      .message, "0c 01 0a 00 00 00", .truncated, 4, "[0]", "padding to byte 8", "at byte 6"),
  ]

  static let calls = [
    Malformed(.call, nil, .noMessage, 0, "the value", "a method call", "no message"),
    Malformed(.call, "", .emptyMessage, 0, "the value", "a method call", "zero bytes"),
    Malformed(.call, "03 01000000 00", .invalidMethodCall, 0, "method", "name, a string", "1"),
    Malformed(.call, "7f", .unknownType, 0, "method", "type", "0x7f"),
    Malformed(.call, "07 02 66 ff", .invalidUTF8, 3, "method", "UTF-8", "byte ff"),
    Malformed(.call, "07 01 66", .truncated, 3, "arguments", "type byte", "end of the message"),
    Malformed(.call, "07 01 66 00 00", .trailingBytes, 4, "arguments", "arguments", "1 more byte"),
    Malformed(.call, "07 01 66 0c 01 7f", .unknownType, 5, "arguments[0]", "type", "0x7f"),
    Malformed(
      .call, "07 01 66 0d 01 07 02 61 62 0d 01 07 0e 656c61707365645365636f6e6473 7f",
      .unknownType, 27, "arguments.ab[\"elapsedSeconds\"]", "type", "0x7f"),
    Malformed(
      .call, "07 01 66 0d 01 07 07 636f6e74656e74 0c 01 7f",
      .unknownType, 16, "arguments.content[0]", "type", "0x7f"),
    Malformed(
      .call, "07 01 66 0d 01 07 02 61 20 7f", .unknownType, 9, "arguments[\"a \"]", "type", "7f"),
    Malformed(.call, "07 01 66 0d 01 07 00 7f", .unknownType, 7, "arguments[\"\"]", "type", "7f"),
    Malformed(
      .call, "07 01 66 0d 01 07 02 31 61 7f", .unknownType, 9, "arguments[\"1a\"]", "type", "7f"),
  ]

  static let envelopes = [
    Malformed(.envelope, "", .emptyMessage, 0, "the value", "an envelope", "zero bytes"),
    Malformed(.envelope, "02 00", .invalidEnvelope, 0, "the value", "00 (success) or 01", "02"),
    Malformed(.envelope, "00", .truncated, 1, "result", "type byte", "end of the message"),
    Malformed(.envelope, "00 00 00", .trailingBytes, 2, "result", "the result", "1 more byte"),
    Malformed(.envelope, "00 0c 01 7f", .unknownType, 3, "result[0]", "type", "0x7f"),
    Malformed(.envelope, "01", .truncated, 1, "code", "type byte", "end of the message"),
    Malformed(
      .envelope, "01 00 00 00", .invalidEnvelope, 1, "code", "error code, a string", "null"),
    Malformed(.envelope, "01 07 01 63", .truncated, 4, "message", "type byte", "end"),
    Malformed(.envelope, "01 07 01 63 01 00", .invalidEnvelope, 4, "message", "or null", "true"),
    Malformed(.envelope, "01 07 01 63 00", .truncated, 5, "details", "type byte", "end"),
    Malformed(
      .envelope, "01 07 01 63 00 0d 01 07 01 78 7f", .unknownType, 10, "details[\"x\"]", "type",
      "7f"),
    Malformed(
      .envelope, "01 07 01 63 00 0d 01 07 05 737461636b 0c 01 7f", .unknownType, 16,
      "details[\"stack\"][0]", "type", "7f"),
    Malformed(
      .envelope, "01 07 01 63 00 00 01", .invalidEnvelope, 6, "stacktrace", "stack trace", "true"),
    Malformed(
      .envelope, "01 07 01 63 00 00 00 00", .trailingBytes, 7, "stacktrace", "envelope", "1"),
    Malformed(.envelope, "01 07 01 63 00 00 07 02 61", .sizeTooLarge, 7, "stacktrace", "2", "1"),
  ]
}

@Suite("Malformed messages")
struct MalformedTests {
  @Test("code, offset, path and words", arguments: Malformed.all)
  func strict(_ malformed: Malformed) throws {
    let error = try #require(malformed.error(), "decoded")
    #expect(error.code == malformed.code)
    #expect(error.offset == malformed.offset)
    #expect(error.path.description == malformed.path)
    #expect(error.expected.contains(malformed.expected), "\(error)")
    #expect(error.found.contains(malformed.found), "\(error)")
    #expect(error.consequence == .refusal)
    #expect(error.platformError == nil)
    let text = error.description
    #expect(text.hasPrefix("\(malformed.code.rawValue) at byte \(malformed.offset)"))
    #expect(text.hasSuffix(": expected \(error.expected), found \(error.found)"))
    #expect(text.contains(" in \(malformed.path)") == !error.path.isRoot)
    #expect(error == CodecError(malformed.code, offset: malformed.offset, expected: "", found: ""))
  }

  @Test("every other profile answers or names the platform's error", arguments: Malformed.all)
  func profiles(_ malformed: Malformed) {
    for profile in Profile.allCases where profile != .strict {
      guard let error = malformed.error(profile) else { continue }
      let offset = error.offset ?? -1
      #expect(offset >= 0 && offset <= (malformed.hex.map(wire)?.count ?? 0), "\(profile) \(error)")
      #expect(error.platformError != nil, "\(profile) \(error)")
    }
  }

  @Test("what the platform does is part of the description")
  func consequences() throws {
    let error = Malformed(.message, "00 00", .trailingBytes, 1, "", "", "")
    #expect(
      error.error(.dart)?.description.hasSuffix(
        "; the platform reports FormatException(Message corrupted)") == true)
    #expect(
      error.error(.ios)?.description.hasSuffix(
        "; the platform crashes: assert: Corrupted standard message") == true)
    #expect(error.error(.windows) == nil)
    // Each level promises more pairs than bytes, all of them made up by a platform that never fails.
    let bomb = [UInt8].repeating("0d 64", 50) + [UInt8](repeating: 0, count: 100)
    let expansion = try #require(
      codecError { () throws(CodecError) in
        try StandardMessageCodec(profile: .windows).decode(bomb)
      })
    #expect(expansion.code == .expansionLimit)
    #expect(expansion.consequence == .unspecified)
    #expect(
      expansion.description.hasSuffix(
        "; what the platform does is unspecified: memory exhaustion"))
  }

  @Test("every truncation of a valid message is refused by strict, at a byte that is there")
  func truncations() throws {
    let value: Value = [
      ["a": 1, [1.5]: .int64(2), "t": .float64List([1, 2])], .custom(130, ["x", nil]),
      .int32List([1]), .uint8List([1, 2]), .largeInteger(Value.LargeInteger(-1)), "é",
    ]
    let codec = StandardMethodCodec(extensions: .pigeon)
    let call = try codec.encodeMethodCall(MethodCall("method", value))
    let envelope = try codec.encodeEnvelope(.error(code: "c", message: "m", details: value))
    for count in 0..<call.count {
      let error = codecError { () throws(CodecError) in
        try codec.decodeMethodCall(Array(call[..<count]))
      }
      #expect(error.map { ($0.offset ?? .max) <= count } == true, "\(count) of the call")
    }
    for count in 0..<envelope.count {
      let error = codecError { () throws(CodecError) in
        try codec.decodeEnvelope(Array(envelope[..<count]))
      }
      #expect(error.map { ($0.offset ?? .max) <= count } == true, "\(count) of the envelope")
    }
  }
}
