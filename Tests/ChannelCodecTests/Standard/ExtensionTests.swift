import ChannelCodec
import Testing

@Suite("Extension types")
struct ExtensionTests {
  private static func codec(_ profile: Profile = .strict) -> StandardMessageCodec {
    StandardMessageCodec(profile: profile, extensions: SampleExtensions.types)
  }

  struct Sample: CustomTestStringConvertible, Sendable {
    let value: Value
    let hex: String
    var testDescription: String { hex }
  }

  static let sampleTable = [
    Sample(value: .custom(128, .int64(-2)), hex: "80 feffffffffffffff"),
    Sample(
      value: .custom(129, [1.5, -2.5]),
      hex: "81 00000000000000 000000000000f83f 00000000000004c0"),
    Sample(value: .custom(130, .uint8List([1, 2, 3])), hex: "82 03 010203"),
    Sample(value: .custom(130, .uint8List([])), hex: "82 00"),
    Sample(value: .custom(131, ["k", [1, nil]]), hex: "83 07 01 6b 0c 02 03 01000000 00"),
    Sample(
      value: .custom(131, [.custom(129, [1.5, 0.5]), .custom(255, .custom(128, .int64(1)))]),
      hex: "83 81 000000000000 000000000000f83f 000000000000e03f ff 80 0100000000000000"),
    Sample(
      value: .custom(132, [255, 65_535, .int64(4_294_967_295), -1, 12]),
      hex: "84 ff ffff ffffffff ffffffff"),
    Sample(
      value: [true, .custom(129, [0.5, 1.5])],
      hex:
        "0c 02 01 81 00000000 000000000000e03f 000000000000f83f"),
    Sample(
      value: [.custom(128, .int64(7)): .custom(130, .uint8List([9]))],
      hex: "0d 01 80 0700000000000000 82 01 09"),
  ]

  @Test("bytes and values, both ways, as every profile", arguments: sampleTable, Profile.allCases)
  func samples(_ sample: Sample, _ profile: Profile) throws {
    let codec = Self.codec(profile)
    let bytes = wire(sample.hex)
    // dartWeb has no int64 of its own, but an extension may do as it likes with its bytes.
    let decoded = try #require(try codec.decode(bytes))
    if profile == .strict || profile == .ios || profile == .android {
      #expect(decoded == sample.value)
    } else {
      #expect(decoded.isEqualInDart(to: sample.value))
    }
    guard profile != .dartWeb else { return }
    let encoded = try codec.encode(sample.value)
    #expect(encoded == bytes, "\(encoded?.wireText ?? "nil")")
  }

  @Test("aligned in every phase of the message", arguments: 0..<9)
  func phases(_ phase: Int) throws {
    let name = String(repeating: "n", count: phase)
    let codec = StandardMethodCodec(extensions: SampleExtensions.types)
    let point = Value.custom(129, [1.5, -2.5])
    let call = MethodCall(Value.Text(name), .custom(131, [true, [point, .custom(255, point)]]))
    let bytes = try codec.encodeMethodCall(call)
    #expect(try codec.decodeMethodCall(bytes) == call)
    var reference = ReferenceWriter()
    reference.write(.leaf(.string(Value.Text(name))))
    var expected = reference.bytes + wire("83 01 0c 02")
    for head in ["81", "ff 81"] {
      expected += wire(head)
      while expected.count % 8 != 0 { expected.append(0) }
      expected += wire("000000000000f83f 00000000000004c0")
    }
    #expect(bytes == expected, "\(bytes.wireText)")
  }

  @Test("a reader's errors say where", arguments: Profile.allCases)
  func readErrors(_ profile: Profile) throws {
    let codec = Self.codec(profile)
    func error(_ hex: String) -> CodecError? {
      codecError { () throws(CodecError) in try codec.decode(wire(hex)) }
    }
    let short = try #require(error("0c 02 00 80 010203"))
    #expect(short.code == .truncated)
    #expect(short.offset == 4)
    #expect(short.path.description == "[1]<128>")
    #expect(short.expected == "8 bytes from byte 4")
    let padded = try #require(error("0c 02 00 81 0000"))
    #expect(padded.code == .truncated && padded.offset == 4)
    let past = try #require(error("0c 01 86 010203"))
    #expect(past.code == .truncated)
    #expect(past.path.description == "[0]<134>")
    #expect(past.offset == 3)
    let blob = try #require(error("82 ff ffffffff 00"))
    #expect(blob.code == .truncated && blob.offset == 6)
    if profile != .windows && profile != .ios {
      let nested = try #require(error("0c 02 00 83 00 0d 01 07 01 6b 7f"))
      #expect(nested.code == .unknownType)
      #expect(nested.offset == 10)
      #expect(nested.path.description == "[1]<131>[\"k\"]")
    }
  }

  @Test("what a reader throws is given the place of its type byte")
  func thrownErrors() throws {
    let error = try #require(
      codecError { () throws(CodecError) in try Self.codec().decode(wire("0c 02 00 85")) })
    #expect(error.code == .extensionFailed)
    #expect(error.expected == "something else")
    #expect(error.path.description == "[1]<133>")
    #expect(error.offset == 4)
  }

  @Test("a writer's errors say where")
  func writeErrors() throws {
    func error(_ value: Value) -> CodecError? {
      codecError { () throws(CodecError) in try Self.codec().encode(value) }
    }
    let refused = try #require(error(["k": [1, .custom(133, 5)]]))
    #expect(refused.code == .extensionFailed)
    #expect(refused.path.description == "[\"k\"][1]")
    #expect(refused.found == "5")
    let raw = Value.string(Value.Text(bytes: [0xff]))
    let nested = try #require(error([.custom(131, [1, [raw]])]))
    #expect(nested.code == .invalidUTF8)
    #expect(nested.path.description.hasPrefix("[0]"))
    let unknown = try #require(error([.custom(255, .custom(254, 1))]))
    #expect(unknown.code == .unsupportedValue)
    #expect(unknown.path.description == "[0]<255>")
    let afterwards = try #require(error([.custom(131, ["a", "b"]), raw]))
    #expect(afterwards.path.description == "[1]")
  }

  @Test("a writer is asked once where all goes well")
  func askedOnce() throws {
    final class Count: @unchecked Sendable { var asked = 0 }
    let count = Count()
    var types = ExtensionTypes()
    types[200] = .custom(
      read: { (reader) throws(CodecError) in .integer(Int64(try reader.uint8())) },
      write: { (_, writer) throws(CodecError) in
        count.asked += 1
        writer.put(UInt8(count.asked))
      })
    let codec = StandardMessageCodec(extensions: types)
    #expect(try codec.encode([.custom(200, 0), .custom(200, 0)]) == wire("0c 02 c8 01 c8 02"))
  }

  private static func nested(_ depth: Int) -> [UInt8] { [UInt8].repeating("83 00", depth) + [0] }

  private static let deepCodec = StandardMessageCodec(
    extensions: SampleExtensions.types, maximumDepth: 100_000)

  @Test("readers may nest 200 deep")
  func nestedReaders() throws {
    let value = try #require(try Self.deepCodec.decode(Self.nested(10)))
    #expect(try Self.deepCodec.encode(value) == Self.nested(10))
    let shallow = StandardMessageCodec(extensions: SampleExtensions.types, maximumDepth: 3)
    #expect(throws: Never.self) { try shallow.decode(Self.nested(3)) }
    let error = codecError { () throws(CodecError) in try shallow.decode(Self.nested(4)) }
    #expect(error?.code == .depthExceeded && error?.offset == 6)
  }

  @Test("32 nested readers fit a small stack, and one more is refused")
  func nestedReadersOnSmallStack() async {
    await #expect(processExitsWith: .success) {
      try await onSmallStack {
        let value = try #require(try Self.deepCodec.decode(Self.nested(32)))
        #expect(try Self.deepCodec.encode(value) == Self.nested(32))
        let error = codecError { () throws(CodecError) in
          try Self.deepCodec.decode(Self.nested(33))
        }
        #expect(error?.code == .depthExceeded && error?.offset == 64)
      }
    }
  }

  @Test("writers that nest without end are refused, not run into the ground")
  func nestedWritersOnSmallStack() async {
    await #expect(processExitsWith: .success) {
      try await onSmallStack {
        var builder = ValueBuilder()
        for _ in 0..<20_000 {
          builder.beginCustom(SampleExtensions.pair)
          builder.beginList()
        }
        for _ in 0..<20_000 {
          builder.end()
          builder.end()
        }
        let value = builder.finish()
        #expect(throws: CodecError.self) { try Self.deepCodec.encode(value) }
      }
    }
  }

  @Test("lists around readers count with those inside")
  func depthAcrossReaders() {
    let codec = StandardMessageCodec(extensions: SampleExtensions.types, maximumDepth: 4)
    // list, pair, list, list: four levels; then five.
    #expect(throws: Never.self) { try codec.decode(wire("0c 01 83 00 0c 01 0c 00")) }
    let error = codecError { () throws(CodecError) in
      try codec.decode(wire("0c 01 83 00 0c 01 0c 01 0c 00"))
    }
    #expect(error?.code == .depthExceeded && error?.offset == 8)
  }

  @Test("registering, replacing and removing")
  func registry() throws {
    var types = ExtensionTypes()
    #expect(types[200] == nil)
    for type in UInt8(15)...255 { types[type] = .oneValue }
    for type in UInt8(15)...255 { #expect(types[type] != nil) }
    types[200] = nil
    #expect(types[200] == nil && types[199] != nil && types[201] != nil)
    types[201] = SampleExtensions.types[128]
    let codec = StandardMessageCodec(extensions: types)
    #expect(try codec.decode(wire("c9 0100000000000000")) == .custom(201, .int64(1)))
    types[201] = .oneValue
    #expect(try StandardMessageCodec(extensions: types).decode(wire("c9 01")) == .custom(201, true))
    #expect(throws: CodecError.self) { try codec.decode(wire("c8 01")) }
  }
}
