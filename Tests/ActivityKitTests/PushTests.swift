import ActivityKit
import ChannelCodec
import LiveActivities
import Testing

extension ActivityKitTests {
  /// Pushes meet the app's own Swift types.
  @Suite struct PushTests {
    private func update(_ state: String, _ event: String = "update") -> String {
      """
      {"aps": {"event": "\(event)", "timestamp": 1800000100, "content-state": \(state)}}
      """
    }

    @Test func `update and end`() async throws {
      let phone = try Phone()
      let activity = try start(pushType: .token)
      let contents = Gathered(activity.contentUpdates)
      // A whole number may be written as 7.0.
      for state in ["{\"elapsedTime\": 7.0}", "{\"elapsedTime\": 8, \"more\": [1]}"] {
        let report = phone.store { $0.deliverPush(json: update(state)) }
        #expect(report.hadEffect, "\(report)")
      }
      #expect(activity.content.state.elapsedTime == 8)
      let report = phone.store { $0.deliverPush(json: update("{\"elapsedTime\": 9}", "end")) }
      #expect(report.hadEffect)
      #expect(activity.activityState == .ended)
      #expect(try await contents.first(4).map(\.state.elapsedTime) == [0, 7, 8, 9])
    }

    static let misfits: [(String, String)] = [
      ("{\"elapsedTime\": 1.5}", "elapsedTime: expected Int, found 1.5"),
      ("{\"elapsedTime\": 1e30}", "elapsedTime: expected Int, found 1e+30"),
      ("{\"elapsedTime\": \"7\"}", "elapsedTime: expected Int, found \"7\""),
      ("{\"elapsedTime\": true}", "elapsedTime: expected Int, found true"),
      ("{\"elapsedTime\": null}", "elapsedTime: expected Int, found null"),
      ("{\"elapsedTime\": [1]}", "elapsedTime: expected Int, found a list of 1"),
      ("{\"elapsedtime\": 1}", "elapsedTime: missing, expected Int"),
    ]

    @Test(arguments: misfits)
    func `a push that does not decode`(state: String, problem: String) throws {
      let phone = try Phone()
      let activity = try start(3, pushType: .token)
      let report = phone.store { $0.deliverPush(json: update(state)) }
      #expect(!report.hadEffect)
      #expect(phone.reports("aps.content-state.\(problem)") == 1, "\(phone.reports)")
      #expect(activity.content.state.elapsedTime == 3)
      #expect(phone.store { $0.activities[0].updateCount } == 0)
      // The journal counts it, and a client that asked for logs gets it as a frame.
      #expect(try phone.control("totals")["warnings"]?.integer ?? 0 >= 1)
    }

    private static let good =
      "\"phase\": \"placed\", \"eta\": 0, \"items\": [], \"totals\": {}, \"code\": \"\", \"big\": 0"

    static let fields: [(String, String, String)] = [
      ("\"placed\"", "\"lost\"", "phase: expected Cannot initialize Phase from invalid String"),
      ("\"placed\"", "7", "phase: expected String, found 7"),
      ("\"eta\": 0", "\"eta\": \"2026-01-01\"", "eta: expected Double, found \"2026-01-01\""),
      ("\"eta\": 0", "\"eta\": null", "eta: expected Date (seconds since 2001-01-01), found null"),
      ("\"eta\": 0, ", "", "eta: missing, expected Date (seconds since 2001-01-01)"),
      ("\"items\": []", "\"items\": 1", "items: expected a list, found 1"),
      (
        "\"items\": []", "\"items\": [{\"name\": \"a\", \"count\": 1}, {\"name\": \"b\"}]",
        "items[1].count: missing, expected UInt8"
      ),
      (
        "\"items\": []", "\"items\": [{\"name\": \"a\", \"count\": 256}]",
        "items[0].count: expected UInt8, found 256"
      ),
      (
        "\"items\": []", "\"items\": [{\"name\": \"a\", \"count\": -1}]",
        "items[0].count: expected UInt8, found -1"
      ),
      (
        "\"items\": []",
        "\"items\": [{\"name\": \"a\", \"count\": 1.5}, {\"name\": \"b\", \"count\": 300}]",
        "items[0].count: expected UInt8, found 1.5"
      ),
      (
        "\"big\": 0", "\"more\": [1.5, {\"x\": 2.5}], \"big\": 0.25",
        "big: expected UInt64, found 0.25"
      ),
      ("\"items\": []", "\"items\": [7]", "items[0]: expected an object, found 7"),
      ("\"totals\": {}", "\"totals\": []", "totals: expected an object, found a list of 0"),
      (
        "\"totals\": {}", "\"totals\": {\"a\": \"b\"}", "totals.a: expected Double, found \"b\""
      ),
      ("\"code\": \"\"", "\"code\": \"?\"", "code: expected Encountered Data is not valid Base64"),
      ("\"code\": \"\"", "\"code\": 7", "code: expected String, found 7"),
      ("\"big\": 0", "\"big\": 0, \"note\": 7", "note: expected String, found 7"),
    ]

    @Test(arguments: fields)
    func `default JSONDecoder rules`(old: String, new: String, problem: String) throws {
      let phone = try Phone()
      let order = try Order.request(
        attributes: .init(number: 1, shop: "s"),
        contentState: .init(phase: .delivered, eta: .distantPast), pushType: .token)
      #expect(PushTests.good.contains(old))
      let state = "{\(PushTests.good.replacingOccurrences(of: old, with: new))}"
      _ = phone.store { $0.deliverPush(json: update(state)) }
      #expect(phone.reports("aps.content-state.\(problem)") == 1, "\(phone.reports)")
      #expect(order.contentState.phase == .delivered)
    }

    @Test func `dates and data`() throws {
      let phone = try Phone()
      let order = try Order.request(
        attributes: .init(number: 1, shop: "s"),
        contentState: .init(phase: .delivered, eta: .distantPast), pushType: .token)
      let state = """
        {"phase": "placed", "eta": 86400.5, "items": [{"name": "a", "count": 255}],
        "totals": {"x": 1}, "code": "AQID", "big": 9007199254740993, "note": null}
        """
      let report = phone.store { $0.deliverPush(json: update(state)) }
      #expect(report.hadEffect, "\(report)")
      #expect(
        order.content.state
          == .init(
            phase: .placed, eta: Date(timeIntervalSinceReferenceDate: 86400.5),
            items: [.init(name: "a", count: 255)], totals: ["x": 1], code: Data([1, 2, 3]),
            big: 9_007_199_254_740_993))
    }

    @Test func `what the app shows comes back`() async throws {
      _ = try Phone()
      var state = OrderAttributes.ContentState(
        phase: .placed, eta: Date(timeIntervalSinceReferenceDate: 0.1),
        items: [.init(name: "ü \u{0} \"", count: 7)], totals: ["π": .pi, "-0": -0.0],
        code: Data(0...255), note: "n", big: .max)
      let order = try Order.request(
        attributes: .init(number: .min, shop: "s"), contentState: state)
      #expect(order.contentState == state)
      state.eta = .distantFuture
      await order.update(using: state)
      #expect(order.contentState == state)
      #expect(order.attributes == .init(number: .min, shop: "s"))
    }

    private func pushToStart(_ old: String = "", _ new: String = "") -> String {
      let text = """
        {"aps": {"event": "start", "timestamp": 1800000000,
        "attributes-type": "OrderAttributes", "attributes": {"number": 7, "shop": "x"},
        "content-state": {\(PushTests.good)}, "alert": {"title": "t", "body": "b"}}}
        """
      return old.isEmpty ? text : text.replacingOccurrences(of: old, with: new)
    }

    @Test func `start by push`() async throws {
      let phone = try Phone("foreground=off")
      let updates = Gathered(Order.activityUpdates)
      let report = phone.store { $0.deliverPush(json: pushToStart()) }
      #expect(report.hadEffect, "\(report)")
      let order = try #require(try await updates.first(1).first)
      #expect(order.attributes == .init(number: 7, shop: "x"))
      #expect(order.contentState.phase == .placed)
      #expect(Order.activities.first === order, "one handle while the app holds it")
      #expect(Stopwatch.activities.isEmpty)
      await order.update(using: .init(phase: .delivered, eta: .distantPast))
      #expect(order.contentState.phase == .delivered)
    }

    static let startFaults: [(String, String, String)] = [
      ("\"number\": 7, ", "", "aps.attributes.number: missing, expected Int"),
      ("\"shop\": \"x\"", "\"shop\": 5", "aps.attributes.shop: expected String, found 5"),
      ("\"placed\"", "1.5", "aps.content-state.phase: expected String, found 1.5"),
      ("OrderAttributes", "orderAttributes", "the app has no struct \"orderAttributes\""),
      (", \"alert\": {\"title\": \"t\", \"body\": \"b\"}", "", "the device drops a start"),
      ("\"attributes-type\": \"OrderAttributes\", ", "", "aps.attributes-type: missing"),
    ]

    @Test(arguments: startFaults)
    func `faults of a start`(old: String, new: String, fault: String) throws {
      let phone = try Phone()
      #expect(Order.activities.isEmpty)
      let json = pushToStart().replacingOccurrences(of: "\n", with: " ")
        .replacingOccurrences(of: old, with: new)
      let report = phone.store { $0.deliverPush(json: json) }
      #expect(!report.hadEffect)
      #expect(phone.reports(fault) == 1, "\(phone.reports)")
      #expect(Order.activities.isEmpty)
    }

    @Test func `a start by push needs iOS 17.2`() throws {
      let phone = try Phone("os-version=17.1")
      #expect(Order.activities.isEmpty)
      let report = phone.store { $0.deliverPush(json: pushToStart()) }
      #expect(!report.hadEffect)
      #expect(phone.reports("a start by push needs iOS 17.2") == 1)
    }

    @Test func `payload size and channels`() throws {
      let phone = try Phone("maximum-push-size=120")
      let activity = try start(pushType: .channel("news"))
      let wide = update("{\"elapsedTime\": 1, \"x\": \"\(String(repeating: "x", count: 80))\"}")
      var report = phone.store { $0.deliverPush(json: wide, to: .channel("news")) }
      #expect(!report.hadEffect)
      #expect(phone.reports("APNs answers 413") == 1)
      report = phone.store {
        $0.deliverPush(json: update("{\"elapsedTime\": 1}"), to: .channel("news"))
      }
      #expect(report.hadEffect, "\(report)")
      #expect(activity.contentState.elapsedTime == 1)
    }
  }
}
