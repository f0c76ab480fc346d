import ChannelCodec
import ChannelRouter

/// The Live Activities of one app on one device, under ActivityKit's rules
/// (developer.apple.com, `/documentation/activitykit`), on the device's clock.
///
/// Memory is bounded by the settings: live activities by ``ActivitySettings/maximumPerApp``, ended
/// ones by ``ActivitySettings/maximumEndedOnScreen``, removed ones by
/// ``ActivitySettings/rememberedActivities``, and each one's history.
///
/// Belongs to the platform thread.
public final class ActivityStore {
  /// A handle to stop observing.
  public struct Observation: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  public let clock: DeviceClock
  public let seed: UInt64
  /// May be changed at any time; what is running keeps the deadlines that it has.
  @exclusivity(unchecked) public var settings: ActivitySettings
  private let initialSettings: ActivitySettings

  // MARK: Switches

  /// The person's switch in Settings. On by default, without a prompt.
  public internal(set) var areActivitiesEnabled = true
  /// The person's switch for more frequent updates.
  public internal(set) var isFrequentPushesSwitchOn = true
  public internal(set) var isForeground = true

  // MARK: Activities

  /// On screen or pending, in order of start.
  var known: [LiveActivity] = []
  /// Dismissed, oldest first.
  var removed: [LiveActivity] = []
  var byID: [String: LiveActivity] = [:]
  /// Of `known`, those that have ended.
  var endedCount = 0
  var startCount = 0
  /// The activity that has the Dynamic Island.
  public internal(set) var islandOwner: LiveActivity?

  // MARK: Tokens and types

  /// App-wide; nil until it arrives (iOS 17.2).
  public internal(set) var pushToStartToken: String?
  var pushToStartAlarm: DeviceClock.Alarm?
  var attributesTypes: [String: AttributesType] = [:]
  /// What the backend knows: Live Activity id to push token, as `setActivityToken` tells it.
  var backendTokens = BackendTokens()
  var idRandom: SplitMix64
  var tokenRandom: SplitMix64
  /// How the next request is to fail, for tests.
  var nextFailure: ActivityRefusal.Reason?

  @exclusivity(unchecked) private var observers: [(number: UInt64, body: (ActivityEvent) -> Void)] =
    []
  private var observerCount: UInt64 = 0
  private var queue: [ActivityEvent] = []
  private var isTelling = false

  /// - Parameters:
  ///   - seed: of ids and tokens; the same seed gives the same ones in the same order.
  public init(
    clock: DeviceClock, settings: ActivitySettings = ActivitySettings(), seed: UInt64 = 0
  ) {
    self.clock = clock
    self.settings = settings
    initialSettings = settings
    self.seed = seed
    idRandom = SplitMix64(seed: seed, stream: 1)
    tokenRandom = SplitMix64(seed: seed, stream: 2)
    expectPushToStartToken()
  }

  // The clock's alarms do not own the store: a weak reference would slow every call down.
  deinit {
    for activity in known { forgetAlarms(of: activity) }
    if let alarm = pushToStartAlarm { clock.cancel(alarm) }
  }

  // MARK: - Looking

  /// ActivityKit's `Activity.activities`: without ended ones unless
  /// ``ActivitySettings/listsEnded``.
  public var activities: [LiveActivity] {
    settings.listsEnded ? known : known.filter { $0.state.isLive }
  }

  /// All that are pending, live or still on the Lock Screen, in order of start.
  public var activitiesOnScreen: [LiveActivity] { known }

  /// Dismissed ones that are still remembered, oldest first.
  public var dismissedActivities: [LiveActivity] { removed }

  /// Pending, active and stale ones: what ``ActivitySettings/maximumPerApp`` limits.
  public var liveCount: Int { known.count - endedCount }

  /// The activity with this id, as long as it is on screen or remembered.
  public func activity(id: String) -> LiveActivity? { byID[id] }

  // MARK: - Observing

  /// Tells `body` what happens from now on, and first what there is if
  /// ``ActivitySettings/observersGetCurrentFirst``. What `body` does to the store is told to it
  /// after it has returned.
  @discardableResult
  public func observe(_ body: @escaping (ActivityEvent) -> Void) -> Observation {
    observerCount += 1
    if settings.observersGetCurrentFirst {
      for activity in activities { body(.present(activity)) }
    }
    observers.append((observerCount, body))
    return Observation(number: observerCount)
  }

  public func stopObserving(_ observation: Observation) {
    observers.removeAll { $0.number == observation.number }
  }

  /// Tells the observers, in order even where one of them causes the next event.
  func tell(_ event: @autoclosure () -> ActivityEvent) {
    guard !observers.isEmpty else { return }
    if isTelling { return queue.append(event()) }
    isTelling = true
    let first = event()
    for observer in observers { observer.body(first) }
    var next = 0
    while next < queue.count {
      let event = queue[next]
      next += 1
      for observer in observers { observer.body(event) }
    }
    if next > 0 { queue.removeAll() }
    isTelling = false
  }

  // MARK: - Reset

  /// Back to how the store was made: no activities, the settings, switches, ids and tokens of the
  /// beginning. Observers and registered types stay. Activities from before are unknown.
  public func reset() {
    for activity in known + removed {
      forgetAlarms(of: activity)
      activity.isForgotten = true
    }
    if let alarm = pushToStartAlarm { clock.cancel(alarm) }
    (known, removed, byID) = ([], [], [:])
    (endedCount, startCount) = (0, 0)
    islandOwner = nil
    settings = initialSettings
    (areActivitiesEnabled, isFrequentPushesSwitchOn, isForeground) = (true, true, true)
    pushToStartToken = nil
    pushToStartAlarm = nil
    backendTokens = BackendTokens()
    nextFailure = nil
    idRandom = SplitMix64(seed: seed, stream: 1)
    tokenRandom = SplitMix64(seed: seed, stream: 2)
    tell(.reset)
    expectPushToStartToken()
  }
}
