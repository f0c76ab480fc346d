import ChannelCodec

/// One place where two messages differ.
public struct ValueDifference: Hashable, Sendable {
  /// In what way.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Another number, text or truth value of the same type.
    case value
    /// Another type, such as a string for a number.
    case type
    /// The same number in another width, or an integer as text (type 5) for a string.
    case width
    /// Recorded, but not there now.
    case missing
    /// There now, but not recorded.
    case extra
    /// The same pairs of a map in another order.
    case order
    /// A map's key that stands there more often; Dart keeps the last.
    case repeatedKey = "repeated-key"
    /// The same value, written with other bytes: sizes, padding, white space.
    case encoding
    /// Success, error, not implemented, dropped, refused or nothing at all: not the same of these.
    case outcome
    /// Another method than the recorded one.
    case method
    /// One of the two is no message of the channel's codec, so that only bytes can be compared.
    case bytes
  }

  /// From the value that the message carries: arguments, result, or the event. In an error envelope
  /// from `error`, which has `code`, `message`, `details` and `stacktrace`.
  public var path: ValuePath
  public var kind: Kind
  /// A few words for what the recording has.
  public var recorded: String
  /// A few words for what there is now.
  public var actual: String
  /// Whether Dart code gets values that it takes for the same: integers of any width, maps in any
  /// order, 0.0 and -0.0, any two NaN. An integer and a double are not the same: a cast fails.
  public var isEqualInDart: Bool

  /// A difference with these parts.
  public init(
    at path: ValuePath, _ kind: Kind, recorded: String, actual: String, isEqualInDart: Bool
  ) {
    self.path = path
    self.kind = kind
    self.recorded = recorded
    self.actual = actual
    self.isEqualInDart = isEqualInDart
  }

  /// One line: `$.token: recorded "a", now "b"`.
  public var text: String {
    let place = MessagePath.text(of: path)
    switch kind {
    case .missing: return "\(place): recorded \(recorded), now missing"
    case .extra: return "\(place): not recorded, now \(actual)"
    default: return "\(place): recorded \(recorded), now \(actual)"
    }
  }

  /// Whether and why Dart sees it, in a few words.
  public var dartView: String {
    switch kind {
    case .width: "Dart sees no difference: it has one type for both"
    case .order: "Dart sees no difference unless it goes through the map in order"
    case .repeatedKey where isEqualInDart: "Dart sees no difference: it keeps the last of them"
    case .encoding: "Dart sees no difference: the bytes mean the same"
    case .type where !isEqualInDart: "Dart sees it: a cast to the recorded type fails"
    case .outcome where isEqualInDart: "Dart sees no difference: its Future stays pending"
    default: isEqualInDart ? "Dart sees no difference" : "Dart sees it"
    }
  }
}

/// Differences of two messages, or of what answered two.
public struct Comparison: Hashable, Sendable {
  /// The first ones, in the order of the recorded message.
  public internal(set) var differences: [ValueDifference] = []
  /// Further ones, which are only counted.
  public internal(set) var furtherCount = 0
  /// Those that a rule passes over; they are not among the others.
  public internal(set) var ignoredCount = 0
  /// Whether all that were found, ignored ones aside, are equal in Dart.
  public internal(set) var isEqualInDart = true

  /// Whether nothing differs but what is ignored.
  public var isMatch: Bool { differences.isEmpty && furtherCount == 0 }
}
