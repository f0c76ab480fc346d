import ChannelCodec

/// What the guide's `arguments as? [String: Any]` and `info["elapsedSeconds"] as? Int ?? 0` make of
/// a call's arguments, where Flutter for iOS has turned numbers and bools into `NSNumber`.
struct ElapsedSeconds {
  static let key = "elapsedSeconds"

  var seconds: Int64
  /// Why the seconds are 0 although no zero was given.
  var fallback: Fallback?

  /// Kept as values: the sentence is only made when somebody is to read it.
  enum Fallback {
    case missing(Value.Map)
    case notANumber(Value)
    case notWhole(Double)
  }

  /// nil where the cast of the whole map fails: no map, or a key that is no string.
  init?(_ arguments: Value) {
    guard case .map(let map) = arguments else { return nil }
    var found: Value?
    for pair in map {
      guard case .string(let key) = pair.key else { return nil }
      // iOS keeps the first of a repeated key (CFDictionaryAddValue).
      if found == nil, key.isExactly("elapsedSeconds") { found = pair.value }
    }
    (seconds, fallback) = (0, nil)
    switch found {
    case .int32(let number): seconds = Int64(number)
    case .int64(let number): seconds = number
    case .bool(let bool): seconds = bool ? 1 : 0
    case .float64(let number):
      if let whole = Int64(exactly: number) {
        seconds = whole
      } else {
        fallback = .notWhole(number)
      }
    case .some(let other): fallback = .notANumber(other)
    case nil: fallback = .missing(map)
    }
  }

  /// The guide's `ContentState(elapsedTime:)`: `["elapsedTime": seconds]`, made from its bytes
  /// because every update needs one.
  static func contentState(_ seconds: Int64) -> Value {
    var message = stateHead
    message.reserveCapacity(stateHead.count + 9)
    if let narrow = Int32(exactly: seconds) {
      message.append(3)
      withUnsafeBytes(of: narrow.littleEndian) { message.append(contentsOf: $0) }
    } else {
      message.append(4)
      withUnsafeBytes(of: seconds.littleEndian) { message.append(contentsOf: $0) }
    }
    // Well-formed by the lines above.
    return (try? StandardMessageCodec().decode(message)) ?? ["elapsedTime": .integer(seconds)]
  }

  /// A map of one pair, up to the type of its value.
  private static let stateHead: [UInt8] = [13, 1, 7, 11] + Array("elapsedTime".utf8)
}

extension Value.Text {
  /// Whether these are the bytes of `literal`.
  func isExactly(_ literal: StaticString) -> Bool {
    withUTF8 { bytes in
      guard bytes.count == literal.utf8CodeUnitCount else { return false }
      for position in 0..<bytes.count
      where bytes[position] != literal.utf8Start[position] { return false }
      return true
    }
  }
}

extension ElapsedSeconds.Fallback: CustomStringConvertible {
  var description: String {
    let key = ElapsedSeconds.key
    switch self {
    case .missing(let map):
      let names = map.compactMap { $0.key.string }
      if let near = NearMiss.nearest(to: key, among: names) {
        return "there is no \(key), but \(NearMiss.quoted(near)); 0 is taken"
      }
      return "there is no \(key); 0 is taken"
    case .notWhole(let number):
      let why = number.isFinite && number == number.rounded() ? "fits no Int" : "is no whole number"
      return "\(key) is \(number), which \(why); 0 is taken"
    case .notANumber(let value): return "\(key) is \(value.kindName), no number; 0 is taken"
    }
  }
}
