import ChannelCodec

/// Finds the seconds in the map of a call's arguments in one walk, without making a value of each key
/// and value: every update comes through here.
struct ElapsedSecondsReader: ValueVisitor {
  typealias Failure = Never

  enum Found {
    case integer(Int64)
    case float(Double)
    case other
  }

  /// What belongs to the first key of the name: iOS keeps the first of a repeated key
  /// (CFDictionaryAddValue).
  private(set) var found: Found?
  /// A key is no string.
  private(set) var hasOtherKey = false

  private enum Place {
    /// Of the map itself.
    case start
    case key
    case value
  }

  private var place = Place.start
  private var isWanted = false
  /// Values still to come that are inside of a key or value.
  private var inside = 0

  /// - Parameter contents: how many values follow that are part of this one.
  private mutating func take(_ candidate: Found, contents: Int = 0) {
    if inside > 0 {
      inside += contents - 1
      return
    }
    switch place {
    case .start:
      place = .key
      return
    case .key:
      hasOtherKey = true
      isWanted = false
      place = .value
    case .value:
      if isWanted, found == nil { found = candidate }
      place = .key
    }
    inside = contents
  }

  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
    guard inside == 0, place == .key else { return take(.other) }
    isWanted = found == nil && string.isExactly("elapsedSeconds")
    place = .value
  }

  mutating func visitNull() { take(.other) }
  mutating func visit(bool: Bool) { take(.integer(bool ? 1 : 0)) }
  mutating func visit(int32: Int32) { take(.integer(Int64(int32))) }
  mutating func visit(int64: Int64) { take(.integer(int64)) }
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) { take(.other) }
  mutating func visit(float64Bits: UInt64) { take(.float(Double(bitPattern: float64Bits))) }
  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) { take(.other) }
  mutating func visit(listCount: Int) { take(.other, contents: listCount) }
  mutating func visit(mapCount: Int) { take(.other, contents: mapCount * 2) }
  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    take(.other)
    return false
  }
}
