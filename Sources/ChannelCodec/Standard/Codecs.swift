/// A codec for the messages of a basic message channel
/// (`packages/flutter/lib/src/services/message_codec.dart`).
///
/// nil stands for no message at all. That is neither an empty message nor a message that holds
/// null (the byte `00` of the standard codec).
public protocol MessageCodec<Message>: Sendable {
  /// What the messages hold: ``Value`` for most, text or bytes for two.
  associatedtype Message

  func encode(_ message: Message?) throws(CodecError) -> [UInt8]?
  func decode(_ message: [UInt8]?) throws(CodecError) -> Message?
}

/// A codec for method calls and the envelopes that answer them.
public protocol MethodCodec: Sendable {
  func encodeMethodCall(_ call: MethodCall) throws(CodecError) -> [UInt8]
  func decodeMethodCall(_ message: [UInt8]?) throws(CodecError) -> MethodCall
  func encodeEnvelope(_ envelope: Envelope) throws(CodecError) -> [UInt8]
  /// nil for a reply without payload: not implemented.
  func decodeEnvelope(_ reply: [UInt8]?) throws(CodecError) -> Envelope?
}

/// A method name and the one value that its arguments are.
public struct MethodCall: Sendable, Hashable {
  public var method: Value.Text
  public var arguments: Value

  public init(_ method: Value.Text, _ arguments: Value = .null) {
    self.method = method
    self.arguments = arguments
  }
}

/// What answers a method call. "Not implemented" is no envelope: it is a reply without payload.
public enum Envelope: Sendable, Hashable {
  case success(Value)
  /// Indirect, so that the common success is not as large as an error.
  indirect case error(ErrorEnvelope)

  /// An error as native code reports it (FlutterError on iOS, PlatformException in Dart).
  public static func error(
    code: Value.Text, message: Value.Text?, details: Value = .null
  ) -> Envelope {
    .error(ErrorEnvelope(code: code, message: message, details: details))
  }
}

/// Code, message and details of a failed call.
public struct ErrorEnvelope: Sendable, Hashable {
  /// The optional fourth field. Android writes one when a handler throws, only Dart reads it, and
  /// Java, Linux and iOS take it for garbage.
  public enum StackTrace: Sendable, Hashable {
    /// The envelope ends after the details.
    case absent
    /// There is a fourth field and it is null.
    case null
    case text(Value.Text)
  }

  public var code: Value.Text
  public var message: Value.Text?
  public var details: Value
  public var stackTrace: StackTrace

  public init(
    code: Value.Text, message: Value.Text?, details: Value = .null,
    stackTrace: StackTrace = .absent
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.stackTrace = stackTrace
  }
}

/// What a platform makes of an input, with remarks where its sources leave something open.
public struct Reaction<Outcome: Sendable>: Sendable {
  public var result: Result<Outcome, CodecError>
  /// Such as "map order unspecified (HashMap)".
  public var notes: [String]

  public init(_ result: Result<Outcome, CodecError>, notes: [String] = []) {
    self.result = result
    self.notes = notes
  }
}
