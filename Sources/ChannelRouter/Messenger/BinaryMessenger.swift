/// Sends and receives messages as bytes on named channels
/// (`packages/flutter/lib/src/services/binary_messenger.dart`; FlutterBinaryMessenger on iOS).
///
/// nil stands for no message, which is not an empty one. All members belong to the platform
/// thread.
public protocol BinaryMessenger: AnyObject {
  /// The thread that handlers run on.
  var thread: any PlatformThread { get }

  /// Sends a message to the other side.
  /// - Parameter reply: called once with what came of it; nil when no reply is wanted.
  func send(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?)

  /// Sets what handles the messages that the other side sends on a channel; nil takes it away.
  func setMessageHandler(on channel: ChannelName, _ handler: BinaryMessageHandler?)
}

public typealias BinaryReplyHandler = (ReplyOutcome) -> Void
/// Must see to it that the reply is answered once, now or later.
public typealias BinaryMessageHandler = (_ message: [UInt8]?, _ reply: BinaryReply) -> Void

/// One connection to the other side, as a messenger sees it.
public protocol MessagePort: AnyObject {
  /// In the count of the server that has the connection; 0 where nobody counts.
  var number: Int { get }
  /// Carries a message to the other side.
  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?)
  /// Answers the message that arrived through this port under `id`. Called once for each, and for
  /// those with the id 0, which want no answer, never.
  func answer(_ id: UInt64, with outcome: ReplyOutcome)
  /// Tells the other side what it could do better.
  func tell(_ report: MessengerReport)
  /// Ends the connection without a farewell, as a fault.
  func breakOff()
}

extension MessagePort {
  public var number: Int { 0 }
}
