/// How a recording is replayed.
public struct ReplayOptions: Sendable {
  /// Channels to replay; all while it is empty.
  public var channels: [Glob] = []
  /// How many times faster than recorded messages are sent; 0 for no pauses at all.
  public var speed: Double = 0
  /// How long to wait for an answer that was recorded.
  public var timeout = Duration.seconds(30)
  /// How long to wait before the next message for what may never come: recorded messages from
  /// native code, and news of a dropped reply. A channel that does not keep the time is not waited
  /// for again.
  public var grace = Duration.milliseconds(500)
  /// What counts as the same.
  public var matching = MessageComparer.Matching.bytes
  /// Compares what is not the same byte for byte.
  public var comparer = MessageComparer()
  /// Mismatches of a method to keep for ``ReplaySummary/methods``; further ones are counted.
  public var mostFailures = 20

  public init() {}
}
