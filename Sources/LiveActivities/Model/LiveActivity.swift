import ChannelCodec
import ChannelRouter

/// One Live Activity, and the handle to it. Only its ``ActivityStore`` changes it.
///
/// Belongs to the platform thread. Where exclusivity is unchecked, no access calls back: the checks
/// would be a quarter of the cost of an update.
public final class LiveActivity {
  /// UUID text in upper case.
  public let id: String
  /// 1 for the first that the store started.
  public let number: Int
  public let attributesType: String
  public let attributes: Value
  /// Bytes of compact JSON.
  public let attributesSize: Int
  public let pushType: PushType
  public let style: Style
  /// `app`, or `push` for a push-to-start.
  public let startedBy: Actor
  public let requestedAt: DeviceTime
  /// When a pending activity is to become active.
  public let scheduledStart: DeviceTime?

  @exclusivity(unchecked) public internal(set) var state: State
  @exclusivity(unchecked) public internal(set) var content: Content
  public internal(set) var startedAt: DeviceTime?
  public internal(set) var endedAt: DeviceTime?
  public internal(set) var endedBy: Actor?
  public internal(set) var dismissal: Dismissal?
  /// When the Lock Screen drops an ended activity.
  public internal(set) var removalAt: DeviceTime?
  public internal(set) var dismissedAt: DeviceTime?
  public internal(set) var dismissedBy: Actor?
  /// Lower-case hexadecimal; nil until it arrives.
  public internal(set) var pushToken: String?
  /// The newest timestamp of an update, end or push.
  @exclusivity(unchecked) public internal(set) var lastTimestamp: DeviceTime?
  /// Updates that had effect, by app or push.
  @exclusivity(unchecked) public internal(set) var updateCount = 0
  /// Updates and ends without effect.
  public internal(set) var ignoredCount = 0
  /// The latest alert.
  public internal(set) var alert: Alert?
  /// From before the store's reset, or gone for so long that it has been forgotten.
  @exclusivity(unchecked) public internal(set) var isForgotten = false

  @exclusivity(unchecked) var history: ActivityHistory
  @exclusivity(unchecked) var lastChangedAt: DeviceTime
  @exclusivity(unchecked) var contentFingerprint: UInt64 = 0
  /// When the system ends it; nil while pending.
  var systemEndAt: DeviceTime?
  /// What is due next; `.max` for nothing.
  @exclusivity(unchecked) var deadline = DeviceTime(microseconds: .max)
  var alarm: DeviceClock.Alarm?
  var alarmTime = DeviceTime(microseconds: .max)
  var tokenAlarm: DeviceClock.Alarm?
  var budgetStart = DeviceTime(microseconds: .min)
  var budgetUsed = 0

  init(
    id: String, number: Int, request: ActivityRequest, attributesSize: Int, startedBy: Actor,
    at time: DeviceTime, historyLength: Int
  ) {
    self.id = id
    self.number = number
    attributesType = request.attributesType
    attributes = request.attributes
    self.attributesSize = attributesSize
    pushType = request.pushType
    style = request.style
    self.startedBy = startedBy
    requestedAt = time
    if let start = request.start, start > time {
      scheduledStart = start
      state = .pending
    } else {
      scheduledStart = nil
      startedAt = time
      state = .active
    }
    content = request.content
    alert = request.alert
    history = ActivityHistory(capacity: historyLength)
    lastChangedAt = time
  }

  /// The last changes, oldest first; at most ``ActivitySettings/historyLength``.
  public var changes: [Change] { history.changes }
  /// All changes there were.
  public var changeCount: Int { history.count }

  /// Bytes of the content state as compact JSON. Worked out when asked for.
  public var contentSize: Int { (try? PayloadSize.exact(content.state, "content-state")) ?? 0 }

  /// The activity id that Pushwoosh's SDK and backend keep in the attributes
  /// (`DefaultLiveActivityAttributes.pushwoosh.activityId`).
  public var pushwooshID: String? { attributes["pushwoosh"]?["activityId"]?.string }

  /// What ranks it for the Dynamic Island.
  var rank: Double { content.relevanceScore.isNaN ? -.infinity : content.relevanceScore }

  func note(
    _ kind: Change.Kind, by actor: Actor, at time: DeviceTime, contentState: Value? = nil,
    _ note: String? = nil
  ) {
    history.append(
      Change(time: time, kind: kind, actor: actor, contentState: contentState, note: note))
    lastChangedAt = time
  }
}
