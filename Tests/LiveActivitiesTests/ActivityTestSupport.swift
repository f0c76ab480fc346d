import ChannelCodec
import ChannelRouter
import Foundation
import LiveActivities
import Testing

/// A store on a clock that stands still, with what its observers were told as short lines.
final class Bench {
  let clock: DeviceClock
  let store: ActivityStore
  private(set) var lines: [String] = []

  init(seed: UInt64 = 7, _ change: (inout ActivitySettings) -> Void = { _ in }) {
    var settings = ActivitySettings()
    change(&settings)
    clock = DeviceClock(mode: .stepped, start: Bench.start)
    store = ActivityStore(clock: clock, settings: settings, seed: seed)
    store.observe { [weak self] in self?.lines.append($0.line) }
  }

  static let start = DeviceTime(seconds: 1_800_000_000)

  var now: DeviceTime { clock.now }

  func drain() -> [String] {
    defer { lines = [] }
    return lines
  }

  @discardableResult
  func start(
    _ elapsed: Int64 = 0, pushType: LiveActivity.PushType = .none, relevance: Double = 0,
    stale: DeviceTime? = nil
  ) throws -> LiveActivity {
    try store.request(
      ActivityRequest(
        attributesType: "StopwatchWidgetAttributes", attributes: [:],
        content: content(elapsed, stale: stale, relevance: relevance), pushType: pushType))
  }

  func content(
    _ elapsed: Int64, stale: DeviceTime? = nil, relevance: Double = 0
  ) -> LiveActivity.Content {
    LiveActivity.Content(
      state: ["elapsedTime": .integer(elapsed)], staleDate: stale, relevanceScore: relevance)
  }

  func refusal(_ body: () throws -> Void) -> ActivityRefusal? {
    do {
      try body()
      return nil
    } catch {
      return error as? ActivityRefusal
    }
  }

  func advance(hours: Double) { clock.advance(by: .seconds(hours * 3600)) }
}

extension LiveActivity {
  var elapsed: Int64? { content.state["elapsedTime"]?.integer }
}

extension DeviceTime {
  func plus(hours: Double) -> DeviceTime { self + .seconds(hours * 3600) }
}

extension ActivityEvent {
  var line: String {
    switch self {
    case .present(let activity): "present \(activity.number)"
    case .started(let activity, let actor): "started \(activity.number) by \(actor)"
    case .updated(let activity, let actor, let isRendered):
      "updated \(activity.number) by \(actor)" + (isRendered ? "" : " equal")
    case .stateChanged(let activity, let old, let new): "\(activity.number): \(old) to \(new)"
    case .ended(let activity, let actor): "ended \(activity.number) by \(actor)"
    case .dismissed(let activity, let actor): "dismissed \(activity.number) by \(actor)"
    case .forgotten(let activity): "forgotten \(activity.number)"
    case .alerted(let activity, let alert): "alert \(activity.number) \(alert.title.shortText)"
    case .tokenChanged(let activity, _): "token \(activity.number)"
    case .pushToStartTokenChanged: "push-to-start token"
    case .islandChanged(let activity): "island \(activity?.number ?? 0)"
    case .ignored(let activity, let actor, let reason):
      "ignored \(activity?.number ?? 0) by \(actor) \(reason.name)"
    case .refused(let activity, let refusal): "refused \(activity?.number ?? 0) \(refusal.reason)"
    case .pushFaults(let faults): "faults " + faults.map(\.path).joined(separator: " ")
    case .authorizationChanged(let isOn): "enabled \(isOn)"
    case .frequentPushesChanged(let isOn): "frequent \(isOn)"
    case .foregroundChanged(let isOn): "foreground \(isOn)"
    case .reset: "reset"
    }
  }
}

/// SplitMix64 from a seed that is printed, and taken from `PWBRIDGE_TEST_SEED` to repeat a failure.
struct TestRandom: RandomNumberGenerator {
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["PWBRIDGE_TEST_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("random tests use PWBRIDGE_TEST_SEED=\(seed)")
    return seed
  }()

  private var state: UInt64

  init(stream: UInt64) { state = TestRandom.seed &* 0x9e37_79b9_7f4a_7c15 &+ stream }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
