import ChannelCodec

/// Takes the result of a method call: exactly one, from any thread, now or later
/// (FlutterResult on iOS, MethodChannel.Result on Android).
public struct MethodResult: Sendable {
  public let reply: BinaryReply
  let codec: SharedMethodCodec

  public func success(_ value: Value = .null) { send(.success(value)) }

  /// An error for Dart to throw as a PlatformException.
  public func error(code: Value.Text, message: Value.Text?, details: Value = .null) {
    send(.error(code: code, message: message, details: details))
  }

  public func error(_ error: MethodError) { send(.error(error.envelope)) }

  /// Dart throws a MissingPluginException.
  public func notImplemented() { reply.send(nil) }

  /// Sends an envelope. One that the codec cannot write becomes an error envelope that says so.
  public func send(_ envelope: Envelope) {
    let bytes: [UInt8]
    do {
      bytes = try codec.value.encodeEnvelope(envelope)
    } catch {
      let text = "\(reply.label): the result cannot be encoded: \(error)"
      reply.report(.resultUnencodable, .error, text)
      reply.send(fallback(text))
      return
    }
    reply.send(bytes)
  }

  /// An error that every codec can write.
  private func fallback(_ text: String) -> [UInt8]? {
    try? codec.value.encodeEnvelope(.error(code: "error", message: Value.Text(text)))
  }
}

/// The codec of a channel, for its results to refer to: copying it into each would cost more than
/// most calls' answers.
final class SharedMethodCodec: Sendable {
  let value: any MethodCodec
  init(_ value: any MethodCodec) { self.value = value }
}

/// What a method call handler throws to answer with an error envelope.
public struct MethodError: Error, Sendable, Hashable {
  public var code: Value.Text
  public var message: Value.Text?
  public var details: Value

  public init(code: Value.Text, message: Value.Text?, details: Value = .null) {
    (self.code, self.message, self.details) = (code, message, details)
  }

  public var envelope: ErrorEnvelope {
    ErrorEnvelope(code: code, message: message, details: details)
  }
}
