// Reading a value without a switch: `call.arguments["content"]?["elapsedSeconds"]?.integer`.

extension Value {
  /// The value of this key in a map (the last, if the key repeats); nil elsewhere. Keys compare by
  /// bytes.
  public subscript(key: String) -> Value? {
    guard case .map(let map) = self else { return nil }
    return map[key]
  }

  /// The element with this number of a list, or the value of this integer key in a map, whatever
  /// its width; nil elsewhere.
  public subscript(number: Int) -> Value? {
    switch self {
    case .list(let list): return list[number]
    case .map(let map):
      var found: Value?
      for pair in map where pair.key.integer == Int64(number) { found = pair.value }
      return found
    default: return nil
    }
  }

  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  public var isMap: Bool {
    if case .map = self { return true }
    return false
  }

  public var bool: Bool? {
    if case .bool(let bool) = self { return bool }
    return nil
  }

  /// The number of an int32 or int64.
  public var integer: Int64? {
    switch self {
    case .int32(let number): Int64(number)
    case .int64(let number): number
    default: nil
    }
  }

  /// The number of a float64.
  public var double: Double? {
    if case .float64(let number) = self { return number }
    return nil
  }

  /// The text of a string that is UTF-8.
  public var string: String? {
    if case .string(let text) = self { return text.string }
    return nil
  }

  /// The text of a string, whatever its bytes.
  public var text: Text? {
    if case .string(let text) = self { return text }
    return nil
  }

  public var list: List? {
    if case .list(let list) = self { return list }
    return nil
  }

  public var map: Map? {
    if case .map(let map) = self { return map }
    return nil
  }
}
