/// What the lint looks for. The raw values are stable.
public enum LintRule: String, Sendable, CaseIterable {
  case unansweredCall = "unanswered-call"
  case doubleReply = "double-reply"
  case replyWithoutCall = "reply-without-call"
  case reusedID = "id-reused"
  case nullReply = "null-reply"
  case emptyPayload = "empty-payload"
  case malformed = "malformed"
  case malformedEnvelope = "malformed-envelope"
  case unknownType = "unknown-type"
  case unpaddedEmptyList = "unpadded-empty-list"
  case nonCanonical = "non-canonical"
  case invalidUTF8 = "invalid-utf8"
  case nulInString = "nul-in-string"
  case byteOrderMark = "byte-order-mark"
  case intWidth = "int-width"
  case intMapKey = "int-map-key"
  case numberKind = "number-kind"
  case largeInteger = "large-integer"
  case duplicateKey = "duplicate-key"
  case nullInMap = "null-in-map"
  case nanInJSON = "nan-in-json"
  case stackTrace = "stack-trace"
  case hugePayload = "huge-payload"
  case unbuffered = "unbuffered"
  case burst = "burst"

  /// Where it hurts.
  public var platform: String {
    switch self {
    case .unansweredCall, .reusedID, .hugePayload: "every platform"
    case .doubleReply: "Android, Windows, iOS"
    case .replyWithoutCall: "every platform"
    case .nullReply, .stackTrace: "Dart, Android, Linux"
    case .emptyPayload: "Linux, Windows, embedders"
    case .malformed, .malformedEnvelope, .unknownType: "every platform"
    case .unpaddedEmptyList: "Dart, Android, Linux"
    case .nonCanonical: "byte comparison"
    case .invalidUTF8: "Dart, iOS"
    case .nulInString: "Linux"
    case .byteOrderMark: "Dart, iOS, macOS"
    case .intWidth, .intMapKey: "Android, Windows"
    case .numberKind: "Android, iOS, Dart"
    case .largeInteger: "Dart on the web, Linux"
    case .duplicateKey: "Windows, iOS, macOS"
    case .nullInMap: "iOS, macOS"
    case .nanInJSON: "every platform"
    case .unbuffered, .burst: "Dart"
    }
  }

  /// Why it is a problem, in a sentence.
  public var reason: String {
    switch self {
    case .unansweredCall: "the Future in Dart, or the callback in native code, never completes"
    case .doubleReply:
      "the second reply is lost: Java throws IllegalStateException, C++ ignores it"
    case .replyWithoutCall: "nobody waits for it: its message is missing, or was answered long ago"
    case .reusedID: "answers cannot be told apart while two messages have one id"
    case .nullReply: "a MethodChannel throws MissingPluginException: no handler, or no such method"
    case .emptyPayload:
      "embedders hand a payload of no bytes over as none at all, Android and iOS keep it"
    case .malformed: "the codec of the channel refuses it; what happens differs by platform"
    case .malformedEnvelope: "it is neither a success nor an error, and Dart throws FormatException"
    case .unknownType: "a type byte that only an extended codec reads; others refuse the message"
    case .unpaddedEmptyList:
      "C++ leaves out the padding of an empty typed list, which every reader skips all the same"
    case .nonCanonical: "another encoder writes other bytes for the same value"
    case .invalidUTF8: "Dart throws FormatException, iOS may crash; Android puts in U+FFFD"
    case .nulInString: "GObject strings end at a NUL, the rest is lost"
    case .byteOrderMark: "a leading U+FEFF vanishes there and stays on other platforms"
    case .intWidth:
      "the number is an Integer at one time and a Long at another: a cast to one of them fails"
    case .intMapKey:
      "small keys are Integer and large ones Long, so a look-up by a Long finds nothing"
    case .numberKind:
      "it is an int at one time and a double at another: a cast to one of them fails"
    case .largeInteger:
      "beyond 53 bits a number loses digits on the web; type 5 is no number to any but Android"
    case .duplicateKey: "the first value counts there, the last on other platforms"
    case .nullInMap: "it arrives as NSNull, which is neither nil nor of the type that is expected"
    case .nanInJSON: "JSON has no NaN or infinity, so the text cannot be read"
    case .stackTrace: "only Dart reads a fourth field of an error; Java and Linux refuse the reply"
    case .hugePayload:
      "it is copied and decoded in one piece on the platform's and Dart's main threads"
    case .unbuffered:
      "a channel nobody listens on keeps one message: each further one evicts that before it"
    case .burst: "Dart handles each message for itself, which delays frames; send them together"
    }
  }
}

/// One finding of the lint.
public struct LintFinding: Sendable {
  public var rule: LintRule
  /// Line of the text form, or byte of the binary one, of the entry.
  public var place: UInt64
  public var direction: RecordedEvent.Direction?
  /// Safe for a line of text.
  public var channel: String
  /// The method, of a call or of the call that a reply answers.
  public var method: String?
  /// Where in the value; nil where it is about the entry as a whole.
  public var path: String?
  /// Where in the payload.
  public var offset: Int?
  /// What was found there.
  public var found: String
}
