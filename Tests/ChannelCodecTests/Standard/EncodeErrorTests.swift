import ChannelCodec
import Testing

@Suite("Values that cannot be written")
struct EncodeErrorTests {
  private static let raw = Value.string(Value.Text(bytes: [0x61, 0xff]))
  private static let codec = StandardMessageCodec(extensions: .pigeon)

  private static func error(_ value: Value, _ profile: Profile = .strict) -> CodecError? {
    codecError { () throws(CodecError) in
      try StandardMessageCodec(profile: profile, extensions: .pigeon).encode(value)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let value: Value
    let code: CodecError.Code
    let path: String
    var testDescription: String { path }
  }

  static let cases: [Case] = [
    Case(value: raw, code: .invalidUTF8, path: "the value"),
    Case(value: ["a": [1, ["b": raw]]], code: .invalidUTF8, path: "[\"a\"][1][\"b\"]"),
    Case(value: ["a": [raw: 1]], code: .invalidUTF8, path: "[\"a\"][key 0]"),
    Case(value: [[1]: nil, [2]: raw], code: .invalidUTF8, path: "[pair 1]"),
    Case(value: [nil: raw], code: .invalidUTF8, path: "[null]"),
    Case(value: [1.5: raw], code: .invalidUTF8, path: "[1.5]"),
    Case(value: [.int64(7): [raw]], code: .invalidUTF8, path: "[7][0]"),
    Case(value: [.uint8List([1]): raw], code: .invalidUTF8, path: "[Uint8List(1)]"),
    Case(value: [true: raw], code: .invalidUTF8, path: "[true]"),
    Case(
      value: [.largeInteger(Value.LargeInteger("ff")): raw], code: .invalidUTF8, path: "[0xff]"),
    Case(value: .custom(130, [nil, raw]), code: .invalidUTF8, path: "<130>[1]"),
    Case(value: [[], [:], .custom(130, []), raw], code: .invalidUTF8, path: "[3]"),
    Case(value: [1, .custom(20, nil)], code: .unsupportedValue, path: "[1]"),
    Case(
      value: ["x": .custom(128, .custom(127, 1))], code: .unsupportedValue, path: "[\"x\"]<128>"),
    Case(
      value: [.largeInteger(Value.LargeInteger("0x1"))], code: .invalidLargeInteger, path: "[0]"),
    Case(value: [.largeInteger(Value.LargeInteger(""))], code: .invalidLargeInteger, path: "[0]"),
    Case(value: [.largeInteger(Value.LargeInteger("-"))], code: .invalidLargeInteger, path: "[0]"),
  ]

  @Test("the error says where", arguments: cases)
  func paths(_ test: Case) throws {
    let error = try #require(Self.error(test.value))
    #expect(error.code == test.code)
    #expect(error.path.description == test.path)
    #expect(error.offset == nil)
    #expect(!error.description.contains("at byte") || test.code == .invalidUTF8)
    #expect(error.description.contains("expected \(error.expected), found \(error.found)"))
  }

  @Test("long messages too are refused whole")
  func long() throws {
    let filler = Value.string(Value.Text(String(repeating: "x", count: 5000)))
    let error = try #require(Self.error([filler, [filler, Self.raw]]))
    #expect(error.path.description == "[1][1]")
    #expect(error.found.contains("ff"))
  }

  @Test("parts of calls and envelopes are named")
  func parts() throws {
    let codec = StandardMethodCodec()
    let bad = Value.Text(bytes: [0xc0])
    func path(_ body: () throws(CodecError) -> [UInt8]) -> String? {
      codecError(body)?.path.description
    }
    let custom: Value = ["content": [.custom(99, 1)]]
    #expect(
      path { () throws(CodecError) in try codec.encodeMethodCall(MethodCall(bad)) } == "method")
    #expect(
      path { () throws(CodecError) in try codec.encodeMethodCall(MethodCall("m", custom)) }
        == "arguments.content[0]")
    #expect(
      path { () throws(CodecError) in try codec.encodeEnvelope(.success(custom)) }
        == "result[\"content\"][0]")
    #expect(
      path { () throws(CodecError) in try codec.encodeEnvelope(.error(code: bad, message: nil)) }
        == "code")
    #expect(
      path { () throws(CodecError) in try codec.encodeEnvelope(.error(code: "c", message: bad)) }
        == "message")
    #expect(
      path { () throws(CodecError) in
        try codec.encodeEnvelope(.error(code: "c", message: nil, details: ["x": .string(bad)]))
      } == "details[\"x\"]")
    let trace = ErrorEnvelope(code: "c", message: nil, stackTrace: .text(bad))
    #expect(
      path { () throws(CodecError) in try codec.encodeEnvelope(.error(trace)) } == "stacktrace")
  }

  @Test("an unregistered extension type, by profile", arguments: Profile.allCases)
  func unregistered(_ profile: Profile) throws {
    let codec = StandardMessageCodec(profile: profile)
    let value: Value = [1, .custom(200, 1), "after"]
    let outcome = Result { () throws(CodecError) in try codec.encode(value) }
    if profile == .windows {
      #expect(try outcome.get() == wire("0c 03 03 01000000 00 07 05 6166746572"))
      return
    }
    let error = try #require(codecError { () throws(CodecError) in try outcome.get() })
    #expect(error.code == .unsupportedValue)
    #expect(error.path.description == "[1]")
    #expect(error.consequence == (profile == .ios ? .crash : .refusal))
    #expect((error.platformError == nil) == (profile == .strict))
  }

  @Test(
    "what a profile cannot hold",
    arguments: [
      (Profile.dartWeb, Value.int64(9_007_199_254_740_993), "no such value"),
      (.dartWeb, .int64List([1]), "UnsupportedError"),
      (.dart, .largeInteger(Value.LargeInteger("ff")), "ArgumentError"),
      (.linux, .largeInteger(Value.LargeInteger("ff")), "UNSUPPORTED_TYPE"),
      (.ios, .largeInteger(Value.LargeInteger("ff")), "no such value"),
      (.dart, .string(Value.Text(bytes: [0xff])), "no such value"),
      (.android, .string(Value.Text(bytes: [0xc3])), "no such value"),
    ])
  func unsupported(_ profile: Profile, _ value: Value, _ platformError: String) throws {
    let error = try #require(Self.error(["k": [value]], profile))
    #expect(error.platformError == platformError)
    #expect(error.path.description == "[\"k\"][0]")
  }

  @Test("lone surrogates, as each profile writes them", arguments: Profile.allCases)
  func loneSurrogates(_ profile: Profile) throws {
    // "a" U+D800 "b"
    let text = Value.Text(bytes: wire("61 ed a0 80 62"))
    let outcome = Result { () throws(CodecError) in
      try StringCodec(profile: profile).encode(text)
    }
    let nested = Result { () throws(CodecError) in
      try StandardMessageCodec(profile: profile).encode(.string(text))
    }
    let expected: [UInt8]?
    switch profile {
    case .strict: expected = nil
    case .dart, .dartWeb: expected = wire("61 ef bf bd 62")
    case .android: expected = wire("61 3f 62")
    case .ios: expected = wire("61")
    case .windows, .linux: expected = wire("61 ed a0 80 62")
    }
    guard let expected else {
      let error = codecError { () throws(CodecError) in try outcome.get() }
      #expect(error?.code == .invalidUTF8)
      #expect(error?.found == "the byte ed at byte 1 of the string")
      #expect(throws: CodecError.self) { try nested.get() }
      return
    }
    #expect(try outcome.get() == expected)
    #expect(try nested.get() == [7, UInt8(expected.count)] + expected)
  }

  @Test(
    "two halves side by side are one character on UTF-16 platforms",
    arguments: [
      Profile.dart, .dartWeb, .android, .ios,
    ])
  func pairs(_ profile: Profile) throws {
    let codec = StringCodec(profile: profile)
    let text = Value.Text(bytes: wire("ed a0 bd ed b4 91"))
    #expect(try codec.encode(text) == Array("🔑".utf8))
    let cut = Value.Text(bytes: wire("61 ed a0"))
    #expect(throws: CodecError.self) { try codec.encode(cut) }
  }

  @Test("Linux cuts strings at NUL")
  func nul() throws {
    #expect(try StringCodec(profile: .linux).encode("a\0b") == [0x61])
    #expect(try StringCodec(profile: .linux).decode([0x61, 0, 0x62]) == "a")
    #expect(try StandardMessageCodec(profile: .linux).encode("a\0b") == wire("07 01 61"))
    let reaction = StandardMessageCodec(profile: .linux).react(to: wire("07 03 61 00 62"))
    #expect(try reaction.result.get() == "a")
    #expect(reaction.notes == ["the string ends at its NUL"])
  }
}
