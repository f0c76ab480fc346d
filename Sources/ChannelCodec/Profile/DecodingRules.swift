/// What a platform's decoder does where implementations differ. One value per profile stands in
/// `ProfileTable.swift`; ``ProfileDecoder`` asks and never names a platform.
struct DecodingRules: Sendable {
  /// What happens at input that strict refuses.
  enum Oddity: Sendable {
    /// An error; the text is the platform's own, nil for `strict`.
    case refuse(String?)
    case crash(String)
    case unspecified(String)
    /// Accepted; what takes the place of the missing value is said at the field.
    case accept
  }

  enum LargeIntegerReading: Sendable {
    /// A number, its text checked against `-?[0-9a-fA-F]+`.
    case checkedNumber
    /// A number as Java's BigInteger parses and prints it.
    case bigInteger(malformed: String)
    /// A string, whatever it holds.
    case string
    case unknownType
  }

  enum IllFormedUTF8: Sendable {
    case oddity(Oddity)
    /// One U+FFFD where the JDK puts one.
    case replaceAsJDK
    case keepBytes
  }

  enum RepeatedKeys: Sendable {
    case keepAll
    /// The first key's place and the first key itself, with the last value.
    case lastValue
    /// The first key's place, with the last key and value.
    case lastPair
    case firstPair
  }

  enum MapOrder: Sendable {
    case asWritten
    case sorted
    /// Kept as written here; the platform's hash table promises none. The text names the table.
    case unspecified(String)

    var isSorted: Bool {
      if case .sorted = self { return true }
      return false
    }
  }

  /// A size with its top bit set, read as a negative number.
  struct SignedSizes: Sendable {
    var array: String
    var list: String
  }

  enum EnvelopeChecks: Sendable {
    /// A field of the wrong type is refused before the next is read.
    case eachField
    case afterAll
  }

  // Messages
  /// Accepted: null.
  var emptyMessage: Oddity
  /// Bytes left behind a message. Accepted: not looked at.
  var trailingMessage: Oddity

  /// The string codec answers ill-formed text with nothing, where the standard codec would crash
  /// (`String(data:encoding:)` on Apple's systems).
  var readsIllFormedStringMessageAsNone: Bool

  // Data that ends early
  /// No type byte where a value must be. Accepted: null.
  var missingValue: Oddity
  /// Fewer bytes than the number takes. Accepted: zero, and the reader stays where it is.
  var shortNumber: Oddity
  /// The padding before a number or behind an empty typed list is cut.
  var shortPadding: Oddity
  /// A size field cut short. Accepted: size 0, and the reader stays behind the first byte.
  var shortSize: Oddity
  /// A string longer than what is left. Accepted: null.
  var longString: Oddity
  /// …and whether the reader then stands behind the string that is not there.
  var skipsLongString: Bool
  /// A typed list longer than what is left. Accepted: null.
  var longTypedList: Oddity
  /// A list or map with more elements than bytes are left, if the decoder compares at all.
  /// Accepted: null. nil: it reads until the data ends.
  var longContainer: Oddity?
  /// Sizes from 2^31.
  var signedSizes: SignedSizes?
  var hugeList: String?

  // Types
  /// Accepted: null, and what follows the type byte is read as the next value.
  var unknownType: Oddity
  var largeInteger: LargeIntegerReading
  /// Integers come out as the narrowest type that holds them: the platform has one integer type.
  var hasOneIntegerType: Bool
  /// The error of a platform without 64-bit integers.
  var refusesInt64: String?

  // Text
  var illFormedUTF8: IllFormedUTF8
  var dropsByteOrderMark: Bool
  var cutsAtNUL: Bool

  // Maps
  var keys: KeyEquality
  var repeatedKeys: RepeatedKeys
  var mapOrder: MapOrder

  // Method calls
  var noMethodCall: Oddity
  var emptyMethodCall: Oddity?
  var methodNotString: Oddity
  var trailingMethodCall: Oddity

  // Envelopes
  /// Accepted: not implemented.
  var emptyEnvelope: Oddity
  /// A first byte that is neither 0 nor 1. Accepted: an error envelope.
  var envelopeFlag: Oddity
  var trailingSuccess: Oddity
  /// Bytes behind a success value are read as the fields of an error envelope.
  var fallsThroughToError: Bool
  var trailingError: Oddity
  var readsStackTrace: Bool
  var stackTraceNotString: Oddity
  var errorFields: EnvelopeChecks
  var codeNotString: Oddity
  var messageNotString: Oddity
  /// A null error message reads as an empty one.
  var readsNullErrorMessageAsEmpty: Bool
}
