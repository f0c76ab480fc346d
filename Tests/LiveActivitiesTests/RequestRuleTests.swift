import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

/// The rows of ActivityKit's rules about starting.
@Suite struct RequestRuleTests {
  @Test func `who may start`() throws {
    let bench = Bench()
    bench.store.setForeground(false)
    let refusal = try #require(bench.refusal { try bench.start() })
    #expect(refusal.reason == .visibility)
    #expect(refusal.message.contains("Target is not foreground"))
    let request = ActivityRequest(
      attributesType: "A", attributes: [:], content: .init(state: [:]), isFromIntent: true)
    let activity = try bench.store.request(request)
    #expect(activity.state == .active)
    // Updates and ends are allowed in the background.
    #expect(bench.store.update(activity, bench.content(1)) == .applied)
    #expect(bench.store.end(activity) == .applied)
    bench.store.setForeground(true)
    try bench.start()
    #expect(
      bench.drain() == [
        "foreground false", "refused 0 visibility", "started 1 by app", "island 1",
        "updated 1 by app", "1: active to ended", "ended 1 by app", "island 0",
        "foreground true", "started 2 by app", "island 2",
      ])
  }

  @Test func plist() throws {
    let bench = Bench { $0.plistSupportsActivities = false }
    let refusal = try #require(bench.refusal { try bench.start() })
    #expect(refusal.reason == .unsupportedTarget)
    #expect(refusal.message.contains("NSSupportsLiveActivities"))

    #expect(!Bench().store.frequentPushesEnabled)
    let frequent = Bench { $0.plistSupportsFrequentUpdates = true }
    #expect(frequent.store.frequentPushesEnabled)
    frequent.store.setFrequentPushesEnabled(false)
    frequent.store.setFrequentPushesEnabled(false)
    #expect(frequent.drain() == ["frequent false"])
  }

  @Test func `user switch`() throws {
    let bench = Bench()
    #expect(bench.store.areActivitiesEnabled)
    let running = try bench.start()
    bench.store.setActivitiesEnabled(false)
    bench.store.setActivitiesEnabled(false)
    #expect(bench.refusal { try bench.start() }?.reason == .denied)
    #expect(running.state == .active)
    bench.store.setActivitiesEnabled(true)
    try bench.start()
    #expect(bench.drain().filter { $0.hasPrefix("enabled") } == ["enabled false", "enabled true"])

    let strict = Bench { $0.disablingDismisses = true }
    let gone = try strict.start()
    strict.store.setActivitiesEnabled(false)
    #expect(gone.state == .dismissed)
    #expect(gone.dismissedBy == .system)
  }

  @Test func device() throws {
    #expect(
      Bench { $0.osVersion = OSVersion(16, 0) }.refusing(.unsupported))
    #expect(Bench { $0.deviceSupportsActivities = false }.refusing(.unsupported))
    #expect(!Bench { $0.osVersion = OSVersion(16, 1) }.refusing(.unsupported))
  }

  @Test(arguments: [
    (ActivitySettings.SizeRule.combined, 4096 - 2, true), (.combined, 4096 - 1, false),
    (.each, 4096, true), (.each, 4097, false),
  ])
  func size(rule: ActivitySettings.SizeRule, contentSize: Int, isAccepted: Bool) throws {
    let bench = Bench { $0.sizeRule = rule }
    let text = String(repeating: "x", count: contentSize - #"{"t":""}"#.utf8.count)
    let content = LiveActivity.Content(state: ["t": .string(Value.Text(text))])
    let request = ActivityRequest(attributesType: "A", attributes: [:], content: content)
    let refusal = bench.refusal { _ = try bench.store.request(request) }
    #expect((refusal == nil) == isAccepted)
    if let refusal {
      #expect(refusal.reason == .attributesTooLarge)
      #expect(refusal[number: "limit"] == 4096)
      #expect(refusal[number: "contentSize"] == contentSize)
      #expect(refusal.details["reason"]?.string == "attributesTooLarge")
      #expect(refusal.details["size"]?.integer == Int64(rule == .each ? contentSize : 4097))
    }
    // The same limit for updates, which are dropped without a word on a device.
    let small = try bench.start(3)
    let outcome = bench.store.update(small, content)
    #expect(outcome.isApplied == isAccepted)
    if isAccepted {
      #expect(small.contentSize == contentSize)
    } else {
      #expect(small.elapsed == 3)
      #expect(small.ignoredCount == 1)
      #expect(bench.store.end(small, content) != .applied)
      #expect(small.state == .active)
    }
  }

  @Test func `size counts attributes and content together`() throws {
    let bench = Bench { $0.maximumSize = 100 }
    let half = Value.string(Value.Text(String(repeating: "é", count: 21)))  // 50 bytes with {"a":}
    let request = ActivityRequest(
      attributesType: "A", attributes: ["a": half], content: .init(state: ["a": half]))
    let activity = try bench.store.request(request)
    #expect(activity.attributesSize == 50)
    #expect(activity.contentSize == 50)
    #expect(!bench.store.update(activity, .init(state: ["aa": half])).isApplied)
  }

  @Test func count() throws {
    let bench = Bench()
    let first = try bench.start()
    for _ in 1..<5 { try bench.start() }
    let refusal = try #require(bench.refusal { try bench.start() })
    #expect(refusal.reason == .targetMaximumExceeded)
    #expect(refusal[number: "count"] == 5)
    #expect(refusal[number: "limit"] == 5)
    bench.store.end(first)
    try bench.start()
    #expect(bench.store.liveCount == 5)
    #expect(bench.store.activitiesOnScreen.count == 6)

    let strict = Bench { $0.countsEnded = true }
    let ended = try (0..<5).map { _ in try strict.start() }
    strict.store.end(ended[0])
    #expect(strict.refusing(.targetMaximumExceeded))
    strict.store.dismissByUser(ended[0])
    #expect(!strict.refusing(.targetMaximumExceeded))

    let crowded = Bench {
      $0.maximumOnDevice = 10
      $0.activitiesOfOtherApps = 9
    }
    try crowded.start()
    #expect(crowded.refusing(.globalMaximumExceeded))
    crowded.store.settings.activitiesOfOtherApps = .max
    #expect(crowded.refusing(.globalMaximumExceeded))

    let free = Bench { $0.maximumPerApp = nil }
    for _ in 0..<50 { try free.start() }
    #expect(free.store.liveCount == 50)
  }

  @Test func `pending counts and starts by itself`() throws {
    let bench = Bench { $0.maximumPerApp = 1 }
    let start = Bench.start.plus(hours: 1)
    let alert = LiveActivity.Alert(title: "Go", body: "now")
    let request = ActivityRequest(
      attributesType: "A", attributes: [:], content: bench.content(0), alert: alert, start: start)
    let activity = try bench.store.request(request)
    #expect(activity.state == .pending)
    #expect(activity.startedAt == nil)
    #expect(bench.store.islandOwner == nil)
    #expect(bench.refusing(.targetMaximumExceeded))
    #expect(bench.store.update(activity, bench.content(5)) == .applied)
    #expect(activity.state == .pending)
    bench.advance(hours: 1)
    #expect(activity.state == .active)
    #expect(activity.startedAt == start)
    #expect(bench.store.islandOwner === activity)
    bench.advance(hours: 8)
    #expect(activity.state == .ended)
    #expect(activity.endedAt == start.plus(hours: 8))
    #expect(
      bench.drain() == [
        "started 1 by app", "refused 0 targetMaximumExceeded", "updated 1 by app",
        "push-to-start token", "1: pending to active", "alert 1 \"Go\"", "island 1",
        "1: active to ended", "ended 1 by system", "island 0",
      ])

    let early = try bench.store.request(request)
    #expect(early.state == .active)
    bench.store.end(early, dismissal: .immediate)
    let another = try bench.store.request(
      ActivityRequest(
        attributesType: "A", attributes: [:], content: bench.content(0),
        start: bench.now.plus(hours: 1)))
    bench.store.end(another)
    #expect(another.state == .dismissed)
    #expect(another.endedAt == bench.now)

    let old = Bench { $0.osVersion = OSVersion(18, 4) }
    #expect(old.refusal { _ = try old.store.request(request) }?.reason == .unsupported)
  }

  @Test func errors() throws {
    let names: Set = [
      "attributesTooLarge", "unsupported", "denied", "globalMaximumExceeded",
      "targetMaximumExceeded", "unsupportedTarget", "visibility", "persistenceFailure",
      "missingProcessIdentifier", "unentitled", "malformedActivityIdentifier",
      "reconnectNotPermitted", "notEncodable",
    ]
    #expect(Set(ActivityRefusal.Reason.allCases.map(\.rawValue)) == names)
    let bench = Bench()
    for reason in ActivityRefusal.Reason.allCases {
      bench.store.failNextRequest(with: reason)
      #expect(bench.refusing(reason))
    }
    let activity = try bench.start()
    #expect(activity.number == 1)

    let bare = Bench { $0.hasPushCapability = false }
    #expect(bare.refusal { try bare.start(pushType: .token) }?.reason == .unentitled)
    #expect(bare.refusal { try bare.start() } == nil)
    let old = Bench { $0.osVersion = OSVersion(17, 0) }
    #expect(old.refusal { try old.start(pushType: .channel("c")) }?.reason == .unsupported)
  }

  static let unsayable: [(Value, String)] = {
    let nested: Value = ["b": [1, .float64(.nan)]]
    return [
      (["a": nested], "[\"a\"][\"b\"][1]"),
      (["a": .uint8List([1, 2])], "[\"a\"]"),
      ([1: 2], "[key 0]"),
      ([nil: 2], "[key 0]"),
      (["a": .string(Value.Text(bytes: [0xff]))], "[\"a\"]"),
      (["a": .largeInteger("ff")], "[\"a\"]"),
    ]
  }()

  @Test(arguments: unsayable)
  func `what JSON cannot say`(value: Value, path: String) throws {
    let bench = Bench()
    let activity = try bench.start()
    for isContent in [true, false] {
      let request = ActivityRequest(
        attributesType: "A", attributes: isContent ? [:] : value,
        content: .init(state: isContent ? value : [:]))
      let refusal = try #require(bench.refusal { _ = try bench.store.request(request) })
      #expect(refusal.reason == .notEncodable)
      #expect(refusal.message.contains(path), "\(refusal.message)")
    }
    guard case .refused(let refusal) = bench.store.update(activity, .init(state: value)) else {
      Issue.record("an update that is no JSON")
      return
    }
    #expect(refusal.reason == .notEncodable)
    #expect(activity.elapsed == 0)
  }
}

extension Bench {
  func refusing(_ reason: ActivityRefusal.Reason) -> Bool {
    refusal { try start() }?.reason == reason
  }
}
