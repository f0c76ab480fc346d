import ChannelCodec

/// A codec chosen by name, between payloads and typed JSON: what the command line, the vectors and
/// the conformance runner share.
public struct NamedCodec: Sendable {
  /// The names that `--codec` and the vectors use.
  public enum Name: String, Sendable, CaseIterable {
    case message
    case call
    case envelope
    case jsonMessage = "json-message"
    case jsonCall = "json-call"
    case jsonEnvelope = "json-envelope"
    case string
    case binary
  }

  public let name: Name
  public let profile: Profile
  public let extensions: ExtensionTypes
  public let maximumDepth: Int

  public init(
    _ name: Name, profile: Profile = .strict, extensions: ExtensionTypes = .none,
    maximumDepth: Int = 512
  ) {
    self.name = name
    self.profile = profile
    self.extensions = extensions
    self.maximumDepth = maximumDepth
  }

  /// A payload as one line of typed JSON; `null` for none, and for a reply that means "not
  /// implemented".
  public func decode(_ payload: [UInt8]?) throws(CodecError) -> String {
    try react(to: payload).result.get()
  }

  /// What the profile's platform makes of a payload, with remarks.
  public func react(to payload: [UInt8]?) -> Reaction<String> {
    switch name {
    case .message: return standardMessage.react(to: payload).map { TypedJSON.text(of: $0) }
    case .call: return standardMethod.react(toMethodCall: payload).map { TypedJSON.text(of: $0) }
    case .envelope: return standardMethod.react(toEnvelope: payload).map { TypedJSON.text(of: $0) }
    case .jsonMessage:
      return Reaction { () throws(CodecError) in TypedJSON.text(of: try jsonMessage.decode(payload))
      }
    case .jsonCall:
      return Reaction { () throws(CodecError) in
        TypedJSON.text(of: try jsonMethod.decodeMethodCall(payload))
      }
    case .jsonEnvelope:
      return Reaction { () throws(CodecError) in
        TypedJSON.text(of: try jsonMethod.decodeEnvelope(payload))
      }
    case .string:
      return StringCodec(profile: profile).react(to: payload).map { text in
        // Nothing made of a payload is null; only no payload is no message.
        TypedJSON.text(of: text.map { .string($0) } ?? payload.map { _ in .null })
      }
    case .binary:
      return Reaction(
        .success(TypedJSON.text(of: payload.map { .uint8List(Value.TypedList($0)) })))
    }
  }

  /// The payload that a line of typed JSON stands for; nil for no payload.
  public func encode(_ typedJSON: [UInt8]) throws(CodecError) -> [UInt8]? {
    switch name {
    case .message: return try standardMessage.encode(try TypedJSON.value(typedJSON))
    case .call: return try standardMethod.encodeMethodCall(try TypedJSON.call(typedJSON))
    case .envelope:
      guard let envelope = try TypedJSON.envelope(typedJSON) else { return nil }
      return try standardMethod.encodeEnvelope(envelope)
    case .jsonMessage: return try jsonMessage.encode(try TypedJSON.value(typedJSON))
    case .jsonCall: return try jsonMethod.encodeMethodCall(try TypedJSON.call(typedJSON))
    case .jsonEnvelope:
      guard let envelope = try TypedJSON.envelope(typedJSON) else { return nil }
      return try jsonMethod.encodeEnvelope(envelope)
    case .string:
      guard let value = try TypedJSON.value(typedJSON) else {
        return try StringCodec(profile: profile).encode(nil)
      }
      guard let text = value.text else { throw mismatch("a string", value) }
      return try StringCodec(profile: profile).encode(text)
    case .binary:
      guard let value = try TypedJSON.value(typedJSON) else { return nil }
      guard case .uint8List(let list) = value else { throw mismatch("a Uint8List", value) }
      return Array(list)
    }
  }

  // MARK: -

  private var standardMessage: StandardMessageCodec {
    StandardMessageCodec(profile: profile, extensions: extensions, maximumDepth: maximumDepth)
  }
  private var standardMethod: StandardMethodCodec {
    StandardMethodCodec(profile: profile, extensions: extensions, maximumDepth: maximumDepth)
  }
  private var jsonMessage: JSONMessageCodec {
    JSONMessageCodec(profile: profile, maximumDepth: maximumDepth)
  }
  private var jsonMethod: JSONMethodCodec {
    JSONMethodCodec(profile: profile, maximumDepth: maximumDepth)
  }

  private func mismatch(_ expected: String, _ value: Value) -> CodecError {
    CodecError(.unsupportedValue, expected: expected, found: value.shortText)
  }
}

extension Reaction {
  fileprivate init(_ body: () throws(CodecError) -> Outcome) {
    self.init(Result { () throws(CodecError) in try body() })
  }

  fileprivate func map(_ transform: (Outcome) -> String) -> Reaction<String> {
    Reaction<String>(result.map(transform), notes: notes)
  }
}
