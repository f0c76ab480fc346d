/// The size field before strings, lists and maps: one byte up to 253, `fe` and two bytes up to
/// 65,535, `ff` and four bytes above. It counts bytes, elements or pairs, and is never aligned
/// (`writeSize` in `packages/flutter/lib/src/services/message_codecs.dart`, whose comment is off by
/// one and whose code is not).
@usableFromInline
enum WireSize {
  @usableFromInline static let largestShort = 253
  @usableFromInline static let twoByteMark: UInt8 = 254
  @usableFromInline static let fourByteMark: UInt8 = 255

  /// Bytes that the shortest form of `size` takes.
  @inlinable
  static func length(of size: Int) -> Int {
    size <= largestShort ? 1 : size <= 0xffff ? 3 : 5
  }

  /// Bytes that a size field takes, told by its first one.
  @inlinable
  static func length(first: UInt8) -> Int {
    first < twoByteMark ? 1 : first == twoByteMark ? 3 : 5
  }

  /// Reads a size field that is known to be whole.
  @inlinable
  static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (value: Int, end: Int) {
    let first = bytes[offset]
    if first < twoByteMark { return (Int(first), offset + 1) }
    if first == twoByteMark {
      return (Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt16.self)), offset + 3)
    }
    return (Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self)), offset + 5)
  }
}
