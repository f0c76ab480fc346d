/// The type bytes of the standard message codec that every implementation shares
/// (`packages/flutter/lib/src/services/message_codecs.dart`). Note that true is 1 and false is 2,
/// and that Float32List came last, after the map.
@usableFromInline
enum WireType: UInt8, CaseIterable {
  case null = 0
  case `true` = 1
  case `false` = 2
  case int32 = 3
  case int64 = 4
  case largeInteger = 5
  case float64 = 6
  case string = 7
  case uint8List = 8
  case int32List = 9
  case int64List = 10
  case float64List = 11
  case list = 12
  case map = 13
  case float32List = 14
}

/// The element type of a typed list: its type byte and the width that its payload is aligned to.
public enum TypedListKind: UInt8, Sendable, CaseIterable {
  case uint8 = 8
  case int32 = 9
  case int64 = 10
  case float64 = 11
  case float32 = 14

  /// Bytes per element, which is also the alignment of the first one.
  @inlinable
  public var width: Int {
    switch self {
    case .uint8: 1
    case .int32, .float32: 4
    case .int64, .float64: 8
    }
  }

  /// Dart's name for the list.
  public var name: String {
    switch self {
    case .uint8: "Uint8List"
    case .int32: "Int32List"
    case .int64: "Int64List"
    case .float64: "Float64List"
    case .float32: "Float32List"
    }
  }
}
