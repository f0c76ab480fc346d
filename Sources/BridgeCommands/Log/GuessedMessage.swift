import ChannelCodec

/// What a message seems to be. A messenger sees bytes; which codec a channel has is known to its
/// two ends only.
enum GuessedMessage {
  enum Codec: String {
    case standard
    case json
  }

  /// No payload.
  case none
  case call(MethodCall, Codec)
  /// From native code to Dart: an event of an event channel, or an error of it.
  case event(Envelope)
  case value(Value, Codec)
  case bytes([UInt8])

  /// A message from Dart.
  init(_ message: [UInt8]?) {
    guard let message else {
      self = .none
      return
    }
    if let call = try? StandardMethodCodec(extensions: .pigeon).decodeMethodCall(message) {
      self = .call(call, .standard)
    } else if let value = try? StandardMessageCodec(extensions: .pigeon).decode(message) {
      self = .value(value, .standard)
    } else if let call = try? JSONMethodCodec().decodeMethodCall(message) {
      self = .call(call, .json)
    } else if let value = try? JSONMessageCodec().decode(message) {
      self = .value(value, .json)
    } else {
      self = .bytes(message)
    }
  }

  /// A message to Dart.
  init(toDart message: [UInt8]?) {
    let guess = GuessedMessage(message)
    if case .bytes(let bytes) = guess,
      let envelope = try? StandardMethodCodec(extensions: .pigeon).decodeEnvelope(bytes)
    {
      self = .event(envelope)
    } else {
      self = guess
    }
  }

  var method: Value.Text? {
    if case .call(let call, _) = self { return call.method }
    return nil
  }
}

/// What an answer seems to be, in the light of what it answers.
enum GuessedReply {
  case success(Value)
  case error(ErrorEnvelope)
  case notImplemented
  /// The reply of a basic message channel, or none.
  case value(Value)
  case noPayload
  /// Not of the codec that the message had.
  case bytes([UInt8])

  init(_ reply: [UInt8]?, to message: GuessedMessage) {
    switch message {
    case .call(_, let codec):
      let method: any MethodCodec =
        codec == .standard ? StandardMethodCodec(extensions: .pigeon) : JSONMethodCodec()
      guard let reply else {
        self = .notImplemented
        return
      }
      switch try? method.decodeEnvelope(reply) {
      case .success(let value): self = .success(value)
      case .error(let error): self = .error(error)
      case nil: self = .bytes(reply)
      }
    default:
      guard let reply else {
        self = .noPayload
        return
      }
      if let value = try? StandardMessageCodec(extensions: .pigeon).decode(reply) {
        self = .value(value)
      } else if let value = try? JSONMessageCodec().decode(reply) {
        self = .value(value)
      } else {
        self = .bytes(reply)
      }
    }
  }
}
