/// Which kinds of numbers were seen at which paths, for a bounded number of paths.
struct NumberWidths {
  enum Kind: UInt8 {
    case int32 = 1
    case int64 = 2
    case double = 4
  }

  /// What is new about a number.
  enum News {
    case none
    /// An int of another width than before.
    case width
    /// An int where doubles were before, or the other way round.
    case kind
  }

  static let limit = 65_536
  private var seen: [UInt64: UInt8] = [:]

  mutating func add(_ kind: Kind, at path: UInt64) -> News {
    guard let known = seen[path] else {
      if seen.count < Self.limit { seen[path] = kind.rawValue }
      return .none
    }
    if known & kind.rawValue != 0 { return .none }
    seen[path] = known | kind.rawValue
    if kind == .double || known == Kind.double.rawValue { return .kind }
    return known & 3 != 0 ? .width : .none
  }
}
