/// What a platform's JSON codecs do where implementations differ. One value per profile stands in
/// `JSONRulesTable.swift`; reader, writer and codecs ask and never name a platform.
struct JSONRules: Sendable {
  typealias Oddity = DecodingRules.Oddity

  enum RepeatedNames: Sendable {
    case keepAll
    /// The first member's place, with the last value.
    case lastValue
    case unspecified(String)
  }

  /// How a double is read from its digits.
  enum NumberReading: Sendable {
    /// The nearest double.
    case nearest
    /// rapidjson without its full-precision flag: fast, and up to three units off in the last
    /// place.
    case rapidjson
  }

  /// How a double is written.
  enum NumberStyle: Sendable {
    /// `1.0`, `0.000001`, `1e-7`, `1e+21`.
    case dart
    /// `1`, `0.000001`, `1e-7`, `1e+21`; but -0.0 is `-0.0`.
    case javaScript
    /// `1.0`, `1.0E-4`, `1.0E7`; inside a list or map whole numbers are `1` and `-0`.
    ///
    /// With the shortest digits. JDKs before 19 have others for about 3 doubles in 1000, such as
    /// `1.9999999999999998E23` for 2e23 (measured on 17); Android's are not known.
    case java
    /// `1`, `0.0001`, `1e-05`, `1e+16`.
    case foundation
    /// `1.0`, `0.000001`, `1e-7`, `1e21`.
    case rapidjson
  }

  enum SurrogateWriting: Sendable {
    case refuse
    /// `\ud800`, the only ones that are escaped.
    case escape
    /// Strings are bytes and are written as they are.
    case keepBytes
    case unspecified(String)
  }

  enum TypedListWriting: Sendable {
    case refuse(Oddity)
    /// Lists of numbers. Java's bytes are signed.
    case numbers(areBytesSigned: Bool)
  }

  // Reading text
  /// A message of zero bytes. Accepted: null.
  var emptyMessage: Oddity
  /// The whole message is checked before its first character is looked at…
  var checksUTF8First: Bool
  /// …and a NUL does not pass that check.
  var isNULIllFormed: Bool
  var illFormedUTF8: Oddity
  /// A leading U+FEFF. Accepted: dropped.
  var byteOrderMark: Oddity
  /// Text that is not JSON. Parsers that accept some of it are not modelled.
  var malformed: Oddity
  /// Something behind the value.
  var trailingText: Oddity
  /// White space behind the value, which JSON allows.
  var trailingSpace: Oddity
  var loneSurrogates: JSONLoneSurrogates
  var cutsAtNUL: Bool

  // Reading values
  var numbers: NumberReading
  /// A number beyond the doubles. Accepted: infinity.
  var hugeNumber: Oddity
  /// `-0` is a double; elsewhere the integer 0.
  var readsMinusZeroAsDouble: Bool
  /// From 2^32 up an integer is a double, but for the largest 64-bit one: what the Linux embedder's
  /// handler for rapidjson's unsigned 64-bit numbers does.
  var readsLargePositivesAsDoubles: Bool
  /// What an integer becomes that no double holds; nil: a 64-bit integer.
  var inexactInteger: Oddity?
  var repeatedNames: RepeatedNames

  // Writing
  var nullMessage: EncodingRules.NullMessage
  var style: NumberStyle
  /// NaN and the infinities. Accepted: nothing is written in their place.
  var nonFinite: Oddity
  /// A double that is the whole message goes by the language's own way to print numbers.
  var printsLoneDoubles: Bool
  var refusesInexactIntegers: String?
  var escapesSolidus: Bool
  var escapesInUpperCase: Bool
  var surrogates: SurrogateWriting
  /// Bytes that are no text, not even with lone surrogates.
  var illFormedText: Oddity
  var typedLists: TypedListWriting
  /// Exceptions to `typedLists`, by kind.
  var refusedTypedLists: [TypedListKind: Oddity]
  var largeInteger: Oddity
  var custom: Oddity
  var keyNotString: Oddity

  // Method calls
  /// What becomes of a call whose text is refused, where it is not the text's own error.
  var undecodableCall: String?
  var noMethodCall: Oddity
  /// The message is not an object.
  var callNotMap: Oddity
  /// There is no method, or it is not a string.
  var methodNotString: Oddity

  // Envelopes
  /// Likewise for an envelope.
  var undecodableEnvelope: String?
  /// A reply of zero bytes. Accepted: not implemented. nil: as any empty message.
  var emptyEnvelope: Oddity?
  /// The message is not a list of 1, 3 or (where it is read) 4.
  var envelopeShape: Oddity
  var codeNotString: Oddity
  /// Accepted: null.
  var messageNotString: Oddity
  var messageNull: Oddity
  var readsStackTrace: Bool
  var stackTraceNotString: Oddity
  /// nil: the fourth field is written; else why not.
  var refusesStackTrace: String?
  var writesNullErrorMessageAsEmpty: Bool
}

extension JSONRules {
  /// `error` with what the platform does about the fault.
  static func blame(_ oddity: Oddity, _ error: CodecError) -> CodecError {
    var error = error
    switch oddity {
    case .refuse(let text): error.platformError = text
    case .crash(let text): (error.consequence, error.platformError) = (.crash, text)
    case .unspecified(let text): (error.consequence, error.platformError) = (.unspecified, text)
    case .accept: break
    }
    return error
  }

  /// The reader's error as the platform has it.
  func blame(_ error: CodecError) -> CodecError {
    switch error.code {
    case .invalidUTF8: JSONRules.blame(illFormedUTF8, error)
    case .depthExceeded where malformed.isPlatform:
      JSONRules.blame(.unspecified("no depth limit known"), error)
    case .invalidJSON where error.platformError == nil && error.consequence == .refusal:
      JSONRules.blame(malformed, error)
    default: error
    }
  }
}

extension DecodingRules.Oddity {
  /// False for what `strict` says, which is no platform.
  fileprivate var isPlatform: Bool {
    if case .refuse(nil) = self { return false }
    return true
  }

  var isAccepted: Bool {
    if case .accept = self { return true }
    return false
  }
}
