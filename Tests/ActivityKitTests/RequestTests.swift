import ActivityKit
import ChannelCodec
import LiveActivities
import Testing

extension ActivityKitTests {
  /// The rows of ActivityKit's rules about starting, through ActivityKit's own calls.
  @Suite struct RequestTests {
    @Test func `who may start`() async throws {
      let phone = try Phone()
      let running = try start(1)
      phone.store { $0.setForeground(false) }
      #expect(refusal { try start() } == .visibility)
      #expect(phone.reports("refused: visibility: Target is not foreground") == 1)
      await running.update(content(2))
      #expect(running.content.state.elapsedTime == 2)
      await running.end(nil)
      #expect(running.activityState == .ended)
      phone.store { $0.setForeground(true) }
      #expect(try start().activityState == .active)
    }

    @Test func plist() throws {
      let phone = try Phone("plist-support=off")
      #expect(refusal { try start() } == .unsupportedTarget)
      #expect(phone.reports("NSSupportsLiveActivities = YES") == 1)
      #expect(!ActivityAuthorizationInfo().frequentPushesEnabled)
      _ = try Phone("plist-frequent-updates=on")
      #expect(ActivityAuthorizationInfo().frequentPushesEnabled)
    }

    @Test func `user switch`() async throws {
      let phone = try Phone("plist-frequent-updates=on")
      let info = ActivityAuthorizationInfo()
      #expect(info.areActivitiesEnabled)
      let switches = Gathered(info.activityEnablementUpdates)
      let frequent = Gathered(info.frequentPushEnablementUpdates)
      phone.store { $0.setActivitiesEnabled(false) }
      #expect(!info.areActivitiesEnabled)
      #expect(refusal { try start() } == .denied)
      phone.store { $0.setActivitiesEnabled(true) }
      phone.store { $0.setFrequentPushesEnabled(false) }
      #expect(!info.frequentPushesEnabled)
      #expect(try await switches.first(3) == [true, false, true])
      #expect(try await frequent.first(4) == [true, false, true, false])
      #expect(refusal { try start() } == nil)
    }

    @Test func device() throws {
      _ = try Phone("device-support=off")
      #expect(refusal { try start() } == .unsupported)
      _ = try Phone("os-version=16.0")
      #expect(refusal { try start() } == .unsupported)
      _ = try Phone("push-capability=off")
      #expect(refusal { try start(pushType: .token) } == .unentitled)
      #expect(refusal { try start() } == nil)
    }

    private func order(_ shop: Int, _ note: Int) throws -> Order {
      try Order.request(
        attributes: OrderAttributes(number: 1, shop: String(repeating: "s", count: shop)),
        contentState: .init(
          phase: .placed, eta: .distantPast, note: String(repeating: "n", count: note)))
    }

    @Test func size() async throws {
      let phone = try Phone()
      // Both together, to the byte.
      let small = try order(0, 0)
      let (attributes, state) = phone.store {
        ($0.activities[0].attributesSize, $0.activities[0].contentSize)
      }
      await small.end(nil, dismissalPolicy: .immediate)
      let rest = 4096 - attributes - state
      #expect(refusal { try order(rest + 1, 0) } == .attributesTooLarge)
      #expect(refusal { try order(rest, 1) } == .attributesTooLarge)
      #expect(refusal { try order(0, rest + 1) } == .attributesTooLarge)
      let full = try order(rest - 10, 10)
      var large = full.contentState
      large.note = String(repeating: "n", count: 11)
      // An update says nothing, and what was there stays.
      await full.update(using: large)
      #expect(full.contentState.note?.count == 10)
      #expect(phone.reports("has been refused: attributesTooLarge") == 4)
      await full.end(using: large)
      #expect(full.activityState == .active)
      try phone.set("size-rule", "each")
      await full.update(using: large)
      #expect(full.contentState.note?.count == 11)
      #expect(refusal { try order(4096, 0) } == .attributesTooLarge)
      #expect(refusal { try order(4096 - attributes, 4096 - state) } == nil)
    }

    @Test func count() async throws {
      let phone = try Phone()
      var activities: [Stopwatch] = []
      for number in 0..<5 { activities.append(try start(number)) }
      #expect(refusal { try start() } == .targetMaximumExceeded)
      #expect(phone.reports("The app has 5 Live Activities, and 5 are allowed") == 1)
      // On the Lock Screen still, but it does not count.
      await activities[0].end(nil)
      activities.append(try start())
      #expect(refusal { try start() } == .targetMaximumExceeded)
      try phone.set("counts-ended", "on")
      try phone.set("maximum-per-app", "6")
      #expect(refusal { try start() } == .targetMaximumExceeded)
      try phone.set("maximum-per-app", "none")
      try phone.set("maximum-on-device", "8")
      try phone.set("activities-of-other-apps", "2")
      #expect(refusal { try start() } == .globalMaximumExceeded)
      #expect(Stopwatch.activities.map(\.id) == activities.dropFirst().map(\.id))
    }

    @Test func `a start in the future`() async throws {
      let phone = try Phone("maximum-per-app=1")
      let at = Phone.start.plus(hours: 2)
      let alert = AlertConfiguration(title: "Now", body: "\(3) min", sound: .named("bell"))
      let activity = try Stopwatch.request(
        attributes: .init(), content: content(5), alertConfiguration: alert, start: at)
      #expect(activity.activityState == .pending)
      let states = Gathered(activity.activityStateUpdates)
      #expect(refusal { try start() } == .targetMaximumExceeded, "pending ones count")
      #expect(Stopwatch.activities.count == 1)
      await activity.update(content(6))
      phone.advance(hours: 2)
      #expect(try await states.first(2) == [.pending, .active])
      #expect(activity.content.state.elapsedTime == 6)
      let told = phone.store { $0.activities[0].alert }
      #expect(told == .init(title: "Now", body: "3 min", sound: "bell"))
      phone.advance(hours: 8)
      #expect(activity.activityState == .ended)

      _ = try Phone("os-version=18.0")
      let early = refusal {
        try Stopwatch.request(
          attributes: .init(), content: content(5), style: .standard, alertConfiguration: alert,
          start: at)
      }
      #expect(early == .unsupported)
    }

    static let errors: [(ActivityRefusal.Reason, ActivityAuthorizationError)] = [
      (.attributesTooLarge, .attributesTooLarge), (.unsupported, .unsupported),
      (.denied, .denied), (.globalMaximumExceeded, .globalMaximumExceeded),
      (.targetMaximumExceeded, .targetMaximumExceeded), (.unsupportedTarget, .unsupportedTarget),
      (.visibility, .visibility), (.persistenceFailure, .persistenceFailure),
      (.missingProcessIdentifier, .missingProcessIdentifier), (.unentitled, .unentitled),
      (.malformedActivityIdentifier, .malformedActivityIdentifier),
      (.reconnectNotPermitted, .reconnectNotPermitted),
    ]

    @Test func errors() throws {
      let phone = try Phone()
      var codes: Set<Int> = []
      for (reason, error) in RequestTests.errors {
        phone.store { $0.failNextRequest(with: reason) }
        #expect(refusal { try start() } == error)
        #expect(phone.reports("refused: \(reason.rawValue)") == 1)
        codes.insert(error.errorCode)
        #expect(error.localizedDescription.hasPrefix("The operation couldn’t be completed. "))
        let bridged = error as NSError
        #expect(bridged.domain == ActivityAuthorizationError.errorDomain)
        #expect(bridged.code == error.errorCode)
      }
      #expect(codes.count == 12)
      #expect(
        ActivityAuthorizationError.visibility.localizedDescription
          == "The operation couldn’t be completed. Target is not foreground")
      #expect(refusal { try start() } == nil)
    }

    @Test func `what JSON cannot say`() async throws {
      let phone = try Phone()
      var state = OrderAttributes.ContentState(phase: .placed, eta: .now)
      state.totals["sum"] = .nan
      #expect(throws: EncodingError.self) {
        try Order.request(
          attributes: .init(number: 1, shop: ""), content: .init(state: state, staleDate: nil))
      }
      #expect(phone.reports("it cannot be written as JSON") == 1)
      let order = try Order.request(
        attributes: .init(number: 1, shop: ""),
        contentState: .init(phase: .placed, eta: .distantPast))
      await order.update(using: state)
      await order.end(using: state)
      #expect(order.activityState == .active)
      #expect(phone.reports("its content cannot be written as JSON") == 2)
      phone.store { $0.failNextRequest(with: .notEncodable) }
      #expect(throws: EncodingError.self) { try start() }
    }

    @Test func `every spelling of a request`() throws {
      let phone = try Phone("maximum-per-app=none", "os-version=26.0")
      let alert = AlertConfiguration(title: "t", body: "b", sound: .default)
      let state = StopwatchWidgetAttributes.ContentState(elapsedTime: 1)
      let made = [
        try Stopwatch.request(attributes: .init(), contentState: state),
        try Stopwatch.request(attributes: .init(), contentState: state, pushType: nil),
        try Stopwatch.request(attributes: .init(), contentState: state, pushType: .token),
        try Stopwatch.request(attributes: .init(), content: content(1)),
        try Stopwatch.request(attributes: .init(), content: content(1), pushType: .channel("c")),
        try Stopwatch.request(attributes: .init(), content: content(1), style: .transient),
        try Stopwatch.request(
          attributes: .init(), content: content(1), pushType: .token, style: .standard),
        try Stopwatch.request(
          attributes: .init(), content: content(1), alertConfiguration: alert, start: Phone.start),
        try Stopwatch.request(
          attributes: .init(), content: content(1), pushType: nil, style: .transient,
          alertConfiguration: alert, start: Phone.start.plus(hours: 1)),
      ]
      #expect(made.allSatisfy { $0.contentState == state })
      #expect(Set(made.map(\.id)).count == 9)
      let stored = phone.store { $0.activities.map { "\($0.pushType) \($0.style) \($0.state)" } }
      #expect(
        stored == [
          "none standard active", "none standard active", "token standard active",
          "none standard active", "channel(\"c\") standard active", "none transient active",
          "token standard active", "none standard active", "none transient pending",
        ])
      #expect(phone.reports("needs iOS") == 0)
    }
  }
}
