import ChannelCodec

/// What the standard codecs carry.
enum Content: Hashable {
  case message(Value?)
  case call(MethodCall)
  case envelope(Envelope?)

  enum Kind: Int, CaseIterable {
    case message, call, envelope
  }

  /// The one value that is not a name, a code or a text; nil where there is none.
  var value: Value? {
    switch self {
    case .message(let value): value
    case .call(let call): call.arguments
    case .envelope(.success(let value)?): value
    case .envelope(.error(let error)?): error.details
    case .envelope(nil): nil
    }
  }

  func with(_ value: Value) -> Content {
    switch self {
    case .message: return .message(value)
    case .call(let call): return .call(MethodCall(call.method, value))
    case .envelope(.error(var error)?):
      error.details = value
      return .envelope(.error(error))
    case .envelope: return .envelope(.success(value))
    }
  }
}

/// The message and the method codec of one profile, under one roof.
struct Codecs {
  let message: StandardMessageCodec
  let method: StandardMethodCodec

  init(profile: Profile, extensions: ExtensionTypes = .none, maximumDepth: Int = 512) {
    message = StandardMessageCodec(
      profile: profile, extensions: extensions, maximumDepth: maximumDepth)
    method = StandardMethodCodec(
      profile: profile, extensions: extensions, maximumDepth: maximumDepth)
  }

  func decode(_ kind: Content.Kind, _ bytes: [UInt8]?) -> Result<Content, CodecError> {
    Result { () throws(CodecError) in
      switch kind {
      case .message: .message(try message.decode(bytes))
      case .call: .call(try method.decodeMethodCall(bytes))
      case .envelope: .envelope(try method.decodeEnvelope(bytes))
      }
    }
  }

  /// As ``decode(_:_:)``, by the careful reader alone.
  func decodeCarefully(_ kind: Content.Kind, _ bytes: [UInt8]) -> Result<Content, CodecError> {
    switch kind {
    case .message: message.react(to: bytes).result.map { .message($0) }
    case .call: method.react(toMethodCall: bytes).result.map { .call($0) }
    case .envelope: method.react(toEnvelope: bytes).result.map { .envelope($0) }
    }
  }

  /// nil is no payload at all.
  func encode(_ content: Content) -> Result<[UInt8]?, CodecError> {
    Result { () throws(CodecError) in
      switch content {
      case .message(let value): return try message.encode(value)
      case .call(let call): return try method.encodeMethodCall(call)
      case .envelope(let envelope?): return try method.encodeEnvelope(envelope)
      case .envelope(nil): return nil
      }
    }
  }
}
