import ChannelCodec

/// Produces the events of an event channel.
public protocol StreamHandler: AnyObject {
  /// Begins to send events.
  /// - Throws: what Dart gets as the error of its `listen`.
  func onListen(arguments: Value, events: EventSink) throws(MethodError)
  /// Stops sending events.
  func onCancel(arguments: Value) throws(MethodError)
}

/// A named channel for a stream of events from native code to Dart, with the rules of
/// `FlutterEventChannel` (`shell/platform/darwin/common/framework/Source/FlutterChannels.mm`).
///
/// Belongs to the platform thread of its messenger.
public final class EventChannel {
  public let name: ChannelName
  public let messenger: any BinaryMessenger
  public let codec: any MethodCodec

  public init(
    _ name: ChannelName, messenger: any BinaryMessenger,
    codec: any MethodCodec = StandardMethodCodec()
  ) {
    (self.name, self.messenger, self.codec) = (name, messenger, codec)
  }

  // MARK: - Native side

  /// Sets what produces the events; nil takes it away and ends a stream that is open for its
  /// producer.
  public func setStreamHandler(_ handler: (any StreamHandler)?) {
    current?.close()
    current = nil
    guard let handler else { return messenger.setMessageHandler(on: name, nil) }
    let codec = SharedMethodCodec(codec)
    messenger.setMessageHandler(on: name) { [self] message, reply in
      guard let call = reply.methodCall(message, codec) else { return }
      reply.method = call.method
      let result = MethodResult(reply: reply, codec: codec)
      switch call.method {
      case "listen": listen(handler, call.arguments, result)
      case "cancel": cancel(handler, call.arguments, result)
      default: result.notImplemented()
      }
    }
  }

  private var current: EventSink?

  private func listen(_ handler: any StreamHandler, _ arguments: Value, _ result: MethodResult) {
    if let current {
      // Dart may have been restarted without cancelling.
      current.close()
      do throws(MethodError) {
        try handler.onCancel(arguments: .null)
      } catch {
        result.reply.report(
          .streamCancelFailed, .warning,
          "\(name): cancelling the stream before failed: \(error.text)")
      }
    }
    let sink = EventSink(self)
    current = sink
    do throws(MethodError) {
      try handler.onListen(arguments: arguments, events: sink)
      result.success()
    } catch {
      sink.close()
      current = nil
      result.error(error)
    }
  }

  private func cancel(_ handler: any StreamHandler, _ arguments: Value, _ result: MethodResult) {
    guard let current else {
      return result.error(code: "error", message: "No active stream to cancel")
    }
    current.close()
    self.current = nil
    do throws(MethodError) {
      try handler.onCancel(arguments: arguments)
      result.success()
    } catch {
      result.error(error)
    }
  }

  // MARK: - Dart side

  /// Listens to the other side's events, until `cancel` is called.
  /// - Parameter started: called once with the answer to `listen`; nil is success.
  public func listen(
    _ arguments: Value = .null, started: ((MethodOutcome) -> Void)? = nil,
    onEvent: @escaping (StreamEvent) -> Void
  ) throws(CodecError) {
    let codec = codec
    messenger.setMessageHandler(on: name) { message, reply in
      do throws(CodecError) {
        switch try codec.decodeEnvelope(message) {
        case .success(let value): onEvent(.value(value))
        case .error(let error): onEvent(.error(error))
        case nil: onEvent(.end)
        }
      } catch {
        onEvent(.malformed(error))
      }
      reply.send(nil)
    }
    try MethodChannel(name, messenger: messenger, codec: codec)
      .invokeMethod("listen", arguments) { started?($0) }
  }

  /// Stops listening.
  public func cancel(
    _ arguments: Value = .null, stopped: ((MethodOutcome) -> Void)? = nil
  ) throws(CodecError) {
    messenger.setMessageHandler(on: name, nil)
    try MethodChannel(name, messenger: messenger, codec: codec)
      .invokeMethod("cancel", arguments) { stopped?($0) }
  }
}

/// What a stream brings.
public enum StreamEvent: Sendable {
  case value(Value)
  case error(ErrorEnvelope)
  case end
  case malformed(CodecError)
}

extension MethodError {
  var text: String { "\(code) \(message ?? "")" }
}
