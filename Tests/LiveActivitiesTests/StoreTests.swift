import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

@Suite struct StoreTests {
  @Test func `ids and tokens come from the seed`() throws {
    func ids(seed: UInt64) throws -> [String?] {
      let bench = Bench(seed: seed)
      let first = try bench.start(pushType: .token)
      let second = try bench.start()
      bench.clock.advance(by: .seconds(1))
      return [first.id, second.id, first.pushToken, bench.store.pushToStartToken]
    }
    #expect(try ids(seed: 1) == ids(seed: 1))
    #expect(try Set(ids(seed: 1) + ids(seed: 2)).count == 8)
    let id = try #require(try ids(seed: 3)[0])
    let parts = id.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
    #expect(parts[2].hasPrefix("4"))
    #expect("89AB".contains(try #require(parts[3].first)))
    #expect(id.allSatisfy { "0123456789ABCDEF-".contains($0) })
  }

  @Test func reset() throws {
    let bench = Bench()
    let activity = try bench.start(pushType: .token)
    let ended = try bench.start()
    bench.store.end(ended, dismissal: .immediate)
    bench.store.settings.maximumPerApp = 1
    bench.store.setActivitiesEnabled(false)
    bench.store.setForeground(false)
    bench.store.failNextRequest(with: .denied)
    bench.store.setBackendToken("t", liveActivityID: "x")
    bench.clock.advance(by: .seconds(1))
    _ = bench.drain()
    bench.store.reset()
    #expect(bench.drain() == ["reset"])
    #expect(bench.store.activitiesOnScreen.isEmpty && bench.store.dismissedActivities.isEmpty)
    #expect(bench.store.islandOwner == nil && bench.store.liveCount == 0)
    #expect(bench.store.pushToStartToken == nil)
    #expect(bench.store.backendToken(liveActivityID: "x") == nil)
    #expect(bench.store.update(activity, bench.content(1)) == .ignored(.unknownActivity))
    #expect(bench.store.end(ended) == .ignored(.unknownActivity))
    #expect(bench.store.dismissByUser(activity) == .ignored(.unknownActivity))
    #expect(bench.store.rotatePushToken(of: activity) == nil)
    #expect(bench.store.activity(id: activity.id) == nil)
    for _ in 0..<5 { try bench.start() }
    #expect(bench.store.activities.first?.id == activity.id, "the ids of the beginning")
    bench.clock.advance(by: .seconds(1))
    #expect(bench.store.pushToStartToken != nil)
  }

  @Test func `removed activities are forgotten in the end`() throws {
    let bench = Bench {
      $0.rememberedActivities = 2
      $0.maximumEndedOnScreen = 1
    }
    let activities = try (0..<5).map { _ in try bench.start() }
    _ = bench.drain()
    for activity in activities { bench.store.end(activity) }
    #expect(activities.map(\.state) == [.dismissed, .dismissed, .dismissed, .dismissed, .ended])
    #expect(activities.map(\.isForgotten) == [true, true, false, false, false])
    #expect(bench.store.dismissedActivities.map(\.number) == [3, 4])
    #expect(bench.drain().filter { $0.hasPrefix("forgotten") } == ["forgotten 1", "forgotten 2"])
    #expect(bench.store.update(activities[0], bench.content(1)) == .ignored(.unknownActivity))
    #expect(bench.store.activity(id: activities[2].id) === activities[2])
  }

  @Test func `observers`() throws {
    let bench = Bench()
    let activity = try bench.start()
    var late: [String] = []
    let observation = bench.store.observe { late.append($0.line) }
    bench.store.update(activity, bench.content(1))
    bench.store.stopObserving(observation)
    bench.store.update(activity, bench.content(2))
    #expect(late == ["present 1", "updated 1 by app"])
    bench.store.settings.observersGetCurrentFirst = false
    var silent: [String] = []
    bench.store.observe { silent.append($0.line) }
    #expect(silent.isEmpty)
  }

  @Test func `observers see events in order even when they cause some`() throws {
    let bench = Bench()
    bench.store.observe { [store = bench.store, content = bench.content(2)] event in
      if case .started(let activity, _) = event { store.update(activity, content) }
    }
    var seen: [String] = []
    bench.store.observe { seen.append($0.line) }
    try bench.start()
    #expect(seen == ["started 1 by app", "updated 1 by app", "island 1"])
    #expect(bench.drain() == seen)
  }

  @Test func `an observer that dismisses while an activity ends`() throws {
    let bench = Bench()
    bench.store.observe { [store = bench.store] event in
      if case .stateChanged(let activity, _, .ended) = event { store.dismissByUser(activity) }
    }
    let activity = try bench.start()
    bench.store.end(activity)
    #expect(activity.state == .dismissed)
    #expect(activity.dismissedBy == .user)
    #expect(bench.store.liveCount == 0)
    #expect(bench.store.islandOwner == nil)
    bench.advance(hours: 20)
    #expect(activity.changes.filter { $0.kind == .dismissed }.count == 1)
    for _ in 0..<5 { try bench.start() }
    #expect(bench.store.liveCount == 5)
  }

  @Test func `a store can go while activities run`() throws {
    let clock = DeviceClock(mode: .stepped, start: Bench.start)
    weak var gone: ActivityStore?
    do {
      let store = ActivityStore(clock: clock)
      gone = store
      _ = try store.request(
        ActivityRequest(
          attributesType: "A", attributes: [:], content: .init(state: [:]), pushType: .token))
      #expect(clock.nextAlarm != nil)
    }
    #expect(gone == nil)
    #expect(clock.nextAlarm == nil)
    clock.advance(by: .seconds(100 * 3600))
  }

  @Test func snapshot() throws {
    let bench = Bench()
    let activity = try bench.start(3, pushType: .token, relevance: 2)
    bench.clock.advance(by: .seconds(1))
    bench.store.update(activity, bench.content(4, stale: bench.now.plus(hours: 1)))
    bench.store.update(activity, bench.content(5), timestamp: Bench.start)
    let live = bench.store.snapshot(of: activity)
    #expect(live["id"]?.string == activity.id)
    #expect(live["state"]?.string == "active")
    #expect(live["attributesType"]?.string == "StopwatchWidgetAttributes")
    #expect(live["contentState"] == ["elapsedTime": 4])
    #expect(live["contentSize"]?.integer == 17)
    #expect(live["attributesSize"]?.integer == 2)
    #expect(live["startedAt"]?.double == Bench.start.seconds)
    #expect(live["staleDate"]?.double == bench.now.plus(hours: 1).seconds)
    #expect(live["endedAt"]?.isNull == true)
    #expect(live["pushToken"]?.string == activity.pushToken)
    #expect(live["updates"]?.integer == 1)
    #expect(live["ignored"]?.integer == 1)
    #expect(live["hasIsland"]?.bool == true)
    let kinds = live["history"]?.list?.compactMap { $0["kind"]?.string }
    #expect(kinds == ["started", "token", "updated", "ignored"])
    #expect(live["history"]?[3]?["note"]?.string?.contains("older") == true)
    bench.store.end(activity, dismissal: .after(bench.now.plus(hours: 1)))
    let over = bench.store.snapshot(of: activity)
    #expect(over["state"]?.string == "ended")
    #expect(over["dismissal"]?.double == bench.now.plus(hours: 1).seconds)
    #expect(over["hasIsland"]?.bool == false)
    let all = bench.store.snapshot()
    #expect(all["activities"]?.list?.count == 1)
    #expect(all["island"]?.isNull == true)
    #expect(try JSONMessageCodec().encode(all) != nil)
  }

  @Test func `versions of iOS`() {
    #expect(OSVersion("17.2") == OSVersion(17, 2))
    #expect(OSVersion("26") == OSVersion(26, 0))
    #expect(OSVersion("16.1.1") == OSVersion(16, 1))
    for text in ["", "x", "17.", "-1", "1.2.3.4", "17.x"] { #expect(OSVersion(text) == nil) }
    #expect(OSVersion(16, 4) < OSVersion(17, 0))
  }
}
