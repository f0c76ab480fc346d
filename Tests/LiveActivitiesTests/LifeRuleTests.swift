import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

/// The rows of ActivityKit's rules about what happens after the start.
@Suite struct LifeRuleTests {
  @Test func lifetime() throws {
    let bench = Bench()
    let activity = try bench.start()
    bench.clock.advance(by: .seconds(8 * 3600 - 1))
    #expect(activity.state == .active)
    bench.clock.advance(by: .seconds(1))
    #expect(activity.state == .ended)
    #expect(activity.endedBy == .system)
    #expect(bench.store.islandOwner == nil)
    #expect(activity.removalAt == Bench.start.plus(hours: 12))
    bench.clock.advance(by: .seconds(4 * 3600 - 1))
    #expect(activity.state == .ended)
    bench.clock.advance(by: .seconds(1))
    #expect(activity.state == .dismissed)
    #expect(activity.dismissedAt == Bench.start.plus(hours: 12))
    #expect(
      bench.drain() == [
        "started 1 by app", "island 1", "push-to-start token", "1: active to ended",
        "ended 1 by system", "island 0", "1: ended to dismissed", "dismissed 1 by system",
      ])
    #expect(bench.clock.nextAlarm == nil)

    let capped = Bench { $0.totalLifetime = .seconds(9 * 3600) }
    let short = try capped.start()
    capped.advance(hours: 8)
    #expect(short.removalAt == Bench.start.plus(hours: 9))
  }

  @Test func `time passes in one leap`() throws {
    let bench = Bench()
    let activity = try bench.start(stale: Bench.start.plus(hours: 1))
    bench.advance(hours: 100)
    #expect(activity.state == .dismissed)
    #expect(activity.endedAt == Bench.start.plus(hours: 8))
    #expect(activity.dismissedAt == Bench.start.plus(hours: 12))
    let kinds = activity.changes.map(\.kind)
    #expect(kinds == [.started, .stale, .ended, .dismissed])
    #expect(activity.changes[1].time == Bench.start.plus(hours: 1))
  }

  @Test func `late alarms change nothing`() throws {
    var machine = Duration.zero
    let clock = DeviceClock(mode: .real, start: Bench.start) { machine }
    let store = ActivityStore(clock: clock)
    let activity = try store.request(
      ActivityRequest(attributesType: "A", attributes: [:], content: .init(state: [:])))
    machine += .seconds(9 * 3600)
    // Nobody has run the clock's alarms, and still the activity has ended.
    #expect(store.update(activity, .init(state: ["a": 1])) == .ignored(.over(.ended)))
    #expect(activity.endedAt == Bench.start.plus(hours: 8))
    clock.runDue()
    #expect(activity.state == .ended)
    machine += .seconds(3 * 3600)
    clock.runDue()
    #expect(activity.state == .dismissed)
    #expect(activity.dismissedAt == Bench.start.plus(hours: 12))
  }

  @Test func `dismissal default`() throws {
    let bench = Bench()
    let activity = try bench.start()
    bench.advance(hours: 1)
    #expect(bench.store.end(activity, bench.content(9)) == .applied)
    #expect(activity.elapsed == 9)
    #expect(activity.state == .ended)
    #expect(bench.store.islandOwner == nil)
    #expect(bench.store.activities.isEmpty)
    #expect(bench.store.activitiesOnScreen.count == 1)
    bench.clock.advance(by: .seconds(4 * 3600 - 1))
    #expect(activity.state == .ended)
    bench.clock.advance(by: .seconds(1))
    #expect(activity.state == .dismissed)
    bench.store.settings.listsEnded = true
    let listed = try bench.start()
    bench.store.end(listed)
    #expect(bench.store.activities.count == 1)
  }

  @Test(arguments: [false, true])
  func `dismissal immediate`(passesEnded: Bool) throws {
    let bench = Bench { $0.immediateEndPassesEnded = passesEnded }
    let activity = try bench.start()
    _ = bench.drain()
    bench.store.end(activity, dismissal: .immediate)
    #expect(activity.state == .dismissed)
    #expect(activity.endedAt == Bench.start)
    #expect(activity.dismissal == .immediate)
    let states = bench.drain().filter { $0.hasPrefix("1:") }
    #expect(
      states
        == (passesEnded
          ? ["1: active to ended", "1: ended to dismissed"]
          : ["1: active to dismissed"]))
    #expect(bench.store.liveCount == 0)
  }

  @Test(arguments: [(1.0, 1.0), (4, 4), (5, 4), (0, 0), (-1, 0)])
  func `dismissal after`(hours: Double, removal: Double) throws {
    let bench = Bench()
    let activity = try bench.start()
    bench.store.end(activity, dismissal: .after(Bench.start.plus(hours: hours)))
    #expect(activity.removalAt == Bench.start.plus(hours: removal))
    #expect(bench.store.islandOwner == nil)
    #expect(bench.store.activities.isEmpty)
    if removal > 0 {
      #expect(activity.state == .ended)
      #expect(bench.store.update(activity, bench.content(1)) == .ignored(.over(.ended)))
      bench.clock.advance(by: .seconds(removal * 3600))
    }
    #expect(activity.state == .dismissed)
    #expect(activity.dismissedAt == Bench.start.plus(hours: removal))
  }

  @Test func ended() throws {
    let bench = Bench()
    let activity = try bench.start(4, pushType: .token)
    bench.advance(hours: 1)
    bench.store.end(activity)
    #expect(activity.elapsed == 4)
    #expect(bench.store.update(activity, bench.content(5)) == .ignored(.over(.ended)))
    #expect(bench.store.end(activity, bench.content(6)) == .ignored(.over(.ended)))
    let push = bench.store.deliverPush(
      ["aps": ["event": "update", "timestamp": 1_900_000_000, "content-state": [:]]])
    #expect(push.results.map(\.outcome) == [.ignored(.over(.ended))])
    #expect(activity.elapsed == 4)
    #expect(activity.ignoredCount == 3)
    bench.store.dismissByUser(activity)
    #expect(bench.store.update(activity, bench.content(5)) == .ignored(.over(.dismissed)))
    #expect(bench.store.update(id: activity.id, bench.content(5)) == .ignored(.over(.dismissed)))
    #expect(bench.store.update(id: "?", bench.content(5)) == .ignored(.unknownActivity))
    #expect(bench.store.end(id: "?") == .ignored(.unknownActivity))
  }

  @Test func `user swipe`() throws {
    for state in [LiveActivity.State.pending, .active, .stale, .ended] {
      let bench = Bench()
      let activity = try bench.store.request(
        ActivityRequest(
          attributesType: "A", attributes: [:],
          content: bench.content(0, stale: Bench.start.plus(hours: 1)),
          start: state == .pending ? Bench.start.plus(hours: 1) : nil))
      if state == .stale { bench.advance(hours: 1) }
      if state == .ended { bench.store.end(activity) }
      #expect(activity.state == state)
      #expect(bench.store.dismissByUser(activity) == .applied)
      #expect(activity.state == .dismissed)
      #expect(activity.dismissedBy == .user)
      #expect(bench.store.dismissByUser(id: activity.id) == .ignored(.over(.dismissed)))
      #expect(bench.store.islandOwner == nil)
      bench.advance(hours: 20)
      #expect(activity.changes.last?.kind == .dismissed)
    }
  }

  @Test func stale() throws {
    let bench = Bench()
    let activity = try bench.start(stale: Bench.start.plus(hours: 1))
    bench.advance(hours: 1)
    #expect(activity.state == .stale)
    #expect(bench.store.islandOwner === activity)
    bench.store.update(activity, bench.content(1, stale: Bench.start.plus(hours: 2)))
    #expect(activity.state == .active)
    // Moving the date on sets no new alarm, and the old one does no harm.
    bench.store.update(activity, bench.content(2, stale: Bench.start.plus(hours: 3)))
    bench.advance(hours: 1.5)
    #expect(activity.state == .active)
    bench.store.update(activity, bench.content(2, stale: Bench.start.plus(hours: 2.75)))
    bench.advance(hours: 0.25)
    #expect(activity.state == .stale)
    bench.store.update(activity, bench.content(3, stale: Bench.start))
    #expect(activity.state == .stale)
    bench.store.update(activity, bench.content(3))
    #expect(activity.state == .active)
    bench.advance(hours: 5.25)
    #expect(activity.state == .ended)

    let frozen = Bench { $0.updateRevivesStale = false }
    let still = try frozen.start(stale: Bench.start)
    #expect(still.state == .active)
    frozen.clock.advance(by: .zero)
    #expect(still.state == .stale)
    frozen.store.update(still, frozen.content(1))
    #expect(still.state == .stale)
    #expect(still.elapsed == 1)
    frozen.advance(hours: 8)
    #expect(still.state == .ended)
  }

  @Test func relevance() throws {
    let bench = Bench()
    let first = try bench.start()
    let second = try bench.start()
    #expect(bench.store.islandOwner === first)
    let third = try bench.start(relevance: 50)
    #expect(bench.store.islandOwner === third)
    bench.store.update(second, bench.content(1, relevance: 100))
    #expect(bench.store.islandOwner === second)
    bench.store.update(second, bench.content(1, relevance: 50))
    #expect(bench.store.islandOwner === second, "equal: the one that started first")
    bench.store.update(second, bench.content(1, relevance: -1e300))
    #expect(bench.store.islandOwner === third)
    bench.store.end(third)
    #expect(bench.store.islandOwner === first)
    bench.store.update(first, bench.content(1, relevance: .nan))
    #expect(bench.store.islandOwner === second)
    bench.store.dismissByUser(second)
    bench.store.dismissByUser(first)
    #expect(bench.store.islandOwner == nil)
    let islands = bench.drain().filter { $0.hasPrefix("island") }
    #expect(islands == [1, 3, 2, 3, 1, 2, 1, 0].map { "island \($0)" })

    let plain = Bench { $0.hasDynamicIsland = false }
    try plain.start()
    #expect(plain.store.islandOwner == nil)
  }

  @Test func `equal content`() throws {
    let bench = Bench()
    let activity = try bench.start(3)
    #expect(bench.store.update(activity, bench.content(3)) == .appliedUnchanged)
    #expect(bench.store.update(activity, bench.content(4)) == .applied)
    #expect(bench.store.update(activity, bench.content(3)) == .applied)
    #expect(bench.store.update(activity, bench.content(3, relevance: 2)) == .appliedUnchanged)
    #expect(activity.content.relevanceScore == 2)
    #expect(activity.updateCount == 4)
    #expect(bench.drain().contains("updated 1 by app equal"))
  }

  @Test func timestamp() throws {
    let bench = Bench()
    let activity = try bench.start()
    bench.advance(hours: 1)
    let now = bench.now
    #expect(bench.store.update(activity, bench.content(1)) == .applied)
    let older = now + .seconds(-1)
    #expect(
      bench.store.update(activity, bench.content(2), timestamp: older)
        == .ignored(.olderTimestamp(given: older, last: now)))
    #expect(
      bench.store.end(activity, timestamp: older)
        == .ignored(.olderTimestamp(given: older, last: now)))
    #expect(bench.store.update(activity, bench.content(3), timestamp: now) == .applied)
    let later = now + .seconds(60)
    #expect(bench.store.update(activity, bench.content(4), timestamp: later) == .applied)
    #expect(bench.store.update(activity, bench.content(5)) == .applied)
    #expect(activity.lastTimestamp == later)
    #expect(!bench.store.update(activity, bench.content(6), timestamp: now).isApplied)
    #expect(activity.elapsed == 5)
    #expect(bench.store.end(activity, timestamp: later) == .applied)
  }

  @Test func tokens() throws {
    let bench = Bench()
    let silent = try bench.start()
    let activity = try bench.start(pushType: .token)
    #expect(activity.pushToken == nil)
    #expect(bench.store.pushToStartToken == nil)
    _ = bench.drain()
    bench.clock.advance(by: .milliseconds(100))
    #expect(bench.drain() == ["push-to-start token", "token 2"])
    let token = try #require(activity.pushToken)
    #expect(token.utf8.count == 64)
    #expect(token.allSatisfy { "0123456789abcdef".contains($0) })
    #expect(bench.store.pushToStartToken != token)
    let next = try #require(bench.store.rotatePushToken(of: activity))
    #expect(next != token)
    #expect(activity.pushToken == next)
    #expect(bench.store.rotatePushToken(of: silent) == nil)
    let before = bench.store.pushToStartToken
    #expect(bench.store.rotatePushToStartToken() != before)
    bench.store.end(activity)
    #expect(bench.store.rotatePushToken(of: activity) == nil)

    let quick = try bench.start(pushType: .token)
    bench.store.end(quick, dismissal: .immediate)
    bench.advance(hours: 1)
    #expect(quick.pushToken == nil)
    let hasty = try bench.start(pushType: .token)
    let early = bench.store.rotatePushToken(of: hasty)
    bench.advance(hours: 1)
    #expect(hasty.pushToken == early)

    let old = Bench { $0.osVersion = OSVersion(17, 1) }
    old.advance(hours: 1)
    #expect(old.store.pushToStartToken == nil)
    #expect(old.store.rotatePushToStartToken() == nil)
  }

  @Test func `a stopwatch pays no attention to history length`() throws {
    for length in [0, 1, 16] {
      let bench = Bench { $0.historyLength = length }
      let activity = try bench.start()
      for second in 1...60 { bench.store.update(activity, bench.content(Int64(second))) }
      #expect(activity.changeCount == 61)
      #expect(activity.updateCount == 60)
      let states = activity.changes.map { $0.contentState?["elapsedTime"]?.integer }
      #expect(states == (0..<length).map { Int64(61 - length + $0) })
    }
  }
}
