import ChannelRouter

/// A line for people that the other side sent.
public struct ReceivedLog: Hashable, Sendable {
  /// `info`, `warning` or `error`, or what a newer version says.
  public var level: String
  public var text: String
  public var channel: ChannelName?
  /// The call concerned, or 0.
  public var id: UInt64

  init(_ frame: Frame) throws(FrameError) {
    let fields = try Fields(parsing: frame.payload ?? [])
    level = fields["level"] ?? LogLevel.info.rawValue
    text = fields["text"] ?? ""
    channel = frame.channel
    id = frame.id
  }
}
