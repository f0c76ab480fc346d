import ChannelCodec

/// Something wrong with a push or server request: where, what, and what to do.
public struct PushFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// Who stumbles over it.
  public enum Stage: String, Sendable, CaseIterable {
    /// The text is no JSON.
    case text
    /// Pushwoosh's server refuses the request.
    case backend
    /// APNs answers with an error.
    case apns
    /// The device drops the push without a word.
    case device
    /// The push works; it may not do what was meant.
    case remark
  }

  public var stage: Stage
  /// Such as `aps.content-state`; empty for the payload as a whole.
  public var path: String
  public var problem: String
  public var advice: String

  public init(_ stage: Stage, _ path: String, _ problem: String, _ advice: String) {
    self.stage = stage
    self.path = path
    self.problem = problem
    self.advice = advice
  }

  public var isFatal: Bool { stage != .remark }

  /// `aps.content-state: missing. Add …`
  public var description: String {
    "\(path.isEmpty ? "payload" : path): \(problem). \(advice)"
  }
}

/// What became of a push.
public struct PushReport: Sendable, Hashable {
  /// What it did to one activity.
  public struct Result: Sendable, Hashable {
    public var activityID: String
    public var outcome: ActivityOutcome

    public init(activityID: String, outcome: ActivityOutcome) {
      self.activityID = activityID
      self.outcome = outcome
    }
  }

  /// One per activity reached; a start has the new one.
  public var results: [Result] = []
  public var faults: [PushFault] = []
  /// The push was fine but ActivityKit refused to start the activity.
  public var refusal: ActivityRefusal?

  public init() {}

  /// At least one activity took it.
  public var hadEffect: Bool { results.contains { $0.outcome.isApplied } }
}

/// Whom a push goes to.
public enum PushTarget: Sendable, Hashable {
  /// A start: this app. An update or end: the only activity that takes pushes.
  case automatic
  /// An activity's push token, or the push-to-start token.
  case token(String)
  case activity(id: String)
  /// All activities of a broadcast channel (iOS 18).
  case channel(String)
}
