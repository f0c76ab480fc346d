import ChannelCodec

/// One message of the benchmark and the codec that reads it.
struct BenchPayload {
  enum Kind {
    case message, call, envelope
  }

  let name: String
  let kind: Kind
  let bytes: [UInt8]

  /// Files of the payload folder, in the order of the table.
  static let files: [(name: String, kind: Kind)] = [
    ("a_call_start", .call),
    ("b_call_default", .call),
    ("c_contacts", .message),
    ("f_ints_100000", .message),
    ("g_strings_20000", .message),
    ("h_success_null", .envelope),
    ("h_error", .envelope),
    ("i_nested_64", .message),
  ]

  /// A Uint8List of 1 MiB and a Float64List of 131,072, filled by a xorshift64 that other programs
  /// can repeat (shifts 13, 7, 17).
  static func generated() -> [BenchPayload] {
    var bytes: [UInt8] = [8, 0xff, 0, 0, 0x10, 0]
    var state: UInt64 = 0x0123_4567_89ab_cdef
    func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    for _ in 0..<131_072 { withUnsafeBytes(of: next().littleEndian) { bytes += $0 } }
    var doubles: [UInt8] = [11, 0xff, 0, 0, 2, 0, 0, 0]
    state = 0xfedc_ba98_7654_3210
    for _ in 0..<131_072 {
      let number = Double(next() >> 11) * 0x1p-53
      withUnsafeBytes(of: number.bitPattern.littleEndian) { doubles += $0 }
    }
    return [
      BenchPayload(name: "d_uint8list_1mib", kind: .message, bytes: bytes),
      BenchPayload(name: "e_float64list_131072", kind: .message, bytes: doubles),
    ]
  }
}

/// Looks at every leaf once: the number, the first byte of a string, the last of a typed list.
struct LeafReader: ValueVisitor {
  var sum: UInt64 = 0

  mutating func visitNull() { sum &+= 1 }
  mutating func visit(bool: Bool) { sum &+= bool ? 2 : 3 }
  mutating func visit(int32: Int32) { sum &+= UInt64(truncatingIfNeeded: int32) }
  mutating func visit(int64: Int64) { sum &+= UInt64(truncatingIfNeeded: int64) }
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) { add(text.first) }
  mutating func visit(float64Bits: UInt64) { sum &+= float64Bits }
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) { add(string.first) }
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
    add(typedList.last)
  }
  mutating func visit(listCount: Int) { sum &+= UInt64(listCount) }
  mutating func visit(mapCount: Int) { sum &+= UInt64(mapCount) }
  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool { true }

  private mutating func add(_ byte: UInt8?) { sum &+= UInt64(byte ?? 0) }
}
