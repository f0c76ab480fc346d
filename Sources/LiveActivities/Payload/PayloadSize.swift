import ChannelCodec

/// How many bytes a value takes as compact JSON, without writing the JSON where a bound will do.
struct PayloadSize {
  /// At least what the text takes; nil where JSON may be unable to say the value.
  var bound: Int?
  /// Equal values have equal fingerprints; different ones nearly always differ.
  var fingerprint: UInt64

  /// No initializer, which would take a reference of its own to the value.
  static func of(_ value: Value) -> PayloadSize {
    var measure = PayloadMeasure()
    value.visit(with: &measure)
    return PayloadSize(
      bound: measure.isPlain ? measure.bound : nil, fingerprint: measure.fingerprint)
  }

  /// The bytes of the text itself. `part` names the value in the error.
  static func exact(_ value: Value, _ part: String) throws(ActivityRefusal) -> Int {
    do throws(CodecError) {
      return try JSONMessageCodec().encode(value)?.count ?? 0
    } catch {
      let place = error.path.isRoot ? part : "\(part) at \(error.path)"
      throw ActivityRefusal(
        .notEncodable,
        "The \(place) cannot be written as JSON: expected \(error.expected), found "
          + "\(error.found). Send only what JSON has: null, bools, finite numbers, text, lists, "
          + "and maps with text keys.")
    }
  }
}

/// Adds up an upper bound and a fingerprint in one walk over a value.
private struct PayloadMeasure: ValueVisitor {
  typealias Failure = Never

  private struct Container {
    var isMap: Bool
    var remaining: Int
  }

  private(set) var bound = 0
  private(set) var fingerprint: UInt64 = 0x9e37_79b9_7f4a_7c15
  /// No value so far that JSON may be unable to say.
  private(set) var isPlain = true
  private var container: Container?
  /// Those around `container`; flat maps never fill it.
  private var outer: [Container] = []

  private mutating func mix(_ word: UInt64) {
    let product = (fingerprint ^ word).multipliedFullWidth(by: 0xbf58_476d_1ce4_e5b9)
    fingerprint = product.low ^ product.high &+ 0x94d0_49bb_1331_11eb
  }

  /// Counts a value that is not a container.
  private mutating func leaf(_ size: Int, isText: Bool = false) {
    bound &+= size &+ 1
    step(isText: isText)
  }

  private mutating func step(isText: Bool) {
    guard let current = container else { return }
    if current.isMap, current.remaining.isMultiple(of: 2), !isText { isPlain = false }
    container?.remaining &-= 1
  }

  private mutating func begin(isMap: Bool, values: Int) {
    bound &+= 3
    leave()
    step(isText: false)
    if let current = container { outer.append(current) }
    container = Container(isMap: isMap, remaining: values)
  }

  /// Containers whose values have all come are over.
  private mutating func leave() {
    while let current = container, current.remaining == 0 { container = outer.popLast() }
  }

  mutating func visitNull() {
    leave()
    mix(1)
    leaf(4)
  }

  mutating func visit(bool: Bool) {
    leave()
    mix(bool ? 2 : 3)
    leaf(5)
  }

  mutating func visit(int32: Int32) { visit(int64: Int64(int32)) }

  mutating func visit(int64: Int64) {
    leave()
    mix(4)
    mix(UInt64(bitPattern: int64))
    leaf(-9999...99999 ~= int64 ? 5 : 20)
  }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) { odd(5, text) }

  mutating func visit(float64Bits: UInt64) {
    leave()
    mix(6)
    mix(float64Bits)
    if !Double(bitPattern: float64Bits).isFinite { isPlain = false }
    leaf(26)
  }

  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
    leave()
    if !isValidUTF8 { isPlain = false }
    mix(7 &+ UInt64(truncatingIfNeeded: string.count) << 8)
    var position = 0
    var escapes = 0
    while position &+ 8 <= string.count {
      let word = string.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      mix(word)
      if word.mayNeedEscapes { escapes &+= 40 }
      position &+= 8
    }
    var last: UInt64 = 0
    while position < string.count {
      last = last << 8 | UInt64(string[position])
      position &+= 1
      escapes &+= 5
    }
    mix(last)
    leaf(string.count &+ escapes &+ 2, isText: true)
  }

  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
    odd(8, typedList)
  }

  private mutating func odd(_ tag: UInt64, _ bytes: UnsafeRawBufferPointer) {
    leave()
    isPlain = false
    mix(tag &+ UInt64(truncatingIfNeeded: bytes.count) << 8)
    for byte in bytes { mix(UInt64(byte)) }
    leaf(0)
  }

  mutating func visit(listCount: Int) {
    begin(isMap: false, values: listCount)
    mix(12 &+ UInt64(truncatingIfNeeded: listCount) << 8)
  }

  mutating func visit(mapCount: Int) {
    begin(isMap: true, values: mapCount &* 2)
    mix(13 &+ UInt64(truncatingIfNeeded: mapCount) << 8)
  }

  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    odd(UInt64(customType), UnsafeRawBufferPointer(start: nil, count: 0))
    return false
  }
}

extension UInt64 {
  /// One of the eight bytes is a control character, quote or backslash: the usual tests for a byte
  /// below 0x20 or equal to another, in all lanes at once. May be true without need.
  fileprivate var mayNeedEscapes: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ ones &* 0x22
    let backslashes = self ^ ones &* 0x5c
    let found =
      (self &- ones &* 0x20) & ~self | (quotes &- ones) & ~quotes
      | (backslashes &- ones) & ~backslashes
    return found & ones &* 0x80 != 0
  }
}
