/// Flutter's StandardMethodCodec
/// (`packages/flutter/lib/src/services/message_codecs.dart`), as the platform of a ``Profile`` has
/// it. Alignment counts from byte 0 of the message: a call's name and an envelope's flag count.
public struct StandardMethodCodec: MethodCodec {
  public var profile: Profile
  public var extensions: ExtensionTypes
  /// As ``StandardMessageCodec/maximumDepth``.
  public var maximumDepth: Int

  public init(
    profile: Profile = .strict, extensions: ExtensionTypes = .none, maximumDepth: Int = 512
  ) {
    self.profile = profile
    self.extensions = extensions
    self.maximumDepth = maximumDepth
  }

  public func encodeMethodCall(_ call: MethodCall) throws(CodecError) -> [UInt8] {
    if profile == .strict, let bytes = PlainEncoder.encode(call, extensions: extensions.plain) {
      return bytes
    }
    return try StandardMessage.call(call).encoded(profile: profile, extensions: extensions)
  }

  public func decodeMethodCall(_ message: [UInt8]?) throws(CodecError) -> MethodCall {
    if profile == .strict, let message, let call = plainCall(message) { return call }
    return try react(toMethodCall: message).result.get()
  }

  public func encodeEnvelope(_ envelope: Envelope) throws(CodecError) -> [UInt8] {
    if profile == .strict,
      let bytes = PlainEncoder.encode(envelope, extensions: extensions.plain)
    {
      return bytes
    }
    return try StandardMessage.envelope(envelope).encoded(
      profile: profile, extensions: extensions)
  }

  /// nil for a reply without payload, and for what else a platform takes for "not implemented".
  @inlinable
  public func decodeEnvelope(_ reply: [UInt8]?) throws(CodecError) -> Envelope? {
    guard let reply else { return nil }
    // The commonest reply of all, and the same to every platform.
    if reply.count == 2 && reply[0] == 0 && reply[1] == 0 { return .success(.null) }
    return try envelope(reply)
  }

  @usableFromInline
  func envelope(_ reply: [UInt8]) throws(CodecError) -> Envelope? {
    if profile == .strict, let envelope = plainEnvelope(reply) { return envelope }
    return try react(toEnvelope: reply).result.get()
  }

  /// What the platform makes of a method call, with remarks.
  public func react(toMethodCall message: [UInt8]?) -> Reaction<MethodCall> {
    var decoder = decoder(message ?? [])
    let result = Result { () throws(CodecError) in
      try decoder.methodCall(isThere: message != nil)
    }
    return Reaction(result, notes: decoder.notes)
  }

  /// What the platform makes of a reply, with remarks.
  public func react(toEnvelope reply: [UInt8]?) -> Reaction<Envelope?> {
    guard let reply else { return Reaction(.success(nil)) }
    var decoder = decoder(reply)
    let result = Result { () throws(CodecError) in try decoder.envelope() }
    return Reaction(result, notes: decoder.notes)
  }

  // MARK: -

  private func decoder(_ bytes: [UInt8]) -> ProfileDecoder {
    ProfileDecoder(
      bytes, profile: profile, extensions: extensions, maximumDepth: maximumDepth)
  }

  /// The call where it is plainly well formed; nil leaves it to the careful reader.
  private func plainCall(_ message: [UInt8]) -> MethodCall? {
    MessageIndexer.read(
      message, extensions: extensions.plain, maximumDepth: maximumDepth
    ) { indexer in
      guard let method = indexer.text(in: message), let arguments = indexer.value(in: message),
        indexer.isAtEnd
      else {
        return nil
      }
      return MethodCall(method, arguments)
    }
  }

  /// The envelope where it is plainly well formed; nil leaves it to the careful reader.
  private func plainEnvelope(_ reply: [UInt8]) -> Envelope? {
    MessageIndexer.read(
      reply, extensions: extensions.plain, maximumDepth: maximumDepth
    ) { indexer in
      switch indexer.byte() {
      case StandardMessage.successFlag:
        guard let result = indexer.value(in: reply), indexer.isAtEnd else { return nil }
        return .success(result)
      case StandardMessage.errorFlag:
        guard let code = indexer.text(in: reply) else { return nil }
        let message = indexer.text(in: reply)
        if message == nil {
          guard let value = indexer.value(in: reply), value.isNull else { return nil }
        }
        guard let details = indexer.value(in: reply), indexer.isAtEnd else { return nil }
        return .error(code: code, message: message, details: details)
      default: return nil
      }
    }
  }
}
