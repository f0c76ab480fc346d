/// When a platform's map takes two keys for one.
enum KeyEquality: Sendable {
  /// Never: all pairs are kept.
  case exact
  /// Dart's `==`: 1 equals 1.0 and 0.0 equals -0.0, NaN equals nothing, lists and maps only
  /// themselves.
  case dart
  /// Java's `equals`: Integer, Long and Double differ, NaN equals NaN, 0.0 differs from -0.0,
  /// lists and maps compare by value, arrays only with themselves.
  case java
  /// `std::variant` ordering: type first, then value; a NaN is neither less nor greater than any
  /// double.
  case variant
  /// `fl_value_equal`: one integer type, 0.0 equals -0.0, NaN equals nothing, deep.
  case gObject
  /// `-[NSNumber isEqual:]`: 1 equals 1.0; deep.
  case nsNumber
}

/// Two values as Dart's code could tell them apart.
extension Value {
  /// Whether a Dart program that decodes both would see the same: integers by value whatever their
  /// width, type 5 as a string, a leading byte order mark dropped, maps without regard to order and
  /// with repeated keys merged, `0.0 == -0.0`, NaN like NaN. An int and a double differ, since a
  /// cast tells them apart.
  public func isEqualInDart(to other: Value) -> Bool {
    KeySignature.dartView(of: self) == KeySignature.dartView(of: other)
  }
}
