import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

/// Random operations, and what must hold after every one of them.
@Suite struct RandomLifeTests {
  @Test(arguments: 0..<12)
  func `random lives`(run: Int) throws {
    var random = TestRandom(stream: UInt64(run))
    let limit = 1 + random.below(5)
    let bench = Bench(seed: random.next()) {
      $0.maximumPerApp = limit
      $0.maximumEndedOnScreen = 4
      $0.rememberedActivities = 6
      $0.historyLength = 5
      $0.updateRevivesStale = random.below(2) == 0
      $0.immediateEndPassesEnded = random.below(2) == 0
      $0.countsEnded = random.below(4) == 0
    }
    let store = bench.store
    var states: [String: LiveActivity.State] = [:]
    var illegal: [String] = []
    store.observe { event in
      switch event {
      case .started(let activity, _): states[activity.id] = activity.state
      case .stateChanged(let activity, let old, let new):
        if states[activity.id] != old || !old.successors.contains(new) {
          illegal.append("\(activity.id): \(old) to \(new)")
        }
        states[activity.id] = new
      case .forgotten(let activity): states[activity.id] = nil
      default: break
      }
    }
    for step in 0..<1_500 {
      act(bench, &random)
      let wrong = illegal + faults(bench, states, limit: limit)
      if !wrong.isEmpty {
        Issue.record("run \(run), step \(step), seed \(TestRandom.seed): \(wrong)")
        return
      }
    }
    bench.advance(hours: 24)
    #expect(store.activitiesOnScreen.isEmpty)
    #expect(bench.clock.nextAlarm == nil)
  }

  private func act(_ bench: Bench, _ random: inout TestRandom) {
    let store = bench.store
    let all = store.activitiesOnScreen + store.dismissedActivities
    let scores = [0, 0, 1, -1, 50, Double.nan, .infinity]
    let score = scores[random.below(scores.count)]
    let moment = bench.now + .seconds(random.below(30_000) - 5_000)
    let content = bench.content(
      Int64(random.below(3)), stale: random.below(3) == 0 ? moment : nil, relevance: score)
    switch random.below(12) {
    case 0, 1, 2:
      _ = try? store.request(
        ActivityRequest(
          attributesType: "A", attributes: [:], content: content,
          pushType: random.below(2) == 0 ? .token : .none,
          start: random.below(4) == 0 ? moment : nil))
    case 3, 4, 5:
      guard let activity = all.randomElement(using: &random) else { return }
      store.update(activity, content, timestamp: random.below(4) == 0 ? moment : nil)
    case 6:
      guard let activity = all.randomElement(using: &random) else { return }
      let policies: [LiveActivity.Dismissal] = [.default, .immediate, .after(moment)]
      store.end(
        activity, random.below(2) == 0 ? content : nil, dismissal: policies[random.below(3)])
    case 7:
      guard let activity = all.randomElement(using: &random), random.below(2) == 0 else { return }
      store.dismissByUser(activity)
    case 8:
      if let activity = all.randomElement(using: &random) { store.rotatePushToken(of: activity) }
      store.setForeground(random.below(4) != 0)
    case 9:
      let events = ["start", "update", "end"]
      store.deliverPush([
        "aps": [
          "event": .string(Value.Text(events[random.below(3)])),
          "timestamp": .integer(Int64(bench.now.seconds)), "content-state": content.state,
          "attributes-type": "A", "attributes": [:], "alert": ["title": "t", "body": "b"],
          "dismissal-date": .integer(Int64(moment.seconds)),
        ]
      ])
    default: bench.clock.advance(by: .seconds(random.below(random.below(2) == 0 ? 60 : 9_000)))
    }
  }

  /// What does not hold.
  private func faults(
    _ bench: Bench, _ states: [String: LiveActivity.State], limit: Int
  ) -> [String] {
    var faults: [String] = []
    func require(_ holds: Bool, _ rule: String) { if !holds { faults.append(rule) } }
    let store = bench.store
    let onScreen = store.activitiesOnScreen
    let dismissed = store.dismissedActivities
    let live = onScreen.filter { $0.state.isLive }
    require(live.count <= limit && live.count == store.liveCount, "live count")
    require(onScreen.count - live.count <= 4, "ended count")
    require(dismissed.count <= 6, "remembered count")
    require(states.count == onScreen.count + dismissed.count, "events for all")
    require(dismissed.allSatisfy { $0.state == .dismissed }, "dismissed ones")
    require(!onScreen.contains { $0.state == .dismissed }, "ones on screen")
    require(store.islandOwner === islandOwner(among: onScreen), "island owner")
    for activity in onScreen + dismissed {
      require(activity.state == states[activity.id], "state \(activity.number)")
      require(activity.changes.count == min(activity.changeCount, 5), "history")
      let times = activity.changes.map(\.time)
      require(times == times.sorted(), "order of history")
      guard let start = activity.startedAt else { continue }
      let end = activity.endedAt ?? activity.dismissedAt ?? bench.now
      require(end <= start.plus(hours: 8), "8 hours")
      require((activity.dismissedAt ?? bench.now) <= start.plus(hours: 12), "12 hours")
    }
    return faults
  }

  /// The rule once more, written another way.
  private func islandOwner(among activities: [LiveActivity]) -> LiveActivity? {
    func score(_ activity: LiveActivity) -> Double {
      let score = activity.content.relevanceScore
      return score.isNaN ? -.infinity : score
    }
    let candidates = activities.filter { $0.state == .active || $0.state == .stale }
    let highest = candidates.map(score).max()
    return candidates.filter { score($0) == highest }.min {
      ($0.startedAt ?? Bench.start, $0.number) < ($1.startedAt ?? Bench.start, $1.number)
    }
  }

  /// The cheap bound must never let too much through, nor refuse what fits.
  @Test func `sizes at the limit`() throws {
    var random = TestRandom(stream: 99)
    for round in 0..<2_000 {
      let value = Value.map(
        Value.Map(
          (0..<random.below(4)).map { (key: "k\($0)" as Value, value: leaf(&random, depth: 0)) }))
      let size = try #require(try JSONMessageCodec().encode(value)).count
      let limit = size + random.below(5) - 2
      let bench = Bench { $0.sizeRule = .each }
      let activity = try bench.start()
      bench.store.settings.maximumSize = limit
      let outcome = bench.store.update(activity, .init(state: value))
      #expect(outcome.isApplied == (size <= limit), "round \(round): \(value) \(size) \(limit)")
      guard outcome.isApplied else { continue }
      #expect(activity.contentSize == size)
      #expect(bench.store.update(activity, .init(state: value)) == .appliedUnchanged)
    }
  }

  private func leaf(_ random: inout TestRandom, depth: Int) -> Value {
    let numbers: [Int64] = [0, -9999, 99999, -10000, 100_000, .min, .max]
    let doubles = [0.1, -0.0, 1e21, Double.leastNonzeroMagnitude, -1.7976931348623157e308]
    let texts = ["", "é", "\u{1}\u{2}", "\"\"\"", "\\", "/", "0123456789abcdef\u{1f}", "\u{7f}"]
    switch random.below(depth > 3 ? 5 : 8) {
    case 0: return nil
    case 1: return .bool(random.below(2) == 0)
    case 2: return .integer(numbers[random.below(numbers.count)])
    case 3: return .float64(doubles[random.below(doubles.count)])
    case 4:
      let parts = (0..<random.below(5)).map { _ in texts[random.below(texts.count)] }
      return .string(Value.Text(parts.joined()))
    case 5, 6:
      return .list(
        Value.List((0..<random.below(4)).map { _ in leaf(&random, depth: depth + 1) }))
    default:
      return .map(
        Value.Map(
          (0..<random.below(4)).map {
            ("\(texts[random.below(8)])\($0)", leaf(&random, depth: depth + 1))
          }
          .map { (key: .string(Value.Text($0.0)), value: $0.1) }))
    }
  }
}
