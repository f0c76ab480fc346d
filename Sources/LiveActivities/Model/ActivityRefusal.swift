import ChannelCodec

/// Why ActivityKit would not do it: the case of its error, and words that say what, why and what to
/// do about it.
public struct ActivityRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// Raw values are the case names of ActivityKit's `ActivityAuthorizationError`, but for the last.
  public enum Reason: String, Sendable, CaseIterable {
    case attributesTooLarge
    case unsupported
    case denied
    case globalMaximumExceeded
    case targetMaximumExceeded
    case unsupportedTarget
    case visibility
    case persistenceFailure
    case missingProcessIdentifier
    case unentitled
    case malformedActivityIdentifier
    case reconnectNotPermitted
    /// JSON cannot say a value of the attributes or content state. The device throws an
    /// `EncodingError` here, not an authorization error.
    case notEncodable
  }

  /// A number behind the refusal, such as `size` or `limit`.
  public struct Number: Sendable, Hashable {
    public var name: String
    public var value: Int

    public init(_ name: String, _ value: Int) {
      self.name = name
      self.value = value
    }
  }

  public var reason: Reason
  /// One or two whole sentences.
  public var message: String
  public var numbers: [Number]

  public init(_ reason: Reason, _ message: String, numbers: [Number] = []) {
    self.reason = reason
    self.message = message
    self.numbers = numbers
  }

  public var description: String { "\(reason.rawValue): \(message)" }

  public subscript(number name: String) -> Int? {
    numbers.first { $0.name == name }?.value
  }

  /// A map for an error envelope: `{reason: attributesTooLarge, size: 5000, limit: 4096}`.
  public var details: Value {
    var pairs: [(key: Value, value: Value)] = [("reason", .string(Value.Text(reason.rawValue)))]
    for number in numbers {
      pairs.append((.string(Value.Text(number.name)), .integer(Int64(number.value))))
    }
    return .map(Value.Map(pairs))
  }
}
