import ChannelRouter

/// The native side that a recording is replayed against.
///
/// All is done on the thread that replays.
public protocol ReplayTarget: AnyObject {
  /// Where answers and messages go. Set by the replay.
  var receiver: (any ReplayReceiver)? { get set }

  /// Sends a message from Dart. What comes of it may come at once or during ``wait(_:)``.
  ///
  /// - Parameter number: names the call in ``ReplayReceiver/answered(_:with:)``; never 0.
  func send(_ message: [UInt8]?, on channel: ChannelName, number: UInt64, wantsAnswer: Bool)

  /// Lets things happen until something did or the time is over. 0 only looks.
  ///
  /// - Throws: when the native side has gone.
  func wait(nanoseconds: UInt64) throws(ReplayFailure)

  /// Whether nothing can come any more unless another message is sent.
  var isQuiet: Bool { get }
}

/// Takes what comes from the native side.
public protocol ReplayReceiver: AnyObject {
  /// What came of a message that wanted an answer. Once for each.
  func answered(_ number: UInt64, with outcome: ReplyOutcome)
  /// A message from the native side.
  ///
  /// - Parameter reply: to be called once; nil when no reply is wanted.
  func received(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?)
}

/// Why a replay cannot go on.
public struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line.
  public var description: String

  public init(_ description: String) { self.description = description }
}
