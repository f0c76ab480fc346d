import ChannelCodec
import ChannelRouter

extension LiveActivity {
  /// ActivityKit's `ActivityState`; raw values are its case names.
  public enum State: String, Sendable, CaseIterable {
    /// Requested with a start date that has not come (iOS 26).
    case pending
    case active
    /// Past its stale date.
    case stale
    /// Ended, and still on the Lock Screen.
    case ended
    /// Gone from the screen.
    case dismissed

    /// The states that can follow this one.
    public var successors: Set<State> {
      switch self {
      case .pending: [.active, .ended, .dismissed]
      case .active: [.stale, .ended, .dismissed]
      case .stale: [.active, .ended, .dismissed]
      case .ended: [.dismissed]
      case .dismissed: []
      }
    }

    /// Updates reach it.
    public var isLive: Bool { self == .pending || self == .active || self == .stale }
  }

  /// ActivityKit's `ActivityContent`.
  public struct Content: Sendable, Hashable {
    /// The content state as JSON can say it: a map in practice.
    public var state: Value
    public var staleDate: DeviceTime?
    /// The highest gets the Dynamic Island; any double. NaN counts as the lowest.
    public var relevanceScore: Double

    public init(
      state: Value, staleDate: DeviceTime? = nil, relevanceScore: Double = 0
    ) {
      self.state = state
      self.staleDate = staleDate
      self.relevanceScore = relevanceScore
    }
  }

  /// ActivityKit's `PushType`, with a case for nil.
  public enum PushType: Sendable, Hashable {
    case none
    case token
    /// A broadcast channel (iOS 18).
    case channel(String)
  }

  /// ActivityKit's `ActivityStyle` (iOS 18). Carried along; nothing here depends on it.
  public enum Style: String, Sendable, CaseIterable {
    case standard
    case transient
  }

  /// ActivityKit's `ActivityUIDismissalPolicy`.
  public enum Dismissal: Sendable, Hashable {
    /// On the Lock Screen until the person removes it, at most four hours.
    case `default`
    case immediate
    /// At this time, at most four hours after the end.
    case after(DeviceTime)
  }

  /// ActivityKit's `AlertConfiguration`. Title and body are text, or a map with `loc-key` and
  /// `loc-args` as APNs has it.
  public struct Alert: Sendable, Hashable {
    public var title: Value
    public var body: Value
    /// nil: the default sound.
    public var sound: String?

    public init(title: Value, body: Value, sound: String? = nil) {
      self.title = title
      self.body = body
      self.sound = sound
    }
  }

  /// Who did it.
  public enum Actor: String, Sendable, CaseIterable {
    /// The app's own code.
    case app
    /// An APNs push.
    case push
    /// iOS, by its clock or limits.
    case system
    /// The person at the device.
    case user
  }

  /// One entry of an activity's history.
  public struct Change: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
      case requested, started, updated, stale, ended, dismissed, token, ignored, refused
    }
    public var time: DeviceTime
    public var kind: Kind
    public var actor: Actor
    /// The content state that the change brought.
    public var contentState: Value?
    /// Why nothing came of it, or another remark.
    public var note: String?
  }
}

/// What `Activity.request` is given.
public struct ActivityRequest: Sendable {
  /// The name of the attributes' Swift type.
  public var attributesType: String
  public var attributes: Value
  public var content: LiveActivity.Content
  public var pushType: LiveActivity.PushType
  public var style: LiveActivity.Style
  public var alert: LiveActivity.Alert?
  /// When the activity becomes active (iOS 26); nil or past: now.
  public var start: DeviceTime?
  /// Made by a `LiveActivityIntent`, which may start from the background.
  public var isFromIntent: Bool

  public init(
    attributesType: String, attributes: Value, content: LiveActivity.Content,
    pushType: LiveActivity.PushType = .none, style: LiveActivity.Style = .standard,
    alert: LiveActivity.Alert? = nil, start: DeviceTime? = nil, isFromIntent: Bool = false
  ) {
    self.attributesType = attributesType
    self.attributes = attributes
    self.content = content
    self.pushType = pushType
    self.style = style
    self.alert = alert
    self.start = start
    self.isFromIntent = isFromIntent
  }
}
