import ChannelCodec
import Testing

@Suite("JSON method codec")
struct JSONMethodCodecTests {
  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: - Calls

  @Test("calls are written and read", arguments: Profile.allCases)
  func calls(_ profile: Profile) throws {
    let codec = JSONMethodCodec(profile: profile)
    let calls: [(MethodCall, String)] = [
      (MethodCall("m"), #"{"method":"m","args":null}"#),
      (MethodCall("", [1, "x"]), #"{"method":"","args":[1,"x"]}"#),
      (MethodCall("a\"b", ["k": true]), #"{"method":"a\"b","args":{"k":true}}"#),
    ]
    for (call, text) in calls {
      #expect(Self.text(try codec.encodeMethodCall(call)) == text)
      #expect(try codec.decodeMethodCall(Array(text.utf8)) == call)
    }
  }

  static let readCalls: [(text: String, call: MethodCall)] = [
    (#"{"args":1,"method":"m"}"#, MethodCall("m", 1)), (#"{"method":"m"}"#, MethodCall("m")),
    (#"{"method":"m","more":1,"args":[]}"#, MethodCall("m", [])),
    (#"{"method":"m","args":1,"args":2}"#, MethodCall("m", 2)),
  ]

  @Test("other members, their order and missing args do not matter", arguments: readCalls)
  func reads(text: String, call: MethodCall) throws {
    #expect(try JSONMethodCodec().decodeMethodCall(Array(text.utf8)) == call)
  }

  static let badCalls: [(text: String, dart: String, linux: String, windows: String)] = [
    ("X", "", "INVALID_JSON", "nullptr (NotImplemented reply)"),
    ("42", "Expected method call Map", "FAILED", "nullptr (NotImplemented reply)"),
    ("[]", "Expected method call Map", "FAILED", "nullptr (NotImplemented reply)"),
    ("null", "Expected method call Map", "FAILED", "nullptr (NotImplemented reply)"),
    ("{}", "Invalid method call", "FAILED", "nullptr (NotImplemented reply)"),
    (#"{"method":1}"#, "Invalid method call", "FAILED", "nullptr (NotImplemented reply)"),
    (#"{"method":null}"#, "Invalid method call", "FAILED", "nullptr (NotImplemented reply)"),
    (#"{"args":"m"}"#, "Invalid method call", "FAILED", "nullptr (NotImplemented reply)"),
  ]

  @Test("a call is an object with a string as method", arguments: badCalls)
  func refusesCall(text: String, dart: String, linux: String, windows: String) {
    func error(_ profile: Profile) -> CodecError? {
      #expect(throws: CodecError.self) {
        try JSONMethodCodec(profile: profile).decodeMethodCall(Array(text.utf8))
      }
    }
    let code: CodecError.Code = dart.isEmpty ? .invalidJSON : .invalidMethodCall
    #expect(error(.strict) == CodecError(code, offset: 0, expected: "", found: ""))
    #expect(error(.dart)?.platformError == "FormatException" + (dart.isEmpty ? "" : "(\(dart))"))
    #expect(error(.linux)?.platformError == linux)
    #expect(error(.windows)?.platformError == windows)
    #expect(error(.ios)?.consequence == .unspecified)
  }

  @Test("no message, no bytes and broken text are no call")
  func noCall() {
    func error(_ message: [UInt8]?) -> CodecError? {
      #expect(throws: CodecError.self) { try JSONMethodCodec().decodeMethodCall(message) }
    }
    #expect(error(nil) == CodecError(.noMessage, offset: 0, expected: "", found: ""))
    #expect(error([]) == CodecError(.emptyMessage, offset: 0, expected: "", found: ""))
    let broken = error(Array(#"{"method":"m","args":{"a":[1,x]}}"#.utf8))
    #expect(broken == CodecError(.invalidJSON, offset: 29, expected: "", found: ""))
    #expect(broken?.path.description == "arguments.a[1]")
  }

  @Test("errors of a call's encoding name the part")
  func encodingErrors() {
    let call = #expect(throws: CodecError.self) {
      try JSONMethodCodec().encodeMethodCall(MethodCall("m", ["a": [.uint8List([1])]]))
    }
    #expect(call?.path.description == "arguments.a[0]")
    let envelope = #expect(throws: CodecError.self) {
      try JSONMethodCodec().encodeEnvelope(
        .error(code: "c", message: nil, details: .custom(129, 1)))
    }
    #expect(envelope?.path.description == "details")
    let method = #expect(throws: CodecError.self) {
      try JSONMethodCodec().encodeMethodCall(MethodCall(Value.Text(bytes: [0xff])))
    }
    #expect(method?.code == .invalidUTF8)
    #expect(method?.path.description == "method")
  }

  // MARK: - Envelopes

  static let envelopes: [(text: String, envelope: Envelope)] = [
    ("[null]", .success(.null)), ("[[1,2,3]]", .success([1, 2, 3])), ("[1.0]", .success(1.0)),
    (#"["c","m",{"d":1}]"#, .error(code: "c", message: "m", details: ["d": 1])),
    (#"["","",null]"#, .error(code: "", message: "")),
  ]

  @Test(
    "envelopes are written and read", arguments: envelopes,
    [
      Profile.strict, .dart, .windows, .linux,
    ])
  func envelope(row: (text: String, envelope: Envelope), profile: Profile) throws {
    let codec = JSONMethodCodec(profile: profile)
    #expect(Self.text(try codec.encodeEnvelope(row.envelope)) == row.text)
    #expect(try codec.decodeEnvelope(Array(row.text.utf8)) == row.envelope)
  }

  @Test("a null message is null, and an empty string on Windows, which cannot read null")
  func nullMessage() throws {
    let envelope = Envelope.error(code: "c", message: nil)
    let text = #"["c",null,null]"#
    for profile in Profile.allCases where profile != .windows {
      let codec = JSONMethodCodec(profile: profile)
      #expect(Self.text(try codec.encodeEnvelope(envelope)) == text)
      #expect(try codec.decodeEnvelope(Array(text.utf8)) == envelope)
    }
    let windows = JSONMethodCodec(profile: .windows)
    #expect(Self.text(try windows.encodeEnvelope(envelope)) == #"["c","",null]"#)
    let error = #expect(throws: CodecError.self) { try windows.decodeEnvelope(Array(text.utf8)) }
    #expect(error?.consequence == .crash)
  }

  @Test("the fourth field: written by Android, read by Dart")
  func stackTrace() throws {
    let envelopes: [(ErrorEnvelope.StackTrace, String)] = [
      (.text("at x"), #"["c","m",null,"at x"]"#), (.null, #"["c","m",null,null]"#),
    ]
    for (trace, text) in envelopes {
      let envelope = Envelope.error(ErrorEnvelope(code: "c", message: "m", stackTrace: trace))
      for profile in Profile.allCases {
        let codec = JSONMethodCodec(profile: profile)
        if profile == .strict || profile == .android {
          #expect(Self.text(try codec.encodeEnvelope(envelope)) == text)
        } else {
          let error = #expect(throws: CodecError.self) { try codec.encodeEnvelope(envelope) }
          #expect(error?.path.description == "stacktrace")
          #expect(error?.platformError == "no such field")
        }
        if [.strict, .dart, .dartWeb].contains(profile) {
          #expect(try codec.decodeEnvelope(Array(text.utf8)) == envelope)
        } else {
          let error = #expect(throws: CodecError.self) {
            try codec.decodeEnvelope(Array(text.utf8))
          }
          #expect(error?.code == .invalidEnvelope)
        }
      }
    }
  }

  static let badEnvelopes: [(text: String, offset: Int, path: String)] = [
    ("{}", 0, "the value"), ("1", 0, "the value"), ("[]", 0, "the value"),
    ("[1,2]", 0, "the value"), (#"["c","m",null,null,null]"#, 0, "the value"),
    (#"[ 1,"m",null]"#, 2, "code"), (#"["c",1,null]"#, 5, "message"),
    (#"["c",null,[1,2], 7]"#, 17, "stacktrace"),
  ]

  @Test("everything else is no envelope", arguments: badEnvelopes)
  func refusesEnvelope(text: String, offset: Int, path: String) {
    // iOS reads a message that is no string as null.
    for profile in Profile.allCases where profile != .ios || path != "message" {
      let error = #expect(throws: CodecError.self) {
        try JSONMethodCodec(profile: profile).decodeEnvelope(Array(text.utf8))
      }
      #expect(error?.code == .invalidEnvelope)
      guard profile == .strict else { continue }
      #expect(error?.offset == offset)
      #expect(error?.path.description == path)
    }
  }

  @Test("no reply is not implemented; an empty one is so on Windows only")
  func notImplemented() throws {
    for profile in Profile.allCases {
      let codec = JSONMethodCodec(profile: profile)
      #expect(try codec.decodeEnvelope(nil) == nil)
      if profile == .windows {
        #expect(try codec.decodeEnvelope([]) == nil)
      } else {
        #expect(throws: CodecError.self) { try codec.decodeEnvelope([]) }
      }
    }
  }
}
