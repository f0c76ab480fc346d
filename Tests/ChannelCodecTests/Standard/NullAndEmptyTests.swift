import ChannelCodec
import Testing

@Suite("No message, empty message, null")
struct NullAndEmptyTests {
  private struct Answer: Sendable {
    /// nil: refused.
    let empty: Value??
    let encodedNil: [UInt8]?
    let encodedNull: [UInt8]?
  }

  private static func answer(_ profile: Profile) -> Answer {
    switch profile {
    case .strict: Answer(empty: nil, encodedNil: nil, encodedNull: [0])
    case .dart, .dartWeb, .android: Answer(empty: nil, encodedNil: nil, encodedNull: nil)
    case .ios: Answer(empty: .some(.null), encodedNil: nil, encodedNull: [0])
    case .windows, .linux: Answer(empty: .some(.null), encodedNil: [0], encodedNull: [0])
    }
  }

  @Test("standard messages", arguments: Profile.allCases)
  func messages(_ profile: Profile) throws {
    let codec = StandardMessageCodec(profile: profile)
    let answer = Self.answer(profile)
    #expect(try codec.decode(nil) == nil)
    #expect(try codec.decode([0]) == .some(.null))
    #expect(try codec.encode(nil) == answer.encodedNil)
    #expect(try codec.encode(.null) == answer.encodedNull)
    if let empty = answer.empty {
      #expect(try codec.decode([]) == empty)
    } else {
      let error = codecError { () throws(CodecError) in try codec.decode([]) }
      #expect(error?.code == .emptyMessage)
    }
  }

  @Test("nested null is a byte everywhere", arguments: Profile.allCases)
  func nested(_ profile: Profile) throws {
    let codec = StandardMessageCodec(profile: profile)
    #expect(try codec.encode([nil]) == wire("0c 01 00"))
    #expect(try codec.decode(wire("0c 01 00")) == [nil])
  }

  @Test("strings", arguments: Profile.allCases)
  func strings(_ profile: Profile) throws {
    let codec = StringCodec(profile: profile)
    #expect(try codec.decode(nil) == nil)
    #expect(try codec.decode([]) == "")
    #expect(try codec.decode([0x61]) == "a")
    #expect(try codec.encode("") == [])
    #expect(try codec.encode("a") == [0x61])
    if profile == .linux {
      let error = codecError { () throws(CodecError) in try codec.encode(nil) }
      #expect(error?.code == .unsupportedValue && error?.platformError == "UNSUPPORTED_TYPE")
    } else {
      #expect(try codec.encode(nil) == nil)
    }
  }

  @Test("bytes")
  func binary() throws {
    let codec = BinaryCodec()
    for message: [UInt8]? in [nil, [], [0], [1, 2, 255]] {
      #expect(codec.encode(message) == message)
      #expect(codec.decode(message) == message)
    }
    let any: any MessageCodec<[UInt8]> = codec
    #expect(try any.decode([]) == [])
    #expect(try any.decode(nil) == nil)
  }

  @Test("calls need a message", arguments: Profile.allCases)
  func calls(_ profile: Profile) throws {
    let codec = StandardMethodCodec(profile: profile)
    let none = codecError { () throws(CodecError) in try codec.decodeMethodCall(nil) }
    #expect(none?.code == .noMessage)
    let empty = codecError { () throws(CodecError) in try codec.decodeMethodCall([]) }
    #expect(empty != nil)
    #expect(empty?.offset == 0)
    #expect(try codec.decodeMethodCall(wire("07 00 00")) == MethodCall("", nil))
    #expect(try codec.encodeMethodCall(MethodCall("m")) == wire("07 01 6d 00"))
  }

  @Test("a reply without payload is no envelope", arguments: Profile.allCases)
  func envelopes(_ profile: Profile) throws {
    let codec = StandardMethodCodec(profile: profile)
    #expect(try codec.decodeEnvelope(nil) == nil)
    #expect(codec.react(toEnvelope: nil).notes.isEmpty)
    #expect(try codec.decodeEnvelope([0, 0]) == .success(.null))
    #expect(try codec.encodeEnvelope(.success(.null)) == [0, 0])
    if profile == .windows {
      #expect(try codec.decodeEnvelope([]) == nil)
      #expect(codec.react(toEnvelope: []).notes == ["a reply of zero bytes means not implemented"])
    } else {
      let error = codecError { () throws(CodecError) in try codec.decodeEnvelope([]) }
      #expect(error?.code == .emptyMessage)
    }
  }
}

@Suite("Envelopes and calls")
struct EnvelopeTests {
  private static let three = wire("01 07 01 63 07 01 6d 03 05 00 00 00")

  @Test("three fields", arguments: Profile.allCases)
  func threeFields(_ profile: Profile) throws {
    let codec = StandardMethodCodec(profile: profile)
    let envelope = Envelope.error(code: "c", message: "m", details: "d")
    let bytes = wire("01 07 01 63 07 01 6d 07 01 64")
    #expect(try codec.encodeEnvelope(envelope) == bytes)
    #expect(try codec.decodeEnvelope(bytes) == envelope)
  }

  @Test("a null message", arguments: Profile.allCases)
  func nullMessage(_ profile: Profile) throws {
    let codec = StandardMethodCodec(profile: profile)
    let bytes = wire("01 07 01 63 00 00")
    #expect(try codec.encodeEnvelope(.error(code: "c", message: nil)) == bytes)
    let read: Value.Text? = profile == .windows ? "" : nil
    #expect(try codec.decodeEnvelope(bytes) == .error(code: "c", message: read))
    let empty = try codec.encodeEnvelope(.error(code: "c", message: ""))
    #expect(empty == (profile == .windows ? bytes : wire("01 07 01 63 07 00 00")))
  }

  @Test(
    "a fourth field",
    arguments: [
      ("00", ErrorEnvelope.StackTrace.null), ("07 02 61 62", .text("ab")), ("07 00", .text("")),
    ])
  func fourFields(_ field: String, _ trace: ErrorEnvelope.StackTrace) throws {
    let bytes = Self.three + wire(field)
    let envelope = Envelope.error(
      ErrorEnvelope(code: "c", message: "m", details: 5, stackTrace: trace))
    for profile in Profile.allCases {
      let codec = StandardMethodCodec(profile: profile)
      let decoded = Result { () throws(CodecError) in try codec.decodeEnvelope(bytes) }
      switch profile {
      case .strict, .dart, .dartWeb: #expect(try decoded.get() == envelope)
      case .windows:
        #expect(try decoded.get() == .error(code: "c", message: "m", details: 5))
      case .ios, .android, .linux: #expect(throws: CodecError.self) { try decoded.get() }
      }
      let encoded = Result { () throws(CodecError) in try codec.encodeEnvelope(envelope) }
      switch profile {
      case .strict, .android: #expect(try encoded.get() == bytes)
      default:
        let error = codecError { () throws(CodecError) in try encoded.get() }
        #expect(error?.code == .unsupportedValue)
        #expect(error?.path.description == "stacktrace")
        #expect(error?.offset == nil)
      }
    }
  }

  @Test("a success value that looks like an error is one value")
  func nestedLists() throws {
    let codec = StandardMethodCodec()
    let envelope = Envelope.success(["c", "m", nil])
    let bytes = wire("00 0c 03 07 01 63 07 01 6d 00")
    #expect(try codec.encodeEnvelope(envelope) == bytes)
    #expect(try codec.decodeEnvelope(bytes) == envelope)
  }

  @Test("codecs may be used by their protocols")
  func protocols() throws {
    let method: any MethodCodec = StandardMethodCodec()
    let message: any MessageCodec<Value> = StandardMessageCodec()
    let call = MethodCall("m", ["a": 1])
    #expect(try method.decodeMethodCall(try method.encodeMethodCall(call)) == call)
    #expect(try message.decode(try message.encode(call.arguments)) == call.arguments)
  }

  @Test("alignment counts from byte 0: method names and flags push it along", arguments: 0..<17)
  func alignment(_ phase: Int) throws {
    var random = TestRandom(stream: 100 + UInt64(phase))
    let codec = StandardMethodCodec(extensions: .pigeon)
    let name = String(repeating: "n", count: phase)
    let nameTree = ValueTree.leaf(.string(Value.Text(name)))
    let trees: [ValueTree] =
      [
        .leaf(1.5), .leaf(.float64List([1])), .leaf(.int32List([1])), .leaf(.int64List([1])),
        .leaf(.float32List([1])), .leaf(.int64List([])), .list([.leaf(true), .leaf(1.5)]),
      ] + (0..<40).map { _ in ValueTree.random(20, using: &random) }
    for tree in trees {
      let call = MethodCall(Value.Text(name), tree.value)
      let callBytes = ReferenceWriter.bytes(of: tree, prefix: ReferenceWriter.bytes(of: nameTree))
      #expect(try codec.encodeMethodCall(call) == callBytes)
      #expect(try codec.decodeMethodCall(callBytes) == call)
      #expect(try codec.react(toMethodCall: callBytes).result.get() == call)

      let success = ReferenceWriter.bytes(of: tree, prefix: [0])
      #expect(try codec.encodeEnvelope(.success(tree.value)) == success)
      #expect(try codec.decodeEnvelope(success) == .success(tree.value))

      let error = Envelope.error(code: Value.Text(name), message: "é", details: tree.value)
      var head = ReferenceWriter(prefix: [1])
      head.write(nameTree)
      head.write(.leaf("é"))
      let failure = ReferenceWriter.bytes(of: tree, prefix: head.bytes)
      #expect(try codec.encodeEnvelope(error) == failure)
      #expect(try codec.decodeEnvelope(failure) == error)
      #expect(try codec.react(toEnvelope: failure).result.get() == error)
    }
  }
}
