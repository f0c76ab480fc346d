import ChannelCodec
import ChannelRouter
import Foundation

/// Takes the events of a stream: a value, a ``FlutterError``, or ``FlutterEndOfEventStream``
/// (`FlutterChannels.h`). To be used on the main thread.
public typealias FlutterEventSink = (Any?) -> Void

/// Produces the events of a stream (`FlutterChannels.h`).
public protocol FlutterStreamHandler {
  /// Begins to send events.
  /// - Returns: what Dart gets as the error of its `listen`; nil is success.
  func onListen(withArguments arguments: Any?, eventSink events: @escaping FlutterEventSink)
    -> FlutterError?
  /// Stops sending events.
  /// - Returns: what Dart gets as the error of its `cancel`; nil is success.
  func onCancel(withArguments arguments: Any?) -> FlutterError?
}

/// A named channel for a stream of events to Dart (`FlutterChannels.h`, `FlutterChannels.mm`).
open class FlutterEventChannel: NSObject {
  private let end: ChannelEnd
  private let codec: any FlutterMethodCodec & NSObjectProtocol

  /// A channel with the standard codec, handled on the main thread.
  public convenience init(name: String, binaryMessenger messenger: any FlutterBinaryMessenger) {
    self.init(
      name: name, binaryMessenger: messenger, codec: FlutterStandardMethodCodec.sharedInstance())
  }

  /// A channel with another codec, handled on the main thread.
  public convenience init(
    name: String, binaryMessenger messenger: any FlutterBinaryMessenger,
    codec: any FlutterMethodCodec & NSObjectProtocol
  ) {
    self.init(name: name, binaryMessenger: messenger, codec: codec, taskQueue: nil)
  }

  /// - Parameter taskQueue: where the stream handler is called; nil is the main thread.
  public init(
    name: String, binaryMessenger messenger: any FlutterBinaryMessenger,
    codec: any FlutterMethodCodec & NSObjectProtocol, taskQueue: (any FlutterTaskQueue)?
  ) {
    end = ChannelEnd(name, messenger, taskQueue)
    self.codec = codec
  }

  /// Sets what produces the events; nil takes it away, without a word to what produced them.
  open func setStreamHandler(_ handler: (any FlutterStreamHandler & NSObjectProtocol)?) {
    guard let handler else { return end.setHandler(nil) }
    let stream = EventStream(end, codec, handler)
    let codec = codec
    end.setHandler(naming: MethodNaming.of(codec)) { message, reply in
      guard let call = FlutterMethodChannel.call(in: message, codec, reply) else { return }
      switch call.method {
      case "listen": FlutterMethodChannel.answer(reply, stream.listen(call.arguments), codec)
      case "cancel": FlutterMethodChannel.answer(reply, stream.cancel(call.arguments), codec)
      default: reply.send(nil)
      }
    }
  }
}

/// What goes on between one stream handler and Dart. All calls come from the channel's queue.
private final class EventStream {
  private let end: ChannelEnd
  private let codec: any FlutterMethodCodec
  private let handler: any FlutterStreamHandler
  /// The stream that Dart listens to; iOS keeps it also where `onListen` has failed.
  private var current: Sink?

  /// One stream from `listen` to `cancel`.
  private final class Sink: @unchecked Sendable {
    private let lock = NSLock()
    private var isOver = false

    func finish() { lock.withLock { isOver = true } }
    var isFinished: Bool { lock.withLock { isOver } }
  }

  init(
    _ end: ChannelEnd, _ codec: any FlutterMethodCodec, _ handler: any FlutterStreamHandler
  ) {
    (self.end, self.codec, self.handler) = (end, codec, handler)
  }

  func listen(_ arguments: Any?) -> FlutterError? {
    if let current {
      // Dart may have been restarted without cancelling.
      current.finish()
      if let error = handler.onCancel(withArguments: nil) {
        end.complain(
          .warning, .streamCancelFailed,
          "cancelling the stream before failed: \(error.code) \(error.message ?? "")")
      }
    }
    let sink = Sink()
    current = sink
    return handler.onListen(withArguments: arguments, eventSink: events(of: sink))
  }

  func cancel(_ arguments: Any?) -> FlutterError? {
    guard let current else {
      return FlutterError(code: "error", message: "No active stream to cancel", details: nil)
    }
    current.finish()
    self.current = nil
    return handler.onCancel(withArguments: arguments)
  }

  private func events(of sink: Sink) -> FlutterEventSink {
    let end = end
    let codec = codec
    return { event in
      if sink.isFinished {
        end.complain(
          .warning, .remark, "an event after the end of its stream; iOS sends it all the same")
      }
      if (event as AnyObject?) === FlutterEndOfEventStream {
        sink.finish()
        return end.send(nil)
      }
      let encoded = end.encoded("the event") {
        if let error = event as? FlutterError { return codec.encodeErrorEnvelope(error) }
        return codec.encodeSuccessEnvelope(event)
      }
      end.send(encoded.data)
    }
  }
}
