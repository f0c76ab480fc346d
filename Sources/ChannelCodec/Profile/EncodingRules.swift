/// What a platform's encoder writes where implementations differ. One value per profile stands in
/// `ProfileTable.swift`.
struct EncodingRules: Sendable {
  enum Integers: Sendable {
    /// The width that the value has.
    case asTyped
    /// Four bytes where the number fits, else eight.
    case byValue
    /// Every number is a double.
    case float64
  }

  enum LoneSurrogates: Sendable {
    case refuse
    /// These bytes stand for each.
    case replace([UInt8])
    /// The string ends there.
    case truncate
    /// Strings are bytes and are written as they are.
    case keepBytes
  }

  enum LargeIntegers: Sendable {
    /// The text as it is, if it is a number.
    case asText
    /// As Java's BigInteger prints it.
    case asBigInteger
    /// Type 5 is never written.
    case refuse(String)
  }

  enum UnknownExtension: Sendable {
    case refuse(String?)
    case crash(String)
    /// The null type byte, and nothing of the payload.
    case writeNull
  }

  enum NullMessage: Sendable {
    /// No message and a message that holds null are two things.
    case distinct
    /// A null value at the top is no message.
    case noMessage
    /// No message is the byte `00`.
    case nullByte
  }

  var nullMessage: NullMessage
  /// nil: the string codec writes no message for null; else why it refuses.
  var refusesNoString: String?
  var integers: Integers
  var largeIntegers: LargeIntegers
  var refusesInt64List: String?
  var canonicalNaN: Bool
  var loneSurrogates: LoneSurrogates
  var cutsAtNUL: Bool
  var padsEmptyTypedLists: Bool
  /// What happens to an extension type that is not registered.
  var unknownExtension: UnknownExtension
  var writesEmptyErrorMessageAsNull: Bool
  /// nil: the fourth field is written; else why not.
  var refusesStackTrace: String?
  var noteOnMaps: String?
}
