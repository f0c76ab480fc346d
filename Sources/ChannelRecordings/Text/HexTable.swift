/// Hexadecimal text by table, both ways.
struct HexTable {
  private static let notADigit: UInt8 = 0xff

  /// The value of each character; 0xff for what is no digit.
  private let values: [UInt8] = {
    var values = [UInt8](repeating: notADigit, count: 256)
    for (value, character) in "0123456789abcdef".utf8.enumerated() {
      values[Int(character)] = UInt8(value)
      if value > 9 { values[Int(character & ~0x20)] = UInt8(value) }
    }
    return values
  }()

  /// The two characters of each byte, the first in the low half.
  private let pairs: [UInt16] = {
    let characters = Array("0123456789abcdef".utf8)
    return (0..<256).map { byte in
      UInt16(characters[byte >> 4]) | UInt16(characters[byte & 0xf]) << 8
    }
  }()

  /// The bytes that `text` spells; nil when a character is no digit. The count must be even.
  func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    let size = text.count / 2
    var isGood = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      count = size
      values.withUnsafeBufferPointer { values in
        var faults: UInt8 = 0
        for index in 0..<size {
          let high = values[Int(text[index &* 2])]
          let low = values[Int(text[index &* 2 &+ 1])]
          faults |= high | low
          memory[index] = high &<< 4 | low
        }
        isGood = faults & 0xf0 == 0
      }
    }
    return isGood ? bytes : nil
  }

  /// Where the first character is that is no digit.
  func firstFault(in text: UnsafeRawBufferPointer) -> Int? {
    text.firstIndex { values[Int($0)] == Self.notADigit }
  }

  /// Adds two lower-case digits for each byte.
  func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      pairs.withUnsafeBufferPointer { pairs in
        let digits = [UInt8](unsafeUninitializedCapacity: bytes.count * 2) { memory, count in
          let start = UnsafeMutableRawPointer(memory.baseAddress ?? .allocate(capacity: 0))
          for index in 0..<bytes.count {
            start.storeBytes(
              of: pairs[Int(bytes[index])].littleEndian, toByteOffset: index &* 2, as: UInt16.self)
          }
          count = bytes.count * 2
        }
        text += digits
      }
    }
  }
}
