import ChannelCodec

extension Value {
  /// The one value that stands for all keys that are the same in a Dart map: `1` and `1.0` are,
  /// and so are `0.0` and `-0.0`.
  var dartKey: Value {
    switch self {
    case .int32(let number): .int64(Int64(number))
    case .float64(let number): Int64(exactly: number).map { .int64($0) } ?? self
    case .largeInteger(let number): .string(number.text)
    default: self
    }
  }
}
