/// What a connection keeps to.
public struct ConnectionSettings: Sendable {
  /// What this side accepts.
  public var limits: FrameLimits
  /// How long to wait for open calls once the other side is done or the server ends.
  public var drainTime: Duration
  /// From here on bytes that wait to be written keep new messages from being read.
  public var pausingOutput: Int
  /// With more bytes waiting the other side counts as not reading, and the connection ends.
  public var maximumOutput: Int
  /// How long a client of a socket may take to greet: until then it has a place and no device.
  public var greetingTime = Duration.seconds(30)
  /// Name and version of this program, for the hello.
  public var software: String

  public init(
    limits: FrameLimits = FrameLimits(), drainTime: Duration = .seconds(5),
    pausingOutput: Int = 1 << 20, maximumOutput: Int = 64 << 20, software: String = "pwbridge"
  ) {
    self.limits = limits
    self.drainTime = drainTime
    self.pausingOutput = pausingOutput
    // One payload of the largest size must always fit.
    self.maximumOutput = max(maximumOutput, pausingOutput + 2 * limits.maximumPayload)
    self.software = software
  }
}

/// How a connection ended.
public struct ConnectionEnd: Sendable {
  public enum Reason: Sendable {
    /// Both sides were done.
    case finished
    /// The stream was not what it should be, or the other side did not keep to the protocol.
    case failed(FrameError)
    /// The other side said so.
    case refused(ReceivedError)
    /// Reading or writing failed; the words are the system's.
    case lost(String)
    /// This side broke it off, as a fault.
    case brokenOff
  }

  public var reason: Reason
  /// The calls of the other side that were never answered, by name.
  public var unanswered: [String]

  public init(_ reason: Reason, unanswered: [String] = []) {
    self.reason = reason
    self.unanswered = unanswered
  }
}
