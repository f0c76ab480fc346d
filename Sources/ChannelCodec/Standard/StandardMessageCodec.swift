/// Flutter's StandardMessageCodec
/// (`packages/flutter/lib/src/services/message_codecs.dart`), as the platform of a ``Profile`` has
/// it.
public struct StandardMessageCodec: MessageCodec {
  public var profile: Profile
  public var extensions: ExtensionTypes
  /// Nested lists, maps and extension values that a message may have; a deeper one is refused. Any
  /// number up to 100,000 is safe: nesting costs no stack.
  public var maximumDepth: Int

  public init(
    profile: Profile = .strict, extensions: ExtensionTypes = .none, maximumDepth: Int = 512
  ) {
    self.profile = profile
    self.extensions = extensions
    self.maximumDepth = maximumDepth
  }

  /// The bytes of a message. nil is no message; `.null` is a message that holds null where the
  /// platform tells the two apart.
  public func encode(_ message: Value?) throws(CodecError) -> [UInt8]? {
    guard let value = message else {
      if profile != .strict, case .nullByte = EncodingRules.of(profile).nullMessage {
        return [WireType.null.rawValue]
      }
      return nil
    }
    if profile != .strict, case .null = value,
      case .noMessage = EncodingRules.of(profile).nullMessage
    {
      return nil
    }
    if profile == .strict, let bytes = PlainEncoder.encode(value, extensions: extensions.plain) {
      return bytes
    }
    return try StandardMessage.value(value).encoded(profile: profile, extensions: extensions)
  }

  /// The value of a message; nil for no message.
  public func decode(_ message: [UInt8]?) throws(CodecError) -> Value? {
    if profile == .strict, let message, let value = plain(message) { return value }
    return try react(to: message).result.get()
  }

  /// The value where the message is plainly well formed; nil leaves it to the careful reader.
  private func plain(_ message: [UInt8]) -> Value? {
    MessageIndexer.read(
      message, extensions: extensions.plain, maximumDepth: maximumDepth
    ) { indexer in
      guard let value = indexer.value(in: message), indexer.isAtEnd else { return nil }
      return value
    }
  }

  /// What the platform makes of a message, with remarks.
  public func react(to message: [UInt8]?) -> Reaction<Value?> {
    guard let message else { return Reaction(.success(nil)) }
    var decoder = ProfileDecoder(
      message, profile: profile, extensions: extensions, maximumDepth: maximumDepth)
    let result = Result { () throws(CodecError) -> Value? in try decoder.message() }
    return Reaction(result, notes: decoder.notes)
  }
}
