import Testing

@testable import ChannelCodec

@Suite("UTF-8")
struct UTF8CheckTests {
  private static func firstError(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { UTF8Check.firstError(in: $0) }
  }

  /// The start of the first ill-formed sequence, from Swift's own judgement of prefixes: the
  /// longest one that is UTF-8 and starts a text whose next character is not.
  private static func reference(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var start = 0
    while start < bytes.count {
      let length = (1...4).first { count in
        start + count <= bytes.count
          && String(validating: bytes[start..<start + count], as: UTF8.self)?.unicodeScalars.count
            == 1
      }
      guard let length else { return start }
      start += length
    }
    return nil
  }

  @Test("all one- and two-byte sequences")
  func short() {
    #expect(Self.firstError([]) == nil)
    for first in UInt8.min...255 {
      #expect(Self.firstError([first]) == Self.reference([first]))
      for second in UInt8.min...255 {
        let bytes = [first, second]
        if Self.firstError(bytes) != Self.reference(bytes) {
          Issue.record("\(bytes.wireText): \(String(describing: Self.firstError(bytes)))")
        }
      }
    }
  }

  @Test("all three-byte sequences are judged as by Swift")
  func threeBytes() {
    var bytes: [UInt8] = [0, 0, 0]
    var accepted = 0
    // Behind ASCII the answer follows from the two-byte sequences.
    for first in UInt8(0x80)...255 {
      bytes[0] = first
      for second in UInt8.min...255 {
        bytes[1] = second
        for third in UInt8.min...255 {
          bytes[2] = third
          let isValid = UTF8Check.withTable { table in
            bytes.withUnsafeBufferPointer { table.isValid($0.baseAddress!, count: 3) }
          }
          if isValid != (String(validating: bytes, as: UTF8.self) != nil) {
            Issue.record("\(bytes.wireText): \(isValid)")
            return
          }
          if isValid { accepted += 1 }
        }
      }
    }
    // Three-byte characters, and a two-byte one before ASCII.
    #expect(accepted == (0x800..<0x1_0000).count - (0xd800..<0xe000).count + 30 * 64 * 128)
  }

  @Test("sampled sequences in every place of a word, with the offset of the fault")
  func sampled() {
    var random = TestRandom(stream: 2)
    let leads: [UInt8] = [0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5]
    let others: [UInt8] = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xff, 0x41]
    for _ in 0..<60_000 {
      var bytes = [UInt8](repeating: 0x61, count: random.below(12))
      for _ in 0..<1 + random.below(4) {
        if random.below(3) == 0 {
          let scalar = Unicode.Scalar(UInt32(random.below(0x11_0000))) ?? "é"
          bytes += Array(String(scalar).utf8)
        } else {
          bytes.append(leads[random.below(leads.count)])
          for _ in 0..<random.below(4) { bytes.append(others[random.below(others.count)]) }
        }
      }
      bytes += [UInt8](repeating: 0x62, count: random.below(10))
      let found = Self.firstError(bytes)
      if found != Self.reference(bytes) {
        Issue.record("\(bytes.wireText): \(String(describing: found))")
        return
      }
      #expect(Value.Text(bytes: bytes).isValidUTF8 == (found == nil))
    }
  }

  @Test("every character passes, and its length is known")
  func characters() {
    for code in UInt32(0)...0x10_ffff {
      guard let scalar = Unicode.Scalar(code) else { continue }
      guard let encoded = UTF8.encode(scalar) else { continue }
      let bytes = Array(encoded)
      let length = bytes.withUnsafeBytes { UTF8Check.sequenceLength(in: $0, at: 0) }
      if length != bytes.count || Self.firstError(bytes) != nil {
        Issue.record("U+\(String(code, radix: 16)): \(String(describing: length))")
        return
      }
    }
  }

  @Test(
    "the decoder names the first byte of the broken sequence",
    arguments: [
      ("61 62 c3 28", 4), ("61 e2 98", 3), ("f0 9f 94", 2), ("c3 a9 ed a0 80", 4),
      ("f4 90 80 80", 2),
      ("61 61 61 61 61 61 61 61 80", 10), ("61 61 61 61 61 61 61 e9 8d", 9), ("c0 80", 2),
    ])
  func decoder(_ hex: String, _ offset: Int) {
    let bytes = wire(hex)
    let error = codecError { () throws(CodecError) in
      try StandardMessageCodec().decode([7, UInt8(bytes.count)] + bytes)
    }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == offset)
    let plain = codecError { () throws(CodecError) in try StringCodec().decode(bytes) }
    #expect(plain?.offset == offset - 2)
  }
}
