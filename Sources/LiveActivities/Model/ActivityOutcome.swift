import ChannelRouter

/// What came of an update or end. ActivityKit's own calls never throw and tell nothing.
public enum ActivityOutcome: Sendable, Hashable {
  case applied
  /// Applied, but the content state equals the one before: a device may not draw it again.
  case appliedUnchanged
  /// Silently without effect, as on a device.
  case ignored(Ignored)
  /// The data cannot be shown; the activity stays as it was.
  case refused(ActivityRefusal)

  public enum Ignored: Sendable, Hashable {
    /// The activity has ended; `state` is ended or dismissed.
    case over(LiveActivity.State)
    case olderTimestamp(given: DeviceTime, last: DeviceTime)
    /// No activity with this id, or one from before a reset.
    case unknownActivity
    /// More pushes of priority 10 than ``ActivitySettings/pushBudget`` within the hour.
    case overBudget(limit: Int)
  }

  public var isApplied: Bool {
    switch self {
    case .applied, .appliedUnchanged: true
    case .ignored, .refused: false
    }
  }
}

extension ActivityOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .applied: "applied"
    case .appliedUnchanged: "applied; equal to the content before, so a device may not redraw"
    case .ignored(let reason): "ignored: \(reason)"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }
}

extension ActivityOutcome.Ignored: CustomStringConvertible {
  /// A stable name for programs: `ended`, `dismissed`, `olderTimestamp`, `unknownActivity`,
  /// `overBudget`.
  public var name: String {
    switch self {
    case .over(let state): state.rawValue
    case .olderTimestamp: "olderTimestamp"
    case .unknownActivity: "unknownActivity"
    case .overBudget: "overBudget"
    }
  }

  public var description: String {
    switch self {
    case .over(.dismissed): "the activity is dismissed; start a new one"
    case .over: "the activity has ended; start a new one"
    case .olderTimestamp(let given, let last):
      "its timestamp \(given.seconds) is older than the last change, \(last.seconds)"
    case .unknownActivity: "there is no such activity"
    case .overBudget(let limit):
      "more than \(limit) pushes of priority 10 within the hour; send with priority 5"
    }
  }
}
