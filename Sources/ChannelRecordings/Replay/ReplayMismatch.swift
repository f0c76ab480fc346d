import ChannelCodec
import ChannelRouter

/// Something that is not as recorded.
public struct ReplayMismatch: Sendable {
  /// What it is about.
  public enum Subject: String, Sendable {
    /// What answered a message from Dart.
    case answer
    /// A message from native code that differs from the recorded one.
    case nativeMessage = "native-message"
    /// A recorded message from native code that did not come.
    case nativeMessageMissing = "native-message-missing"
    /// A message from native code that is not recorded.
    case nativeMessageExtra = "native-message-extra"
    /// Something wrong with the recording itself.
    case recording
  }

  public var subject: Subject
  /// Where the recorded message is; nil for one that is not recorded.
  public var place: RecordingError.Place?
  public var channel: ChannelName?
  /// Channel, method and arguments in a few words, or what is wrong with the recording.
  public var label: String
  /// What can be put before a colon and a path to ignore the difference: `PW.startLiveActivity`.
  public var ruleSubject: String
  /// What differs; empty where the subject says it all.
  public var comparison: Comparison

  /// Several lines for people, the first with place and call, one or two for each difference.
  public var lines: [String] {
    var lines = [(place.map { "\($0.text): " } ?? "") + label + suffix]
    for difference in comparison.differences {
      lines.append("  \(difference.text)")
      var advice = difference.dartView
      if !difference.path.isRoot {
        let rule = "\(ruleSubject): \(MessagePath.text(of: difference.path))"
        if !rule.utf8.contains(0x27) { advice += "; to ignore it: --ignore '\(rule)'" }
      }
      lines.append("    \(advice)")
    }
    if comparison.furtherCount > 0 {
      lines.append("  and \(comparison.furtherCount) more differences")
    }
    return lines
  }

  private var suffix: String {
    switch subject {
    case .answer, .recording: ""
    case .nativeMessage: " (to Dart)"
    case .nativeMessageMissing: ": recorded, but the native side did not send it"
    case .nativeMessageExtra: ": sent by the native side, but not recorded"
    }
  }
}

extension RecordingError.Place {
  /// `line 12` or `byte 4711`.
  public var text: String {
    switch self {
    case .line(let line, _): "line \(line)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

/// What came of a replay.
public struct ReplaySummary: Sendable {
  /// Messages from Dart that were sent.
  public internal(set) var sent: UInt64 = 0
  /// Messages from native code that are recorded.
  public internal(set) var expected: UInt64 = 0
  /// Entries of channels that were not asked for.
  public internal(set) var skipped: UInt64 = 0
  public internal(set) var same: UInt64 = 0
  public internal(set) var ignored: UInt64 = 0
  /// Other bytes that mean the same to Dart.
  public internal(set) var sameInDart: UInt64 = 0
  /// All that counts as a mismatch but for ``faults``.
  public internal(set) var different: UInt64 = 0
  /// Entries of the recording that cannot be read or make no sense.
  public internal(set) var faults: UInt64 = 0
  /// Answers that came after their time was over.
  public internal(set) var late: UInt64 = 0
  /// Set when the recording ends in the middle of an entry.
  public internal(set) var tornTail: TornTail?
  /// From the first message to the last answer.
  public internal(set) var nanoseconds: UInt64 = 0

  /// Channels and methods in the order in which they came first, with their first mismatches.
  public internal(set) var methods: [(tally: ReplayTally, failures: [String])] = []

  /// Whether all was as recorded, or means the same where only that counts.
  public var isClean: Bool { different == 0 && faults == 0 }
}
