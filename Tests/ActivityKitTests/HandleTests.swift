import ActivityKit
import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

extension ActivityKitTests {
  /// What there is to tell about handles, order and versions; and what Apple leaves open.
  @Suite struct HandleTests {
    @Test func `a lost handle is told`() async throws {
      let phone = try Phone()
      var activity: Stopwatch? = try start(1)
      let id = try #require(activity?.id)
      #expect(phone.reports("has let go") == 0)
      // The guide's assignment: the handle is overwritten.
      activity = try start(2)
      #expect(phone.reports("handle to the activity \(id), which is active") == 1)
      // It can still be had, but that is told once only.
      #expect(Stopwatch.activities.map(\.contentState.elapsedTime) == [1, 2])
      #expect(phone.reports("has let go") == 1)
      await activity?.end(dismissalPolicy: .immediate)
      activity = nil
      #expect(phone.reports("has let go") == 1, "an activity that is over needs none")
      activity = try start(3)
      phone.store { $0.setForeground(false) }
      activity = try? start(4)
      #expect(activity == nil)
      #expect(phone.reports("has let go") == 2, "the guide's failed second start")
    }

    @Test func `one handle at a time`() throws {
      let phone = try Phone()
      let activity = try start()
      #expect(Stopwatch.activities[0] === activity)
      #expect(Order.activities.isEmpty)
      _ = phone.store { $0.dismissByUser(id: activity.id) }
      #expect(Stopwatch.activities.isEmpty)
    }

    @Test func `updates out of order are told`() async throws {
      let phone = try Phone()
      let activity = try start()
      func cause(_ number: UInt64, _ body: () async throws -> Void) async rethrows {
        try await MessageCause.$current.withValue(
          .init(number: number, label: "PW.updateLiveActivity"), operation: body)
      }
      await cause(3) { await activity.update(content(3)) }
      await cause(5) { await activity.update(content(5)) }
      #expect(phone.reports("out of order") == 0)
      // A task inherits what its handler was called for.
      let late = MessageCause.$current.withValue(.init(number: 4, label: "PW.updateLiveActivity")) {
        Task { await activity.update(content(4)) }
      }
      await late.value
      #expect(activity.contentState.elapsedTime == 4, "the last write wins all the same")
      let told = phone.reports.first { $0.contains("out of order") }
      #expect(
        told?.contains("update of message 4, PW.updateLiveActivity, reaches the activity") == true)
      #expect(told?.contains("after message 5") == true)
      // A stop that comes late ends the activity of the next start.
      var next: Stopwatch?
      try await cause(8) { next = try start() }
      await cause(7) { await next?.end(dismissalPolicy: .immediate) }
      #expect(phone.reports("the end of message 7") == 1)
      await activity.update(content(9))
      #expect(phone.reports("out of order") == 2)
    }

    @Test func `later calls on an older iOS are told`() async throws {
      let phone = try Phone("os-version=16.1")
      let activity = try Stopwatch.request(
        attributes: .init(), contentState: .init(elapsedTime: 1))
      await activity.update(using: .init(elapsedTime: 2))
      await activity.end(using: nil)
      #expect(phone.reports("needs iOS") == 0)
      let second = try start()
      await second.update(content(1))
      await second.update(content(2), timestamp: Phone.start)
      await second.end(nil)
      #expect(phone.reports("#available is always true here") == 3)
      _ = Gathered(Stopwatch.pushToStartTokenUpdates)
      #expect(phone.reports("pushToStartTokenUpdates needs iOS 17.2") == 1)
    }

    @Test(arguments: [false, true])
    func `sequences begin with what there is`(isOn: Bool) async throws {
      let phone = try Phone("observers-get-current-first=\(isOn ? "on" : "off")")
      let activity = try start(1, pushType: .token)
      phone.advance(seconds: 1)
      let activities = Gathered(Stopwatch.activityUpdates)
      let states = Gathered(activity.activityStateUpdates)
      let contents = Gathered(activity.contentUpdates)
      let tokens = Gathered(activity.pushTokenUpdates)
      let enabled = Gathered(ActivityAuthorizationInfo().activityEnablementUpdates)
      let second = try start(2)
      await activity.update(content(3))
      phone.store { $0.setActivitiesEnabled(false) }
      _ = phone.store { $0.activity(id: activity.id).flatMap($0.rotatePushToken) }
      await activity.end(nil, dismissalPolicy: .immediate)
      #expect(
        try await activities.first(isOn ? 2 : 1).map(\.id)
          == (isOn ? [activity.id, second.id] : [second.id]))
      #expect(try await states.ends())
      #expect(states.all == (isOn ? [.active, .dismissed] : [.dismissed]))
      #expect(try await contents.ends())
      #expect(contents.all.map(\.state.elapsedTime) == (isOn ? [1, 3] : [3]))
      #expect(try await tokens.ends())
      #expect(tokens.all.count == (isOn ? 2 : 1))
      #expect(try await enabled.first(isOn ? 2 : 1) == (isOn ? [true, false] : [false]))
    }

    @Test(arguments: [false, true])
    func `whether ended ones are listed`(isOn: Bool) async throws {
      _ = try Phone("lists-ended=\(isOn ? "on" : "off")")
      let activity = try start()
      await activity.end(nil)
      #expect(Stopwatch.activities.count == (isOn ? 1 : 0))
      let updates = Gathered(Stopwatch.activityUpdates)
      #expect(try await updates.first(isOn ? 1 : 0).count == (isOn ? 1 : 0))
    }

    @Test func `a reset ends what was there`() async throws {
      let phone = try Phone()
      let activity = try start(1)
      let states = Gathered(activity.activityStateUpdates)
      _ = try phone.control("reset")
      #expect(try await states.ends())
      await activity.update(content(2))
      #expect(Stopwatch.activities.isEmpty)
      let again = try start(5)
      #expect(again.id == activity.id, "ids come from the seed")
      #expect(again !== activity)
      #expect(again.contentState.elapsedTime == 5)
      #expect(activity.contentState.elapsedTime == 1)
    }

    @Test func `many tasks at once`() async throws {
      let phone = try Phone()
      let activity = try start()
      await withTaskGroup(of: Void.self) { group in
        for number in 1...200 {
          group.addTask {
            await activity.update(content(number))
            _ = activity.content
            _ = Stopwatch.activities
          }
        }
      }
      #expect(phone.store { $0.activities[0].updateCount } == 200)
      #expect((1...200).contains(activity.contentState.elapsedTime))
    }
  }
}
