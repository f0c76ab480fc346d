/// What one side accepts from the other. Both sides announce theirs in the hello, and a sender goes
/// by the limits of its receiver.
public struct FrameLimits: Hashable, Sendable {
  /// The most that a length field of the format can say.
  public static let largestPayload = Int(UInt32.max)
  /// The most that the name-length field can say.
  public static let longestChannelName = Int(UInt16.max)
  /// A hello is never larger, so that bytes 2 and 3 of a stream are zero.
  public static let largestHello = Int(UInt16.max)

  /// Bytes of a payload without padding. 16 MiB unless set.
  public var maximumPayload: Int
  /// Bytes of a channel name. 4,096 unless set.
  public var maximumChannelName: Int
  /// Messages without an answer yet; past that the receiver stops reading. 1,024 unless set.
  public var maximumOpenCalls: Int

  /// Values outside of what the format can say become the nearest inside.
  public init(
    maximumPayload: Int = 16 << 20, maximumChannelName: Int = 4096, maximumOpenCalls: Int = 1024
  ) {
    self.maximumPayload = min(max(maximumPayload, 0), Self.largestPayload)
    self.maximumChannelName = min(max(maximumChannelName, 1), Self.longestChannelName)
    self.maximumOpenCalls = max(maximumOpenCalls, 1)
  }
}
