import ChannelRouter
import LiveActivities

/// Where an activity stands in its life (`/documentation/activitykit/activitystate`).
public enum ActivityState: Sendable, Codable, Hashable {
  /// Requested with a start date that has not come (iOS 26).
  case pending
  /// On screen, and updates reach it.
  case active
  /// Ended, and still on the Lock Screen.
  case ended
  /// Gone from the screen.
  case dismissed
  /// Past its stale date (iOS 16.2).
  case stale
}

extension ActivityState {
  init(_ state: LiveActivity.State) {
    self =
      switch state {
      case .pending: .pending
      case .active: .active
      case .stale: .stale
      case .ended: .ended
      case .dismissed: .dismissed
      }
  }
}

/// How an activity presents itself (iOS 18; `/documentation/activitykit/activitystyle`). Carried
/// along; nothing here depends on it.
public enum ActivityStyle: Sendable, Codable, Hashable {
  case standard
  case transient
}

extension ActivityStyle {
  var stored: LiveActivity.Style { self == .transient ? .transient : .standard }
}

/// How an activity takes pushes: one way, or none where the type is nil
/// (`/documentation/activitykit/pushtype`).
public struct PushType: Sendable, Hashable {
  let stored: LiveActivity.PushType

  /// By a token of its own, which arrives through `pushTokenUpdates`.
  public static let token = PushType(stored: .token)

  /// By a broadcast channel (iOS 18).
  public static func channel(_ channelId: String) -> PushType {
    PushType(stored: .channel(channelId))
  }
}

/// When an ended activity leaves the Lock Screen
/// (`/documentation/activitykit/activityuidismissalpolicy`).
public struct ActivityUIDismissalPolicy: Equatable, Sendable {
  let stored: LiveActivity.Dismissal

  /// When the person removes it, and after four hours at the latest.
  public static let `default` = ActivityUIDismissalPolicy(stored: .default)
  /// At once.
  public static let immediate = ActivityUIDismissalPolicy(stored: .immediate)

  /// At this time, and four hours after the end at the latest.
  public static func after(_ date: Date) -> ActivityUIDismissalPolicy {
    ActivityUIDismissalPolicy(stored: .after(DeviceTime(date)))
  }
}

extension DeviceTime {
  init(_ date: Date) { self.init(seconds: date.timeIntervalSince1970) }
}

extension Date {
  init(_ time: DeviceTime) { self.init(timeIntervalSince1970: time.seconds) }
}
