/// How a mock plays the native side of a recording.
public struct MockOptions: Sendable {
  /// When a message is taken for a recorded one.
  public enum Match: String, Sendable, CaseIterable {
    /// Its channel and its bytes are the same.
    case bytes
    /// Its channel, method and arguments are the same to a Dart program. One with the same bytes is
    /// preferred.
    case dart
  }

  /// In which order recorded messages may be asked for.
  public enum Order: String, Sendable, CaseIterable {
    /// The next message must be the next recorded one.
    case recorded
    /// Among equal messages the first that has not been used.
    case any
  }

  /// What happens to messages that are not in the recording, as VCR has it.
  public enum Mode: String, Sendable, CaseIterable {
    /// They are refused.
    case none
    /// As `none`, unless the recording is missing or has no message from Dart: then all messages
    /// go to the device and are recorded.
    case once
    /// They go to the device and are recorded behind what is there.
    case newEpisodes = "new-episodes"
    /// Nothing is played: all messages go to the device, and the recording is made anew.
    case all
  }

  /// When recorded messages of native code are sent, and answers given.
  public enum Timing: String, Sendable, CaseIterable {
    /// After as many messages from Dart as in the recording.
    case place
    /// As long after the start as in the recording, by the device's clock; an answer as long after
    /// its message.
    case time
  }

  public var match = Match.dart
  public var order = Order.any
  public var mode = Mode.none
  public var timing = Timing.place
  /// Whether the last of equal messages may be used again and again.
  public var reuses = false
  /// Real time without a message from Dart after which an answer no longer waits for the messages
  /// that it came behind in the recording: the client may be waiting for it.
  public var quietTime = Duration.milliseconds(100)

  /// Matching as Dart sees it, any order, nothing but the recording, by place.
  public init() {}
}
