import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

@Suite struct ServerRequestTests {
  static func request(_ activity: String, id: String = "order-1", more: String = "") -> String {
    """
    {"request": {"application": "APP", "auth": "TOKEN", "notifications": [{
      "content": "Message", "title": "Title", // shown by the alert
      "live_activity": \(activity),
      \(more) "live_activity_id": "\(id)",
    }]}}
    """
  }

  static let start = """
    {"event": "start", "content-state": {"data": {"emoji": "x"}},
     "attributes-type": "DefaultLiveActivityAttributes", "attributes": {"data": {"name": "n"}}}
    """
  static let update = #"{"event": "update", "content-state": {"data": {"emoji": "y"}}}"#

  private func bench(_ change: (inout ActivitySettings) -> Void = { _ in }) -> Bench {
    let bench = Bench(change)
    bench.store.registerDefaultAttributesType()
    bench.clock.advance(by: .seconds(1))
    return bench
  }

  @Test func `start, update, end`() throws {
    let bench = bench()
    let store = bench.store
    let report = store.deliverServerRequest(
      json: ServerRequestTests.request(ServerRequestTests.start))
    #expect(report.faults.isEmpty, "\(report.faults)")
    let activity = try #require(store.activities.first)
    #expect(activity.pushwooshID == "order-1")
    #expect(activity.attributes["data"]?["name"]?.string == "n")
    #expect(activity.alert == .init(title: "Title", body: "Message"))

    let update = ServerRequestTests.request(ServerRequestTests.update)
    let early = store.deliverServerRequest(json: update)
    #expect(early.faults.first?.advice.contains("has not arrived") == true)
    bench.clock.advance(by: .seconds(1))
    #expect(store.deliverServerRequest(json: update).hadEffect)
    #expect(activity.content.state["data"]?["emoji"]?.string == "y")
    let other = ServerRequestTests.request(ServerRequestTests.update, id: "order-2")
    let missed = store.deliverServerRequest(json: other)
    #expect(missed.faults.first?.stage == .backend)
    #expect(missed.faults.first?.advice.contains("order-1") == true)

    let end = ServerRequestTests.request(
      #"{"event": "end", "content-state": {"data": {}}, "dismissal-date": 1}"#)
    #expect(store.deliverServerRequest(json: end).hadEffect)
    #expect(activity.state == .dismissed)
    #expect(
      store.deliverServerRequest(json: update).results.map(\.outcome)
        == [.ignored(.over(.dismissed))])
  }

  @Test func `an activity whose token the app has sent`() throws {
    let bench = bench()
    let activity = try bench.start(pushType: .token)
    bench.clock.advance(by: .seconds(1))
    let token = try #require(activity.pushToken)
    let update = ServerRequestTests.request(
      #"{"event": "update", "content-state": {"elapsedTime": 4}}"#)
    #expect(!bench.store.deliverServerRequest(json: update).hadEffect)
    bench.store.setBackendToken(token, liveActivityID: "order-1")
    #expect(bench.store.backendToken(liveActivityID: "order-1") == token)
    #expect(bench.store.deliverServerRequest(json: update).hadEffect)
    #expect(activity.elapsed == 4)
    bench.store.setBackendToken("", liveActivityID: "order-1")
    #expect(!bench.store.deliverServerRequest(json: update).hadEffect)
    let byToken = ServerRequestTests.request(
      ServerRequestTests.update, more: "\"live_activity_push_tokens\": [\"\(token)\"],")
    #expect(bench.store.deliverServerRequest(json: byToken).hadEffect)
  }

  static let faults: [(String, String, String)] = [
    (#""application": "APP","#, "", "request.application: missing"),
    (#""auth": "TOKEN""#, #""auth": """#, "request.auth: empty"),
    (#"{"request""#, #"{"aps""#, "request: missing. This is an APNs payload"),
    (#""notifications""#, #""notification""#, "request.notifications: missing"),
    (
      "\"live_activity_id\": \"order-1\",", "", "request.notifications[0].live_activity_id: missing"
    ),
    (
      #""live_activity":"#, #""live-activity":"#,
      "request.notifications[0].live_activity: missing. There is"
    ),
    (#""content": "Message","#, "", "request.notifications[0].content: missing"),
    (#""event": "start","#, "", "request.notifications[0].live_activity.event: missing"),
    (
      #"{"data": {"emoji": "x"}}"#, #"{"emoji": "x"}"#,
      "request.notifications[0].live_activity.content-state.data: missing"
    ),
    (
      #""attributes": {"data": {"name": "n"}}"#, #""x": 1"#,
      "request.notifications[0].live_activity.attributes: missing"
    ),
    (
      #"{"data": {"name": "n"}}"#, #"{"name": "n"}"#,
      "request.notifications[0].live_activity.attributes.data: missing"
    ),
  ]

  @Test(arguments: faults)
  func `faults of a request`(old: String, new: String, fault: String) {
    let bench = bench()
    let good = ServerRequestTests.request(ServerRequestTests.start)
    #expect(good.contains(old))
    let report = bench.store.deliverServerRequest(json: good.replacing(old, with: new))
    #expect(
      report.faults.contains { $0.description.contains(fault) }, "\(report.faults)")
    #expect(bench.store.activities.isEmpty)
  }

  @Test func `devices of a request`() {
    let good = ServerRequestTests.request(
      ServerRequestTests.start, more: #""devices": ["HWID-1"],"#)
    #expect(bench().store.deliverServerRequest(json: good).hadEffect)
    #expect(bench { $0.hardwareID = "HWID-1" }.store.deliverServerRequest(json: good).hadEffect)
    let other = bench { $0.hardwareID = "HWID-2" }.store.deliverServerRequest(json: good)
    #expect(!other.hadEffect)
    #expect(other.faults.map(\.path) == ["request.notifications[0].devices"])
  }
}
