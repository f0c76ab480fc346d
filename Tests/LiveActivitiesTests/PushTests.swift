import ChannelCodec
import ChannelRouter
import LiveActivities
import Testing

@Suite struct PushTests {
  private func bench(
    registered: Bool = true, _ change: (inout ActivitySettings) -> Void = { _ in }
  ) -> Bench {
    let bench = Bench(change)
    if registered {
      bench.store.registerAttributesType(
        "StopwatchWidgetAttributes", attributes: [:], contentState: ["elapsedTime": .int])
      bench.store.registerDefaultAttributesType()
    }
    bench.clock.advance(by: .seconds(1))
    return bench
  }

  static let start = """
    {"aps": { // a start
      "event": "start", "timestamp": 1800000001, /* seconds */
      "content-state": {"elapsedTime": 3,},
      "attributes-type": "StopwatchWidgetAttributes", "attributes": {},
      "alert": {"title": "Stopwatch", "body": {"loc-key": "RUNS", "loc-args": ["3"]}},
      "relevance-score": 7.5, "stale-date": 1800003601,
    },}
    """

  @Test func `start by push`() throws {
    let bench = bench()
    bench.store.setForeground(false)
    let report = bench.store.deliverPush(json: PushTests.start)
    #expect(report.faults.isEmpty)
    let activity = try #require(bench.store.activities.first)
    #expect(report.results == [.init(activityID: activity.id, outcome: .applied)])
    #expect(activity.startedBy == .push)
    #expect(activity.elapsed == 3)
    #expect(activity.content.relevanceScore == 7.5)
    #expect(activity.content.staleDate == Bench.start + .seconds(3601))
    #expect(activity.alert?.body["loc-key"]?.string == "RUNS")
    bench.clock.advance(by: .milliseconds(100))
    #expect(activity.pushToken != nil)

    for token in [bench.store.pushToStartToken, activity.pushToken, "beef"] {
      let target = PushTarget.token(try #require(token))
      let report = bench.store.deliverPush(json: PushTests.start, to: target)
      #expect(report.faults.isEmpty == (token == bench.store.pushToStartToken))
      #expect(report.faults.allSatisfy { $0.stage == .apns })
    }
    #expect(
      bench.store.deliverPush(json: PushTests.start, to: .activity(id: activity.id)).faults.count
        == 1)
    bench.store.setActivitiesEnabled(false)
    #expect(bench.store.deliverPush(json: PushTests.start).refusal?.reason == .denied)
    bench.store.setActivitiesEnabled(true)
    for _ in 0..<3 { bench.store.deliverPush(json: PushTests.start) }
    let full = bench.store.deliverPush(json: PushTests.start)
    #expect(full.refusal?.reason == .targetMaximumExceeded)

    let old = self.bench { $0.osVersion = OSVersion(17, 1) }
    let refused = old.store.deliverPush(json: PushTests.start)
    #expect(refused.faults.first?.description.contains("17.2") == true)
    #expect(old.store.activities.isEmpty)
  }

  /// Changes to a good start payload, and the fault that each makes.
  static let startFaults: [(String, String, String)] = [
    (#""event": "start","#, "", "aps.event: missing"),
    (#""event": "start","#, #""event": "Start","#, #"aps.event: there is no event "Start""#),
    (#""event": "start","#, #""event": 1,"#, "aps.event: expected text, found 1"),
    (#""timestamp": 1800000001,"#, "", "aps.timestamp: missing"),
    (#""timestamp": 1800000001,"#, #""timestamp": "18","#, "aps.timestamp: expected a number"),
    (#""content-state""#, #""contentState""#, "aps.content-state: missing. There is"),
    (
      #""content-state": {"elapsedTime": 3,}"#, #""content-state": 3"#,
      "aps.content-state: expected an object, found 3"
    ),
    (
      #"{"elapsedTime": 3,}"#, #"{"elapsedTime": 1.5}"#,
      "aps.content-state.elapsedTime: expected Int, found 1.5"
    ),
    (
      #"{"elapsedTime": 3,}"#, #"{"elapsedTime": "7"}"#,
      #"aps.content-state.elapsedTime: expected Int, found "7""#
    ),
    (
      #"{"elapsedTime": 3,}"#, #"{"elapsedTime": true}"#,
      "aps.content-state.elapsedTime: expected Int, found true"
    ),
    (
      #"{"elapsedTime": 3,}"#, #"{"elapsedtime": 3}"#,
      "aps.content-state.elapsedTime: missing, expected Int"
    ),
    (#""attributes-type": "StopwatchWidgetAttributes","#, "", "aps.attributes-type: missing"),
    (
      #""StopwatchWidgetAttributes""#, #""Stopwatch""#,
      #"aps.attributes-type: the app has no struct "Stopwatch""#
    ),
    (
      #""StopwatchWidgetAttributes""#, #""DefaultLiveActivityAttributes""#,
      "aps.attributes.data: missing"
    ),
    (#""attributes": {},"#, "", "aps.attributes: missing"),
    (#""attributes": {},"#, #""attributes": null,"#, "aps.attributes: null"),
    (#""alert""#, #""Alert""#, "aps.alert: missing"),
    (#""title": "Stopwatch", "#, "", "aps.alert.title: missing"),
    (#""title": "Stopwatch""#, #""title": 7"#, "aps.alert.title: expected text"),
    (#"7.5"#, #""7.5""#, "aps.relevance-score: expected a number"),
    (#"{"aps""#, #"{"APS""#, "aps: missing"),
    (#"{"aps": {"#, #"{"request": {"#, "aps: missing. This is a request"),
    (#"/* seconds */"#, "/* seconds", "this comment has no end"),
    (#""timestamp": "#, #""timestamp" "#, "line 2, column"),
  ]

  @Test(arguments: startFaults)
  func `faults of a start`(old: String, new: String, fault: String) throws {
    let bench = bench()
    #expect(PushTests.start.contains(old))
    let report = bench.store.deliverPush(json: PushTests.start.replacing(old, with: new))
    let texts = report.faults.filter(\.isFatal).map(\.description)
    #expect(texts.contains { $0.contains(fault) }, "\(texts)")
    #expect(!report.hadEffect)
    #expect(bench.store.activities.isEmpty)
    #expect(bench.drain().contains { $0.hasPrefix("faults") })
  }

  @Test func `all faults at once`() {
    let bench = bench()
    let report = bench.store.deliverPush(json: #"{"aps": {"event": "start"}}"#)
    #expect(
      report.faults.map(\.path) == [
        "aps.timestamp", "aps.content-state", "aps.attributes-type", "aps.attributes",
        "aps.alert",
      ])
    let lenient = self.bench { $0.startPushNeedsAlert = false }
    let other = lenient.store.deliverPush(json: #"{"aps": {"event": "start"}}"#)
    #expect(!other.faults.contains { $0.path == "aps.alert" })
  }

  @Test func `an unregistered app takes any type`() {
    let bench = bench(registered: false)
    #expect(bench.store.deliverPush(json: PushTests.start).hadEffect)
  }

  @Test func `update and end by push`() throws {
    let bench = bench()
    let activity = try bench.start(pushType: .token)
    bench.clock.advance(by: .seconds(10))
    let now = Int64(bench.now.seconds)
    let token = PushTarget.token(try #require(activity.pushToken))
    func push(_ state: Value?, _ more: Value.Map = [:], at time: Int64? = nil) -> PushReport {
      var pairs: [(key: Value, value: Value)] = [
        ("event", "update"), ("timestamp", .integer(time ?? now)),
      ]
      if let state { pairs.append(("content-state", state)) }
      pairs = pairs.filter { pair in more[pair.key] == nil } + Array(more)
      return bench.store.deliverPush(["aps": .map(Value.Map(pairs))], to: token)
    }
    #expect(push(["elapsedTime": 1.0]).hadEffect)
    #expect(activity.elapsed == nil)
    #expect(activity.content.state["elapsedTime"]?.double == 1)
    #expect(push(["elapsedTime": 5, "more": nil]).hadEffect)
    #expect(push(["elapsedTime": 1.5]).faults.first?.path == "aps.content-state.elapsedTime")
    #expect(push(nil).faults.first?.path == "aps.content-state")
    #expect(activity.elapsed == 5)
    guard
      case .ignored(.olderTimestamp)? = push(["elapsedTime": 6], at: now - 1).results.first?.outcome
    else {
      Issue.record("an older push")
      return
    }
    // A local change within the same second does not make a push older.
    bench.clock.advance(by: .milliseconds(300))
    bench.store.update(activity, bench.content(7))
    #expect(push(["elapsedTime": 8]).hadEffect)
    let remark = push(["elapsedTime": 9], ["stale-date": .integer(now * 1000)])
    #expect(remark.hadEffect)
    #expect(remark.faults.map(\.stage) == [.remark])
    #expect(push(["elapsedTime": 9], ["dismissal-date": .integer(now)]).faults.count == 1)
    #expect(push(["elapsedTime": 9], ["stale_date": .integer(now)]).faults.count == 1)

    let removal = now + 100
    #expect(push(nil, ["event": "end", "dismissal-date": .integer(removal)]).hadEffect)
    #expect(activity.state == .ended)
    #expect(activity.elapsed == 9)
    #expect(activity.removalAt == DeviceTime(seconds: Double(removal)))
    #expect(push(["elapsedTime": 10]).results.first?.outcome == .ignored(.over(.ended)))
    bench.clock.advance(by: .seconds(200))
    #expect(push(["elapsedTime": 10]).results.first?.outcome == .ignored(.over(.dismissed)))
  }

  @Test func `a past dismissal date removes at once`() throws {
    for (date, state) in [(nil, LiveActivity.State.ended), (1 as Int64?, .dismissed)] {
      let bench = bench()
      let activity = try bench.start(pushType: .token)
      let more = date.map { #", "dismissal-date": \#($0)"# } ?? ""
      bench.store.deliverPush(json: #"{"aps": {"event": "end", "timestamp": 1800000001\#(more)}}"#)
      #expect(activity.state == state)
    }
  }

  @Test func `whom a push reaches`() throws {
    let bench = bench(registered: false)
    let update: Value = [
      "aps": ["event": "update", "timestamp": 1_900_000_000, "content-state": ["elapsedTime": 1]]
    ]
    func fault(_ target: PushTarget) -> String? {
      bench.store.deliverPush(update, to: target).faults.first?.problem
    }
    #expect(fault(.automatic) == "there is no activity")
    let silent = try bench.start()
    #expect(fault(.automatic)?.contains("without a push type") == true)
    #expect(fault(.activity(id: silent.id))?.contains("without a push type") == true)
    #expect(fault(.activity(id: "?"))?.contains("no activity") == true)
    let first = try bench.start(pushType: .token)
    #expect(fault(.automatic) == nil)
    let second = try bench.start(pushType: .channel("news"))
    #expect(fault(.automatic) == "2 activities take pushes")
    #expect(fault(.activity(id: first.id)) == nil)
    #expect(fault(.channel("news")) == nil)
    #expect(fault(.channel("olds"))?.contains("olds") == true)
    #expect(first.updateCount == 2)
    #expect(second.updateCount == 1)
    bench.clock.advance(by: .seconds(1))
    let old = try #require(first.pushToken)
    bench.store.rotatePushToken(of: first)
    #expect(fault(.token(old)) == "no activity has this push token")
    #expect(fault(.token(try #require(bench.store.pushToStartToken))) != nil)
    #expect(fault(.token(try #require(first.pushToken))) == nil)
  }

  @Test func `size of a push`() throws {
    let bench = bench(registered: false)
    let activity = try bench.start(pushType: .token)
    func push(_ count: Int) -> PushReport {
      let empty = #"{"aps":{"event":"update","timestamp":1900000000,"content-state":{"t":""}}}"#
      let text = String(repeating: "x", count: count - empty.utf8.count)
      return bench.store.deliverPush(json: empty.replacing(#""""#, with: "\"\(text)\" /* … */"))
    }
    #expect(push(4096).hadEffect)
    let report = push(4097)
    #expect(!report.hadEffect)
    #expect(report.faults.map(\.stage) == [.apns])
    #expect(report.faults[0].problem == "takes 4097 bytes, and 4096 are allowed")
    #expect(activity.updateCount == 1)
  }

  @Test func `budget of high priority`() throws {
    let bench = Bench { $0.pushBudget = 2 }
    try bench.start(pushType: .token)
    let update: Value = [
      "aps": ["event": "update", "timestamp": 1_900_000_000, "content-state": ["n": 1]]
    ]
    func outcome(_ priority: Int) -> ActivityOutcome? {
      bench.store.deliverPush(update, priority: priority).results.first?.outcome
    }
    #expect(outcome(10)?.isApplied == true)
    #expect(outcome(10)?.isApplied == true)
    #expect(outcome(10) == .ignored(.overBudget(limit: 2)))
    #expect(outcome(5)?.isApplied == true)
    bench.advance(hours: 1)
    #expect(outcome(10)?.isApplied == true)
  }

  @Test(
    arguments: [
      ("[1, 2,]", "[1,2]"), (#"{"a": "// no /* comment",}"#, #"{"a":"// no /* comment"}"#),
      ("[1 // one\n, /* two */ 2]", "[1,2]"), (#"["\\", "\"//"]"#, #"["\\","\"//"]"#),
      ("[[1,],]", "[[1]]"), ("[,]", nil), ("[1,,]", nil), ("{\"a\":,}", nil), ("/* x", nil),
      ("", nil), ("[1] // end", "[1]"), ("[1] x", nil), ("\"abc", nil), ("\"abc\\", nil),
    ] as [(String, String?)])
  func `comments and trailing commas`(text: String, json: String?) throws {
    let bench = Bench()
    let body = #"{"aps": {"event": "update", "timestamp": 1900000000, "content-state": {"v": "#
    let activity = try bench.start(pushType: .token)
    let report = bench.store.deliverPush(json: body + text + "\n}}}")
    #expect(report.hadEffect == (json != nil), "\(report.faults)")
    guard let json else { return }
    let value = try JSONMessageCodec().decode(Array(json.utf8))
    #expect(activity.content.state["v"] == value)
  }
}
