import ChannelCodec
import ChannelRouter
import Foundation

/// Takes the reply to a message (`FlutterChannels.h`).
public typealias FlutterReply = (Any?) -> Void

/// Handles a message from Dart (`FlutterChannels.h`).
public typealias FlutterMessageHandler = (Any?, @escaping FlutterReply) -> Void

/// A named channel for messages of any codec, both ways (`FlutterChannels.h`, `FlutterChannels.mm`).
open class FlutterBasicMessageChannel: NSObject {
  private let end: ChannelEnd
  private let codec: any FlutterMessageCodec & NSObjectProtocol

  /// A channel with the standard codec, handled on the main thread.
  public convenience init(name: String, binaryMessenger messenger: any FlutterBinaryMessenger) {
    self.init(
      name: name, binaryMessenger: messenger, codec: FlutterStandardMessageCodec.sharedInstance())
  }

  /// A channel with another codec, handled on the main thread.
  public convenience init(
    name: String, binaryMessenger messenger: any FlutterBinaryMessenger,
    codec: any FlutterMessageCodec & NSObjectProtocol
  ) {
    self.init(name: name, binaryMessenger: messenger, codec: codec, taskQueue: nil)
  }

  /// - Parameter taskQueue: where handlers run; nil is the main thread.
  public init(
    name: String, binaryMessenger messenger: any FlutterBinaryMessenger,
    codec: any FlutterMessageCodec & NSObjectProtocol, taskQueue: (any FlutterTaskQueue)?
  ) {
    end = ChannelEnd(name, messenger, taskQueue)
    self.codec = codec
  }

  /// Sends a message to Dart.
  open func sendMessage(_ message: Any?) {
    let encoded = end.encoded("the message") { codec.encode(message) }
    if encoded.isWhole { end.send(encoded.data) }
  }

  /// Sends a message to Dart.
  /// - Parameter callback: called on the main thread with the reply; never, if Dart gives none.
  open func sendMessage(_ message: Any?, reply callback: FlutterReply?) {
    guard let callback else { return sendMessage(message) }
    let encoded = end.encoded("the message") { codec.encode(message) }
    if encoded.isWhole { end.send(encoded.data, reply: decoding(callback)) }
  }

  private func decoding(_ callback: @escaping FlutterReply) -> FlutterBinaryReply {
    let end = end
    let codec = codec
    return { data in callback(end.decoded("the reply", data) { codec.decode($0) }) }
  }

  /// Sets what handles Dart's messages; nil takes it away.
  open func setMessageHandler(_ handler: FlutterMessageHandler? = nil) {
    guard let handler else { return end.setHandler(nil) }
    let codec = codec
    end.setHandler { data, reply in
      let (message, trouble) = CodecTrouble.collecting { codec.decode(data) }
      if let trouble { return reply.refuse(malformed: trouble) }
      handler(message) { answer in
        let (data, trouble) = CodecTrouble.collecting { codec.encode(answer) }
        if let trouble, !reply.isAnswered { return reply.refuse(unencodable: trouble) }
        reply.send(data)
      }
    }
  }

  // MARK: - Buffers in Dart

  /// Asks Dart to keep this many messages of a channel while nobody listens there
  /// (`dev.flutter/channel-buffers`, `lib/ui/channel_buffers.dart`).
  open class func resizeChannel(
    withName name: String, binaryMessenger messenger: any FlutterBinaryMessenger, size newSize: Int
  ) {
    // Dart refuses other widths.
    control("resize", [name, Int32(clamping: newSize)], messenger)
  }

  /// Asks Dart to keep this many messages of this channel while nobody listens there.
  open func resizeChannelBuffer(_ newSize: Int) {
    FlutterBasicMessageChannel.resizeChannel(
      withName: end.name, binaryMessenger: end.messenger, size: newSize)
  }

  /// Whether Dart warns when messages are lost because nobody listens.
  open class func setWarnsOnOverflow(
    _ warns: Bool, forChannelWithName name: String,
    binaryMessenger messenger: any FlutterBinaryMessenger
  ) {
    control("overflow", [name, !warns], messenger)
  }

  /// Whether Dart warns when messages of this channel are lost because nobody listens.
  open func setWarnsOnOverflow(_ warns: Bool) {
    FlutterBasicMessageChannel.setWarnsOnOverflow(
      warns, forChannelWithName: end.name, binaryMessenger: end.messenger)
  }

  private static func control(
    _ method: String, _ arguments: [Any], _ messenger: any FlutterBinaryMessenger
  ) {
    let call = FlutterMethodCall(methodName: method, arguments: arguments)
    messenger.send(
      onChannel: "dev.flutter/channel-buffers",
      message: FlutterStandardMethodCodec.sharedInstance().encode(call))
  }
}
