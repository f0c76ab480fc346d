import ChannelCodec
import ChannelRouter
import Foundation

/// Takes the result of a method call, from any thread: a value, a ``FlutterError``, or
/// ``FlutterMethodNotImplemented`` (`FlutterChannels.h`). iOS ignores a second result without a
/// word; here it is reported. One that never comes leaves the Future in Dart pending, which the
/// caller is told as soon as the last copy of the closure is gone.
public typealias FlutterResult = (Any?) -> Void

/// Handles a method call from Dart (`FlutterChannels.h`).
public typealias FlutterMethodCallHandler = (FlutterMethodCall, @escaping FlutterResult) -> Void

/// A named channel for method calls, both ways (`FlutterChannels.h`, `FlutterChannels.mm`).
open class FlutterMethodChannel: NSObject {
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

  /// - Parameter taskQueue: where handlers run, from ``FlutterBinaryMessenger``'s
  ///   `makeBackgroundTaskQueue`; nil is the main thread.
  public init(
    name: String, binaryMessenger messenger: any FlutterBinaryMessenger,
    codec: any FlutterMethodCodec & NSObjectProtocol, taskQueue: (any FlutterTaskQueue)?
  ) {
    end = ChannelEnd(name, messenger, taskQueue)
    self.codec = codec
  }

  /// Calls a Dart method whose result nobody waits for.
  open func invokeMethod(_ method: String, arguments: Any?) {
    guard let message = message(method, arguments) else { return }
    end.send(message)
  }

  /// Calls a Dart method.
  /// - Parameter callback: called on the main thread with the result, a ``FlutterError``, or
  ///   ``FlutterMethodNotImplemented``; never, if Dart gives no reply.
  open func invokeMethod(_ method: String, arguments: Any?, result callback: FlutterResult?) {
    guard let message = message(method, arguments) else { return }
    guard let callback else { return end.send(message) }
    let end = end
    let codec = codec
    end.send(message) { reply in
      guard let reply else { return callback(FlutterMethodNotImplemented) }
      callback(
        end.decoded("the reply to \(method)", reply) { $0.flatMap { codec.decodeEnvelope($0) } })
    }
  }

  private func message(_ method: String, _ arguments: Any?) -> Data? {
    let call = FlutterMethodCall(methodName: method, arguments: arguments)
    let encoded = end.encoded("the call of \(method)") { codec.encode(call) }
    return encoded.isWhole ? encoded.data : nil
  }

  /// Sets what handles Dart's calls; nil takes it away.
  open func setMethodCallHandler(_ handler: FlutterMethodCallHandler? = nil) {
    guard let handler else { return end.setHandler(nil) }
    let codec = codec
    end.setHandler(naming: MethodNaming.of(codec)) { message, reply in
      guard let call = FlutterMethodChannel.call(in: message, codec, reply) else { return }
      handler(call) { FlutterMethodChannel.answer(reply, $0, codec) }
    }
  }

  /// The call in a message; nil after the message has been refused.
  static func call(
    in message: Data?, _ codec: any FlutterMethodCodec, _ reply: ReplyEnd
  ) -> FlutterMethodCall? {
    guard let message else {
      reply.refuse(
        malformed: CodecError(
          .noMessage, offset: 0, expected: "a method call", found: "no message",
          consequence: .crash, platformError: "nil method call"))
      return nil
    }
    let (call, trouble) = CodecTrouble.collecting { codec.decodeMethodCall(message) }
    guard let trouble else { return call }
    reply.refuse(malformed: trouble)
    return nil
  }

  static func answer(_ reply: ReplyEnd, _ result: Any?, _ codec: any FlutterMethodCodec) {
    // A second result goes nowhere, so that it need not be written to be reported.
    if reply.isAnswered { return reply.send(nil) }
    if (result as AnyObject?) === FlutterMethodNotImplemented { return reply.send(nil) }
    let (data, trouble) = CodecTrouble.collecting {
      if let error = result as? FlutterError { return codec.encodeErrorEnvelope(error) }
      return codec.encodeSuccessEnvelope(result)
    }
    if let trouble { reply.tell(unencodable: trouble) }
    reply.send(data)
  }

  /// Asks Dart to keep this many messages while nobody listens there.
  open func resizeChannelBuffer(_ newSize: Int) {
    FlutterBasicMessageChannel.resizeChannel(
      withName: end.name, binaryMessenger: end.messenger, size: newSize)
  }
}
