import ChannelCodec
import Testing

@Suite("Pigeon messages")
struct PigeonTests {
  static let sampleTable: [(value: Value, hex: String)] = [
    // An enum, as Dart writes its index, and as GObject does.
    (.custom(129, .int64(2)), "81 04 0200000000000000"),
    (.custom(129, .int32(2)), "81 03 02000000"),
    // A class: its fields in order, one of them another class.
    (
      .custom(131, ["name", .int64(5), nil, .custom(132, [true])]),
      "83 0c 04 07 04 6e616d65 04 0500000000000000 00 84 0c 01 01"
    ),
    // An instance of a ProxyApi.
    (.custom(128, .int64(7)), "80 04 0700000000000000"),
    // The overflow form: key - 255, then what the type would have been followed by.
    (
      .custom(255, [.int64(0), [1.5]]),
      "ff 0c 02 04 0000000000000000 0c 01 06 00 000000000000f83f"
    ),
    (.custom(255, [.int64(1), .int64(3)]), "ff 0c 02 04 0100000000000000 04 0300000000000000"),
  ]

  @Test(
    "read and written as sent", arguments: sampleTable, [Profile.strict, .ios, .android, .windows])
  func samples(_ sample: (value: Value, hex: String), _ profile: Profile) throws {
    let codec = StandardMessageCodec(profile: profile, extensions: .pigeon)
    let bytes = wire("0c 01") + wire(sample.hex)
    // The list around moves what is aligned.
    let reference = try #require(
      try StandardMessageCodec(extensions: .pigeon).encode([sample.value]))
    #expect(try codec.decode(reference) == [sample.value])
    #expect(try codec.encode([sample.value]) == reference)
    if !sample.hex.contains("06 00") { #expect(reference == bytes) }
    #expect(try codec.encode(sample.value) == wire(sample.hex))
    #expect(try codec.decode(wire(sample.hex)) == sample.value)
  }

  @Test("without Pigeon's types they are unknown", arguments: UInt8(128)...255)
  func unknown(_ type: UInt8) {
    let error = codecError { () throws(CodecError) in
      try StandardMessageCodec().decode([12, 1, type, 0])
    }
    #expect(error?.code == .unknownType && error?.offset == 2)
    #expect(ExtensionTypes.pigeon[type] != nil)
  }
}
