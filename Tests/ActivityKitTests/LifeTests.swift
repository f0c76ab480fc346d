import ActivityKit
import ChannelCodec
import LiveActivities
import Testing

extension ActivityKitTests {
  /// The rows of ActivityKit's rules about what happens after the start.
  @Suite struct LifeTests {
    @Test func lifetime() async throws {
      let phone = try Phone()
      let activity = try start()
      let states = Gathered(activity.activityStateUpdates)
      phone.advance(hours: 7.99)
      #expect(activity.activityState == .active)
      phone.advance(hours: 0.01)
      #expect(activity.activityState == .ended)
      phone.advance(hours: 3.99)
      #expect(activity.activityState == .ended)
      phone.advance(hours: 0.01)
      #expect(activity.activityState == .dismissed)
      #expect(try await states.ends())
      #expect(states.all == [.active, .ended, .dismissed])
    }

    @Test func `dismissal default`() async throws {
      let phone = try Phone()
      let activity = try start()
      await activity.end(content(9))
      #expect(activity.content.state.elapsedTime == 9)
      #expect(activity.activityState == .ended)
      #expect(Stopwatch.activities.isEmpty)
      phone.advance(hours: 3.99)
      #expect(activity.activityState == .ended)
      phone.advance(hours: 0.01)
      #expect(activity.activityState == .dismissed)
    }

    @Test(arguments: [false, true])
    func `dismissal immediate`(passesEnded: Bool) async throws {
      _ = try Phone("immediate-end-passes-ended=\(passesEnded ? "on" : "off")")
      let activity = try start()
      let states = Gathered(activity.activityStateUpdates)
      await activity.end(using: nil, dismissalPolicy: .immediate)
      #expect(activity.activityState == .dismissed)
      #expect(try await states.ends())
      #expect(states.all == (passesEnded ? [.active, .ended, .dismissed] : [.active, .dismissed]))
    }

    @Test(arguments: [(1.0, 1.0), (4, 4), (5, 4), (0, 0), (-1, 0)])
    func `dismissal after`(hours: Double, removal: Double) async throws {
      let phone = try Phone()
      let activity = try start()
      await activity.end(nil, dismissalPolicy: .after(Phone.start.plus(hours: hours)))
      if removal > 0 {
        #expect(activity.activityState == .ended)
        #expect(Stopwatch.activities.isEmpty)
        await activity.update(content(1))
        #expect(activity.content.state.elapsedTime == 0)
        phone.advance(hours: removal, seconds: -1)
        #expect(activity.activityState == .ended)
        phone.advance(seconds: 1)
      }
      #expect(activity.activityState == .dismissed)
    }

    @Test func ended() async throws {
      let phone = try Phone()
      let activity = try start(4, pushType: .token)
      await activity.end(nil)
      #expect(activity.contentState.elapsedTime == 4)
      await activity.update(content(5))
      await activity.end(content(6))
      #expect(activity.contentState.elapsedTime == 4)
      #expect(phone.reports("has no effect: the activity has ended; start a new one") == 2)
      _ = phone.store {
        $0.deliverPush(
          ["aps": ["event": "update", "timestamp": 1_900_000_000, "content-state": [:]]])
      }
      _ = phone.store { $0.dismissByUser(id: activity.id) }
      await activity.update(content(7))
      #expect(activity.activityState == .dismissed)
      #expect(activity.contentState.elapsedTime == 4)
    }

    @Test func `user swipe`() async throws {
      for setUp: ActivityState in [.active, .stale, .ended] {
        let phone = try Phone()
        let activity = try start(stale: Phone.start.plus(hours: 1))
        if setUp == .stale { phone.advance(hours: 1) }
        if setUp == .ended { await activity.end(nil) }
        #expect(activity.activityState == setUp)
        let states = Gathered(activity.activityStateUpdates)
        _ = try phone.control("dismiss", ["id": .string(.init(activity.id))])
        #expect(activity.activityState == .dismissed)
        #expect(try await states.ends())
        #expect(states.all == [setUp, .dismissed])
      }
    }

    @Test func stale() async throws {
      let phone = try Phone()
      let activity = try start(stale: Phone.start.plus(hours: 1))
      #expect(activity.content.staleDate == Phone.start.plus(hours: 1))
      let states = Gathered(activity.activityStateUpdates)
      phone.advance(hours: 1)
      #expect(activity.activityState == .stale)
      await activity.update(content(1, stale: Phone.start.plus(hours: 2)))
      #expect(activity.activityState == .active)
      phone.advance(hours: 1)
      await activity.update(content(2))
      #expect(try await states.first(5) == [.active, .stale, .active, .stale, .active])
      #expect(activity.content.staleDate == nil)

      let still = try Phone("update-revives-stale=off")
      let frozen = try start(stale: .distantPast)
      await frozen.update(content(1, stale: .distantPast))
      still.advance()
      #expect(frozen.activityState == .stale)
      await frozen.update(content(1))
      #expect(frozen.activityState == .stale)
    }

    @Test func relevance() async throws {
      let phone = try Phone()
      func island() -> String? { phone.store { $0.islandOwner?.id } }
      let first = try start()
      let second = try start()
      #expect(island() == first.id)
      let third = try start(relevance: 50)
      #expect(island() == third.id)
      await second.update(content(1, relevance: 100))
      #expect(island() == second.id)
      await second.update(content(1, relevance: 50))
      #expect(island() == second.id, "equal: the one that started first")
      await second.end(nil)
      #expect(island() == third.id)
      await third.update(content(1, relevance: -1e300))
      #expect(island() == first.id)
      #expect(third.content.relevanceScore == -1e300)
    }

    @Test func `equal content`() async throws {
      let phone = try Phone()
      let activity = try start(3)
      let contents = Gathered(activity.contentStateUpdates)
      await activity.update(content(3))
      await activity.update(content(4))
      #expect(try await contents.first(3).map(\.elapsedTime) == [3, 3, 4])
      #expect(phone.store { $0.activities[0].updateCount } == 2)
      // Dictionaries come in any order, and equal states count as equal all the same.
      let totals = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", Double($0)) })
      let more = Dictionary(
        uniqueKeysWithValues: (0..<40).reversed().map { ("k\($0)", Double($0)) })
      var state = OrderAttributes.ContentState(phase: .placed, eta: .now, totals: totals)
      _ = try Order.request(attributes: .init(number: 1, shop: ""), contentState: state)
      let before = phone.store { $0.activities.last?.content.state }
      state.totals = more
      await Order.activities[0].update(using: state)
      #expect(phone.store { $0.activities.last?.content.state } == before)
    }

    @Test func timestamp() async throws {
      let phone = try Phone()
      let activity = try start()
      phone.advance(hours: 1)
      let now = Phone.start.plus(hours: 1)
      await activity.update(content(1))
      await activity.update(content(2), timestamp: now.addingTimeInterval(-1))
      await activity.end(content(2), timestamp: now.addingTimeInterval(-1))
      #expect(activity.contentState.elapsedTime == 1)
      #expect(phone.reports("is older than the last change") == 2)
      await activity.update(content(3), timestamp: now.addingTimeInterval(60))
      await activity.update(content(4), alertConfiguration: nil, timestamp: now)
      #expect(activity.contentState.elapsedTime == 3)
      await activity.end(
        nil, dismissalPolicy: .immediate, timestamp: now.addingTimeInterval(60))
      #expect(activity.activityState == .dismissed)
    }

    @Test func tokens() async throws {
      let phone = try Phone()
      let silent = try start()
      let activity = try start(pushType: .token)
      #expect(activity.pushToken == nil)
      #expect(Stopwatch.pushToStartToken == nil)
      let tokens = Gathered(activity.pushTokenUpdates)
      let starts = Gathered(Stopwatch.pushToStartTokenUpdates)
      let others = Gathered(Order.pushToStartTokenUpdates)
      phone.advance(seconds: 0.1)
      let token = try #require(activity.pushToken)
      #expect(token.count == 32)
      #expect(silent.pushToken == nil)
      let hex = token.map { String(format: "%02x", $0) }.joined()
      #expect(try phone.control("tokens")["activities"]?[0]?["token"]?.string == hex)
      _ = try phone.control("rotateToken", ["id": .string(.init(activity.id))])
      let rotated = try #require(activity.pushToken)
      #expect(rotated != token)
      #expect(try await tokens.first(2) == [token, rotated])
      _ = try phone.control("rotateToken")
      let start = try #require(Stopwatch.pushToStartToken)
      #expect(try await starts.first(2).last == start)
      #expect(try await others.first(2) == starts.all, "one for all types")
      await activity.end(nil, dismissalPolicy: .immediate)
      #expect(try await tokens.ends())

      let late = Gathered(Stopwatch.pushToStartTokenUpdates)
      #expect(try await late.first(1) == [start])
      let old = try Phone("os-version=17.1")
      old.advance(hours: 1)
      #expect(Stopwatch.pushToStartToken == nil)
      #expect(old.reports("pushToStartToken needs iOS 17.2, and this device has 17.1") == 1)
    }

    @Test func `every spelling of update and end`() async throws {
      let phone = try Phone()
      let alert = AlertConfiguration(
        title: "\(1) of \(2.5)", body: LocalizedStringResource(stringLiteral: "b%"),
        sound: .default)
      #expect(alert.title.key == "%lld of %lf")
      #expect(String(localized: alert.title) == "1 of 2.500000")
      let minutes = 3
      #expect(LocalizedStringResource("\(minutes) min", table: "T").key == "%lld min")
      let named = LocalizedStringResource("eta", defaultValue: "in \(minutes)%")
      #expect(named.key == "eta")
      #expect(String(localized: named) == "in 3%")
      let activity = try start(pushType: .token)
      let state = StopwatchWidgetAttributes.ContentState.init(elapsedTime:)
      let contents = Gathered(activity.contentUpdates)
      await activity.update(using: state(1))
      await activity.update(using: state(2), alertConfiguration: alert)
      await activity.update(using: state(3), alertConfiguration: nil)
      await activity.update(content(4))
      await activity.update(content(5), alertConfiguration: alert)
      await activity.update(content(6), timestamp: Phone.start)
      await activity.update(content(7), alertConfiguration: alert, timestamp: Phone.start)
      #expect(try await contents.first(8).map(\.state.elapsedTime) == Array(0...7))
      #expect(phone.store { $0.activities[0].alert?.body } == "b%")

      typealias End = @Sendable (Stopwatch) async -> Void
      let ends: [(LiveActivity.Dismissal, Int, End)] = [
        (.default, 0, { await $0.end() }),
        (.immediate, 0, { await $0.end(dismissalPolicy: .immediate) }),
        (.default, 8, { await $0.end(using: .init(elapsedTime: 8)) }),
        (.immediate, 0, { await $0.end(using: nil, dismissalPolicy: .immediate) }),
        (.default, 0, { await $0.end(nil) }),
        (.immediate, 8, { await $0.end(content(8), dismissalPolicy: .immediate) }),
        (.default, 8, { await $0.end(content(8), timestamp: Phone.start) }),
        (
          .immediate, 0,
          { await $0.end(nil, dismissalPolicy: .immediate, timestamp: Phone.start) }
        ),
      ]
      for (dismissal, elapsed, end) in ends {
        let activity = try start()
        let contents = Gathered(activity.contentUpdates)
        await end(activity)
        #expect(activity.activityState == (dismissal == .default ? .ended : .dismissed))
        #expect(activity.contentState.elapsedTime == elapsed)
        // A last content is told before the sequence ends.
        #expect(
          try await contents.first(elapsed == 0 ? 1 : 2).map(\.state.elapsedTime)
            == (elapsed == 0 ? [0] : [0, elapsed]))
        let stored = phone.store { $0.activity(id: activity.id)?.dismissal }
        #expect(stored == dismissal)
      }
    }
  }
}
