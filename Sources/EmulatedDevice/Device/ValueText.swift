import ChannelCodec

extension Value {
  static func text(_ string: String) -> Value { .string(Text(string)) }

  /// What the value is, for messages that say what was found.
  var kindName: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    case .largeInteger: "an integer of more than 64 bits"
    case .float64(let number): "\(number)"
    case .string(let text): NearMiss.quoted(text.description)
    case .uint8List: "a Uint8List"
    case .int32List: "an Int32List"
    case .int64List: "an Int64List"
    case .float32List: "a Float32List"
    case .float64List: "a Float64List"
    case .list: "a list"
    case .map: "a map"
    case .custom(let custom): "a value of type \(custom.type)"
    }
  }
}

/// A map in the making, with its fields in the order in which they come.
struct MapBuilder {
  private var pairs: [(key: Value, value: Value)] = []

  mutating func add(_ name: String, _ value: Value) {
    pairs.append((.text(name), value))
  }

  mutating func add(_ name: String, _ text: String?) {
    add(name, text.map(Value.text) ?? .null)
  }

  mutating func add(_ name: String, _ number: Int) { add(name, .integer(Int64(number))) }
  mutating func add(_ name: String, _ bool: Bool) { add(name, .bool(bool)) }

  var value: Value { .map(Value.Map(pairs)) }
}
