import ChannelCodec

public typealias MethodCallHandler = (MethodCall, MethodResult) throws -> Void

/// A named channel for method calls, both ways
/// (`packages/flutter/lib/src/services/platform_channel.dart`, FlutterMethodChannel on iOS).
///
/// Belongs to the platform thread of its messenger.
public final class MethodChannel {
  public let name: ChannelName
  public let messenger: any BinaryMessenger
  public let codec: any MethodCodec

  public init(
    _ name: ChannelName, messenger: any BinaryMessenger,
    codec: any MethodCodec = StandardMethodCodec()
  ) {
    (self.name, self.messenger, self.codec) = (name, messenger, codec)
  }

  /// Calls a method of the other side.
  /// - Parameter result: called once with what came of it; nil when nobody cares.
  /// - Throws: ``CodecError`` when the arguments cannot be written; nothing has been sent then.
  public func invokeMethod(
    _ method: Value.Text, _ arguments: Value = .null, result: ((MethodOutcome) -> Void)? = nil
  ) throws(CodecError) {
    let message = try codec.encodeMethodCall(MethodCall(method, arguments))
    let codec = codec
    messenger.send(
      message, on: name,
      reply: result.map { result in { result(MethodOutcome($0, codec: codec)) } })
  }

  /// Sets what handles the other side's calls; nil takes it away. What the handler throws becomes
  /// an error envelope: a ``MethodError`` as it is, anything else under the code `error`, as on
  /// Android (`io/flutter/plugin/common/MethodChannel.java`).
  public func setMethodCallHandler(_ handler: MethodCallHandler?) {
    guard let handler else { return messenger.setMessageHandler(on: name, nil) }
    let codec = SharedMethodCodec(codec)
    messenger.setMessageHandler(on: name) { message, reply in
      guard let call = reply.methodCall(message, codec) else { return }
      if reply.method == nil { reply.method = call.method }
      let result = MethodResult(reply: reply, codec: codec)
      do {
        try handler(call, result)
      } catch let error as MethodError {
        result.error(error)
      } catch {
        reply.report(.handlerThrew, .error, "\(reply.label): the handler threw: \(error)")
        guard !reply.isAnswered else { return }
        result.error(code: "error", message: Value.Text(String(describing: error)))
      }
    }
  }
}

/// What came of a method call.
public enum MethodOutcome: Sendable {
  case success(Value)
  /// Dart throws a PlatformException.
  case error(ErrorEnvelope)
  /// Dart throws a MissingPluginException.
  case notImplemented
  /// The handler never answered; Dart would wait for ever.
  case dropped
  case refused(Refusal)
  case disconnected
  /// The reply is no envelope.
  case malformed(CodecError)

  public init(_ outcome: ReplyOutcome, codec: any MethodCodec) {
    switch outcome {
    case .payload(let reply):
      do throws(CodecError) {
        switch try codec.decodeEnvelope(reply) {
        case .success(let value): self = .success(value)
        case .error(let error): self = .error(error)
        case nil: self = .notImplemented
        }
      } catch {
        self = .malformed(error)
      }
    case .dropped: self = .dropped
    case .refused(let refusal): self = .refused(refusal)
    case .disconnected: self = .disconnected
    }
  }
}

extension BinaryReply {
  /// The call that a message is; one that is none is turned back.
  func methodCall(_ message: [UInt8]?, _ codec: SharedMethodCodec) -> MethodCall? {
    do throws(CodecError) {
      return try codec.value.decodeMethodCall(message)
    } catch {
      refuse(malformed: error)
      return nil
    }
  }

  /// Turns back a message that the channel's codec cannot read, and reports it.
  public func refuse(malformed error: CodecError) {
    report(.messageMalformed, .error, "\(label): the message is malformed: \(error)")
    refuse(
      Refusal(
        code: "message-malformed", text: "\(label): \(error.description)", offset: error.offset))
  }
}
