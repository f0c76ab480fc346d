/// What an extension type's reader takes its bytes from, as `ReadBuffer` and the codec's
/// `readValue` in `packages/flutter/lib/src/foundation/serialization.dart`. A read that fails moves
/// nothing and throws.
public struct StandardReader {
  var decoder: ProfileDecoder

  init(_ decoder: ProfileDecoder) { self.decoder = decoder }

  /// A reader of its own over a whole message, for a platform's API that reads element by element
  /// (FlutterStandardReader on iOS).
  public init(_ message: [UInt8], profile: Profile = .strict) {
    decoder = ProfileDecoder(
      message, profile: profile, extensions: .none,
      maximumDepth: StandardMessageCodec().maximumDepth)
  }

  /// Whether no byte is left.
  public var isAtEnd: Bool { decoder.isAtEnd }

  /// The value of a type without contents, 0 to 11 or 14, whose type byte has been read. Other types
  /// throw ``CodecError/Code/unknownType``.
  public mutating func leaf(ofType type: UInt8) throws(CodecError) -> Value {
    var attempt = decoder
    guard type != WireType.list.rawValue, type != WireType.map.rawValue else {
      throw decoder.error(
        .unknownType, at: max(0, position - 1), expected: "a type without contents",
        found: "0x\(Hexadecimal.byte(type))")
    }
    let value = try attempt.nestedLeaf(ofType: type)
    decoder = attempt
    return value
  }

  /// Bytes from byte 0 of the message.
  public var position: Int { decoder.position }

  /// The next standard or extension value.
  public mutating func value() throws(CodecError) -> Value {
    var attempt = decoder
    let value = try attempt.nestedValue()
    decoder = attempt
    return value
  }

  /// A size field: one, three or five bytes.
  public mutating func size() throws(CodecError) -> Int {
    var attempt = decoder
    let size = try attempt.takeSize()
    decoder = attempt
    return size
  }

  public mutating func bytes(_ count: Int) throws(CodecError) -> [UInt8] {
    Array(decoder.bytes[try decoder.take(count, alignedTo: 1)])
  }

  public mutating func uint8() throws(CodecError) -> UInt8 { try number(alignedTo: 1) }
  public mutating func uint16() throws(CodecError) -> UInt16 { try number(alignedTo: 1) }
  public mutating func uint32() throws(CodecError) -> UInt32 { try number(alignedTo: 1) }
  public mutating func int32() throws(CodecError) -> Int32 { try number(alignedTo: 1) }
  public mutating func int64() throws(CodecError) -> Int64 { try number(alignedTo: 1) }

  /// A double behind padding to a multiple of 8, as `getFloat64` reads it.
  public mutating func float64() throws(CodecError) -> Double {
    Double(bitPattern: try number(alignedTo: 8))
  }

  private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    alignedTo alignment: Int
  ) throws(CodecError) -> Number {
    let range = try decoder.take(MemoryLayout<Number>.size, alignedTo: alignment)
    return decoder.bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Number.self)
    }
  }
}

/// What an extension type's writer puts its bytes into, as `WriteBuffer` and the codec's
/// `writeValue`.
public struct StandardWriter {
  var encoder: StandardEncoder<ArraySink>

  init(encoder: StandardEncoder<ArraySink>) { self.encoder = encoder }

  /// A writer of its own, for a platform's API that writes element by element
  /// (FlutterStandardWriter on iOS).
  /// - Parameter position: how many bytes of the message stand before what it writes.
  public init(profile: Profile = .strict, position: Int = 0) {
    encoder = StandardEncoder(
      sink: ArraySink(origin: position), platform: profile == .strict ? nil : Platform.of(profile),
      extensions: .none)
  }

  /// What has been written here.
  public var bytes: [UInt8] { encoder.writer.sink.bytes }

  /// Bytes from byte 0 of the message.
  public var position: Int { encoder.writer.sink.position }

  /// A standard or extension value.
  public mutating func put(_ value: Value) throws(CodecError) { try value.visit(with: &encoder) }

  /// A size field in its shortest form; `size` is 0 to 2^32 - 1.
  public mutating func put(size: Int) {
    precondition(size >= 0 && size <= UInt32.max, "a size has 32 bits")
    encoder.writer.sink.putSize(size)
  }

  public mutating func put(bytes: some Sequence<UInt8>) {
    for byte in bytes { encoder.writer.sink.put(byte) }
  }

  /// A raw number, without a type byte and without padding.
  public mutating func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
    encoder.writer.sink.put(littleEndian: number)
  }

  /// A raw double behind padding to a multiple of 8, as `putFloat64` writes it.
  public mutating func put(_ number: Double) {
    encoder.writer.sink.align(to: 8)
    encoder.writer.sink.put(littleEndian: number.bitPattern)
  }
}
