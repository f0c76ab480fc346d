/// Watches what goes through a messenger: a log, a recorder. All calls are on the platform thread.
public protocol TrafficObserver: AnyObject {
  /// A message from the other side, before its handler runs.
  func messenger(_ messenger: RoutingMessenger, received call: BinaryReply)
  /// What the other side gets for it.
  func messenger(_ messenger: RoutingMessenger, answered call: BinaryReply, with: ReplyOutcome)
  /// A message to the other side.
  func messenger(_ messenger: RoutingMessenger, sent message: SentMessage)
  /// What the other side made of it.
  func messenger(
    _ messenger: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage)
  func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport)
}

/// A message on its way to the other side.
public struct SentMessage: Sendable {
  /// In the messenger's own count, which messages of both directions share.
  public let number: UInt64
  public let channel: ChannelName
  public let payload: [UInt8]?
  public let wantsReply: Bool
}

/// Stands before the handlers and may take a message over: faults, mocks.
public protocol MessageInterceptor: AnyObject {
  /// Whether the interceptor sees to the reply itself, so that no handler gets the message. One
  /// that returns false may have set ``BinaryReply/onSettle``.
  func intercept(_ call: BinaryReply) -> Bool
  /// The caller no longer cares for the call with this number: its answer need not be held.
  func cancelled(_ call: UInt64)
  /// The connection has ended: what is held for it reaches nobody.
  func disconnected(_ port: any MessagePort)
}

extension MessageInterceptor {
  public func cancelled(_ call: UInt64) {}
  public func disconnected(_ port: any MessagePort) {}
}
