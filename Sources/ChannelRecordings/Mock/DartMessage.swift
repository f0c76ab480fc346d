import ChannelCodec

/// A message from Dart as a Dart program would see it: method and arguments, a value, or bytes.
struct DartMessage {
  private let payload: [UInt8]?
  private let content: DecodedMessage

  /// - Parameter codec: what the channel speaks; nil where it is not known.
  init(_ payload: [UInt8]?, codec: ChannelCodecKind?) {
    self.payload = payload
    content = DecodedMessage(payload, codec ?? .binary, .message)
  }

  var method: Value.Text? {
    if case .call(let call) = content { return call.method }
    return nil
  }

  /// Equal for messages that ``isEqual(to:)`` takes for the same.
  struct Key: Hashable {
    let method: Value.Text?
    let digest: Int
  }

  var key: Key {
    switch content {
    case .call(let call): Key(method: call.method, digest: DartDigest.of(call.arguments))
    case .value(let value): Key(method: nil, digest: DartDigest.of(value))
    case .nothing, .envelope, .bytes, .malformed: Key(method: nil, digest: payload.hashValue)
    }
  }

  func isEqual(to other: DartMessage) -> Bool {
    switch (content, other.content) {
    case (.call(let left), .call(let right)):
      left.method == right.method && left.arguments.isEqualInDart(to: right.arguments)
    case (.value(let left), .value(let right)): left.isEqualInDart(to: right)
    default: payload == other.payload
    }
  }
}
