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
  /// By value all through, as a reader of the Dart program's output would compare.
  case dartView

  /// Two lists, or two maps, are never the same key.
  var comparesContainersByIdentity: Bool { self == .dart }
}
