/// Something that happened between the messages and that someone should know of.
public struct MessengerReport: Sendable, Hashable {
  public enum Level: String, Sendable, CaseIterable {
    case info
    case warning
    case error
  }

  public enum Kind: String, Sendable, CaseIterable {
    /// A handler answered the same call again.
    case replyAlreadySubmitted
    /// A handler released its reply without answering.
    case replyDropped
    case handlerThrew
    /// A handler's result is nothing that the channel's codec can write.
    case resultUnencodable
    /// A message is nothing that the channel's codec can read.
    case messageMalformed
    /// A reply from the other side is nothing that the channel's codec can read.
    case replyMalformed
    /// A message for a channel without a listener had to make room for a newer one.
    case bufferOverflow
    case bufferControlMalformed
    case streamCancelFailed
    /// A handler was set, or a message sent, from another thread than the platform thread.
    case wrongThread
    /// What a handler has to say about a call.
    case remark
  }

  public var kind: Kind
  public var level: Level
  public var text: String
  public var channel: ChannelName?
  /// The number of the call in the messenger's own count; 0 for none.
  public var call: UInt64
  /// The id under which the other side knows the call; 0 for none.
  public var id: UInt64

  public init(
    _ kind: Kind, _ level: Level, _ text: String, channel: ChannelName? = nil,
    call: UInt64 = 0, id: UInt64 = 0
  ) {
    (self.kind, self.level, self.text) = (kind, level, text)
    (self.channel, self.call, self.id) = (channel, call, id)
  }
}
