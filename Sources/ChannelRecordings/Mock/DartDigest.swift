import ChannelCodec

/// A hash that is the same for all values that ``Value/isEqualInDart(to:)`` takes for equal:
/// integers without their width, maps without their order, repeated keys by their last value.
enum DartDigest {
  static func of(_ value: Value) -> Int {
    var hasher = Hasher()
    combine(value, into: &hasher)
    return hasher.finalize()
  }

  private static func combine(_ value: Value, into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .int32(let number): combine(Double(number), into: &hasher)
    case .int64(let number): combine(Double(number), into: &hasher)
    case .float64(let number): combine(number, into: &hasher)
    case .largeInteger(let number): combine(number.text, into: &hasher)
    case .string(let text): combine(text, into: &hasher)
    case .uint8List(let list): combine(list, into: &hasher)
    case .int32List(let list): combine(list, into: &hasher)
    case .int64List(let list): combine(list, into: &hasher)
    // Their zeroes and NaNs have several forms.
    case .float32List(let list): hasher.combine(list.count)
    case .float64List(let list): hasher.combine(list.count)
    case .list(let list):
      hasher.combine(list.count)
      for element in list { combine(element, into: &hasher) }
    case .map(let map): hasher.combine(digest(of: map))
    case .custom(let custom):
      hasher.combine(custom.type)
      combine(custom.payload, into: &hasher)
    }
  }

  private static func combine(_ text: Value.Text, into hasher: inout Hasher) {
    guard text.isValidUTF8 else { return hasher.combine(1) }
    text.withUTF8 { bytes in
      let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasMark ? 3 : 0)))
    }
  }

  /// An integral double is the same key as the integer, so the two share a hash.
  private static func combine(_ number: Double, into hasher: inout Hasher) {
    if number.isNaN { return hasher.combine(2) }
    hasher.combine(number == 0 ? 0 : number)
  }

  private static func combine<Element>(
    _ list: Value.TypedList<Element>, into hasher: inout Hasher
  ) {
    list.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  private static func digest(of map: Value.Map) -> Int {
    var values: [Int: Int] = [:]
    for (key, value) in map {
      switch key {
      // Dart tells these apart by identity: they are never one key.
      case .list, .map, .uint8List, .int32List, .int64List, .float32List, .float64List, .custom:
        values[of(key), default: 0] &+= of(value)
      default: values[of(key)] = of(value)
      }
    }
    return values.reduce(0) { sum, pair in
      var hasher = Hasher()
      hasher.combine(pair.key)
      hasher.combine(pair.value)
      return sum &+ hasher.finalize()
    }
  }
}
