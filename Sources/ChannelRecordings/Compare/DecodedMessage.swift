import ChannelCodec

/// A payload in the light of its channel's codec.
enum DecodedMessage {
  /// What a payload is to its channel.
  enum Role {
    /// From Dart: a method call or a message.
    case message
    /// From native code by itself: a call, a message, or an event, which is an envelope.
    case event
    /// The answer to a message.
    case answer
  }

  case nothing
  case call(MethodCall)
  case envelope(Envelope)
  case value(Value)
  case bytes([UInt8])
  case malformed(CodecError)

  init(_ payload: [UInt8]?, _ codec: ChannelCodecKind, _ role: Role) {
    guard let payload else {
      self = .nothing
      return
    }
    do throws(CodecError) {
      switch codec {
      case .standardMethod:
        self = try .method(payload, StandardMethodCodec(extensions: .pigeon), role)
      case .jsonMethod: self = try .method(payload, JSONMethodCodec(), role)
      case .standardMessage:
        self = .value(try StandardMessageCodec(extensions: .pigeon).decode(payload) ?? .null)
      case .jsonMessage: self = .value(try JSONMessageCodec().decode(payload) ?? .null)
      case .string:
        self = .value(try StringCodec().decode(payload).map { .string($0) } ?? .null)
      case .binary: self = .bytes(payload)
      }
    } catch {
      self = .malformed(error)
    }
  }

  private static func method(
    _ payload: [UInt8], _ codec: some MethodCodec, _ role: Role
  ) throws(CodecError) -> DecodedMessage {
    if role == .answer {
      return try codec.decodeEnvelope(payload).map { .envelope($0) } ?? .nothing
    }
    do throws(CodecError) {
      return .call(try codec.decodeMethodCall(payload))
    } catch {
      guard role == .event, let event = try? codec.decodeEnvelope(payload) else { throw error }
      return .envelope(event)
    }
  }

  var isMalformed: Bool {
    if case .malformed = self { return true }
    return false
  }

  /// A few words: `success 5`, `error 418 "no"`, `startLiveActivity {elapsedSeconds: 0}`.
  func words(_ role: Role, _ codec: ChannelCodecKind) -> String {
    switch self {
    case .nothing: return role == .answer && codec.isMethod ? "not implemented" : "no payload"
    case .call(let call):
      let name = ShownValue.name(call.method)
      return call.arguments.isNull ? name : "\(name) \(ShortNotation.text(of: call.arguments))"
    case .envelope(.success(let value)):
      let word = role == .event ? "event" : "success"
      return "\(word) \(ShortNotation.text(of: value))"
    case .envelope(.error(let error)):
      let message = error.message.map { ShortNotation.quoted($0) } ?? "null"
      return "error \(ShortNotation.quoted(error.code)) \(message)"
    case .value(let value): return ShortNotation.text(of: value)
    case .bytes(let bytes): return ShortNotation.hex(bytes)
    case .malformed(let error): return "no message of the codec \(codec.rawValue) (\(error))"
    }
  }

  /// Codecs in the order in which they are tried on a message whose channel says nothing.
  private static let candidates: [ChannelCodecKind] = [
    .standardMethod, .jsonMethod, .standardMessage, .jsonMessage, .string,
  ]

  /// The codec that all these payloads can be of, or else the most, the first one first.
  static func guess(_ payloads: [(payload: [UInt8]?, role: Role)]) -> ChannelCodecKind {
    var best = ChannelCodecKind.binary
    var mostFitting = 0
    for codec in candidates {
      var fitting = 0
      for entry in payloads {
        if DecodedMessage(entry.payload, codec, entry.role).isMalformed { break }
        fitting += 1
      }
      if fitting == payloads.count { return codec }
      // That only the message fits is no evidence: the answer may be of any codec.
      if fitting > max(mostFitting, 1) { (best, mostFitting) = (codec, fitting) }
    }
    return best
  }
}
