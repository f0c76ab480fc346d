/// One value as Flutter's standard message codec can carry it, with nothing lost: integer widths,
/// the exact bits of a double, pair order and repeated keys of a map, and strings that are not
/// valid UTF-8.
///
/// Containers are views: a `Value.List` or `Value.Map` is a position in an indexed message, and its
/// elements are read when asked for. Copying a value never copies what it contains.
///
/// The type bytes follow `packages/flutter/lib/src/services/message_codecs.dart`.
public enum Value: Sendable {
  /// Type 0.
  case null
  /// Types 1 (true) and 2 (false).
  case bool(Bool)
  /// Type 3, four bytes.
  case int32(Int32)
  /// Type 4, eight bytes, also where the number would fit 32 bits.
  case int64(Int64)
  /// Type 5, an integer as hexadecimal text.
  case largeInteger(LargeInteger)
  /// Type 6, aligned to 8 bytes.
  case float64(Double)
  /// Type 7.
  case string(Text)
  /// Type 8.
  case uint8List(TypedList<UInt8>)
  /// Type 9, aligned to 4 bytes.
  case int32List(TypedList<Int32>)
  /// Type 10, aligned to 8 bytes.
  case int64List(TypedList<Int64>)
  /// Type 14, aligned to 4 bytes.
  case float32List(TypedList<Float>)
  /// Type 11, aligned to 8 bytes.
  case float64List(TypedList<Double>)
  /// Type 12.
  case list(List)
  /// Type 13: pairs in the order of the message, repeated keys included.
  case map(Map)
  /// Types 15 to 255: what a registered ``ExtensionType`` has read, with its type byte.
  case custom(Custom)
}

extension Value {
  /// An extension value made here rather than read, for example a Pigeon enum: `.custom(129, 2)`.
  public static func custom(_ type: UInt8, _ payload: Value) -> Value {
    .custom(Custom(type: type, payload: payload))
  }

  /// The narrowest integer that holds `number`, as Dart and the Linux embedder write it.
  public static func integer(_ number: Int64) -> Value {
    if let narrow = Int32(exactly: number) { return .int32(narrow) }
    return .int64(number)
  }
}

// MARK: - Literals

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .float64(value) }
  public init(stringLiteral value: String) { self = .string(Text(value)) }
  public init(arrayLiteral elements: Value...) { self = .list(List(elements)) }
  public init(dictionaryLiteral pairs: (Value, Value)...) {
    self = .map(Map(pairs.lazy.map { (key: $0.0, value: $0.1) }))
  }
}
