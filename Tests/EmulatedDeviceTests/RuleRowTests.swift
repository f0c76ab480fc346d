import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

/// The rows of ActivityKit's rules as a client meets them: through `PW`, and through the control
/// channel for what the person, servers and time do.
@Suite("ActivityKit's rules through PW") struct RuleRowTests {
  private let zero: Value = ["elapsedSeconds": 0]

  private func start(_ bench: Bench, _ seconds: Int64 = 0) throws -> Value {
    #expect(
      try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": .integer(seconds)])
        == .payload([0, 0]))
    return try #require(try bench.control("activity")["id"])
  }

  /// An activity that takes pushes.
  private func startPushable(_ bench: Bench, _ id: String = "order") throws -> Value {
    let arguments: Value = [
      "activityId": .string(.init(id)), "attributes": ["a": 1], "content": ["n": 5],
    ]
    #expect(try bench.outcome("PW", "defaultStart", arguments) == .payload([0, 0]))
    return try #require(try bench.control("activities").list.map(Array.init)?.last?["id"])
  }

  private func push(
    _ bench: Bench, _ id: Value, _ event: String, _ data: Value? = nil, at seconds: Int64 = 0,
    _ more: Value.Map = [:]
  ) throws -> Value {
    var pairs: [(key: Value, value: Value)] = [
      ("event", .string(.init(event))), ("timestamp", .integer(1_767_225_600 + seconds)),
    ]
    if let data { pairs.append(("content-state", ["data": data])) }
    pairs += more.map { (key: $0.key, value: $0.value) }
    return try bench.control(
      "deliverPush", ["payload": ["aps": .map(Value.Map(pairs))], "id": id])
  }

  private func state(_ bench: Bench, _ id: Value) throws -> Value? {
    try bench.control("activity", ["id": id])["state"]
  }

  @Test func whoMayStart() throws {
    let bench = try Bench()
    let id = try start(bench)
    try bench.control("setForeground", ["foreground": false])
    #expect(try bench.failure("PW", "startLiveActivity", zero).details["reason"] == "visibility")
    // The failed start has lost the handle, as in the guide's code; the activity is there.
    #expect(try state(bench, id) == "active")
    let other = try Bench()
    _ = try start(other)
    try other.control("setForeground", ["foreground": false])
    for method in ["updateLiveActivity", "stopLiveActivity"] {
      #expect(try other.outcome("PW", method, zero) == .payload([0, 0]), "in the background")
    }
  }

  @Test func plist() throws {
    let bench = try Bench("plist-support=off", "plist-frequent-updates=on")
    let error = try bench.failure("PW", "startLiveActivity", zero)
    #expect(error.details["reason"] == "unsupportedTarget")
    #expect(try bench.control("state")["frequentPushesEnabled"] == true)
  }

  @Test func size() throws {
    let bench = try Bench()
    // {} and {"elapsedTime":0}: 2 and 17 bytes.
    try bench.control("setLimits", ["maximum-size": 19])
    _ = try start(bench)
    let error = try bench.failure("PW", "updateLiveActivity", ["elapsedSeconds": 10])
    #expect(
      error.details == [
        "reason": "attributesTooLarge", "size": 20, "attributesSize": 2, "contentSize": 18,
        "limit": 19,
      ])
    try bench.control("setLimits", ["size-rule": "each"])
    #expect(
      try bench.outcome("PW", "updateLiveActivity", ["elapsedSeconds": 10]) == .payload([0, 0]))
  }

  @Test func count() throws {
    let bench = try Bench()
    for number in 0..<5 { _ = try start(bench, Int64(number)) }
    #expect(
      try bench.failure("PW", "startLiveActivity", zero).details["reason"]
        == "targetMaximumExceeded")
    let first = try #require(try bench.control("activities")[0]?["id"])
    try bench.control("dismiss", ["id": first])
    _ = try start(bench)
    #expect(try bench.control("state")["liveCount"] == 5)
  }

  @Test func lifetime() throws {
    let bench = try Bench()
    let id = try start(bench)
    for (hours, expected) in [
      (7.999, "active"), (0.001, "ended"), (3.999, "ended"), (0.01, "dismissed"),
    ] {
      try bench.control("clock.advance", ["by": .float64(hours * 3600)])
      #expect(try state(bench, id)?.string == expected)
    }
    #expect(
      try bench.failure("PW", "updateLiveActivity", zero).details["reason"] == "dismissed")
  }

  @Test func dismissal() throws {
    let bench = try Bench()
    let immediate = try start(bench)
    #expect(try bench.outcome("PW", "stopLiveActivity") == .payload([0, 0]))
    #expect(try state(bench, immediate) == "dismissed")
    // By push: the default, a date, a past date, a date after the four hours.
    let cases: [(Value.Map, Double, String)] = [
      ([:], 4, "default"), (["dismissal-date": 1_767_229_200], 1, "date"),
      (["dismissal-date": 1], 0, "past"), (["dismissal-date": 1_767_261_600], 4, "capped"),
    ]
    for (more, hours, name) in cases {
      let bench = try Bench()
      let id = try startPushable(bench)
      #expect(try push(bench, id, "end", ["n": 6], more)["hadEffect"] == true, "\(name)")
      if hours > 0 {
        #expect(try state(bench, id) == "ended", "\(name)")
        try bench.control("clock.advance", ["by": .float64(hours * 3600 - 1)])
        #expect(try state(bench, id) == "ended", "\(name)")
        try bench.control("clock.advance", ["by": 1])
      }
      #expect(try state(bench, id) == "dismissed", "\(name)")
    }
  }

  @Test func ended() throws {
    let bench = try Bench()
    let id = try startPushable(bench)
    #expect(try push(bench, id, "end")["hadEffect"] == true)
    #expect(try bench.control("activity", ["id": id])["contentState"]?["data"] == ["n": 5])
    let late = try push(bench, id, "update", ["n": 7], at: 1)
    #expect(late["hadEffect"] == false)
    #expect(late["results"]?[0]?["outcome"]?["reason"] == "ended")
    #expect(try bench.control("activity", ["id": id])["ignored"] == 1)
  }

  @Test func swipe() throws {
    let bench = try Bench()
    let id = try start(bench)
    try bench.control("dismiss", ["id": id])
    let activity = try bench.control("activity", ["id": id])
    #expect(activity["state"] == "dismissed")
    #expect(activity["dismissedBy"] == "user")
    #expect(
      try bench.failure("PW", "stopLiveActivity").details["reason"] == "dismissed")
  }

  @Test func stale() throws {
    let bench = try Bench()
    let id = try startPushable(bench)
    _ = try push(bench, id, "update", ["n": 6], ["stale-date": 1_767_229_200])
    try bench.control("clock.advance", ["by": "1h"])
    #expect(try state(bench, id) == "stale")
    _ = try push(bench, id, "update", ["n": 7], at: 3600)
    #expect(try state(bench, id) == "active")
  }

  @Test func relevance() throws {
    let bench = try Bench()
    let first = try startPushable(bench, "a")
    let second = try startPushable(bench, "b")
    #expect(try bench.control("state")["island"] == first)
    _ = try push(bench, second, "update", ["n": 6], ["relevance-score": 50])
    #expect(try bench.control("state")["island"] == second)
    _ = try push(bench, first, "update", ["n": 6], ["relevance-score": 50])
    #expect(try bench.control("state")["island"] == first, "equal: the one that started first")
    _ = try push(bench, first, "end", at: 1)
    #expect(try bench.control("state")["island"] == second)
  }

  @Test func equalContent() throws {
    let bench = try Bench()
    let id = try startPushable(bench)
    let same = try push(bench, id, "update", ["n": 5])
    #expect(same["results"]?[0]?["outcome"]?["outcome"] == "appliedUnchanged")
    let other = try push(bench, id, "update", ["n": 6], at: 1)
    #expect(other["results"]?[0]?["outcome"]?["outcome"] == "applied")
  }

  @Test func timestamps() throws {
    let bench = try Bench()
    let id = try startPushable(bench)
    #expect(try push(bench, id, "update", ["n": 6], at: 60)["hadEffect"] == true)
    let older = try push(bench, id, "update", ["n": 7], at: 59)
    #expect(older["results"]?[0]?["outcome"]?["reason"] == "olderTimestamp")
  }

  @Test func tokens() throws {
    let bench = try Bench()
    let silent = try start(bench)
    let id = try startPushable(bench)
    #expect(try bench.control("activity", ["id": id])["pushToken"] == .null)
    try bench.control("clock.advance", ["by": "100ms"])
    #expect(try bench.control("activity", ["id": id])["pushToken"]?.string?.count == 64)
    #expect(try bench.control("activity", ["id": silent])["pushToken"] == .null)
    #expect(try bench.control("rotateToken", ["id": silent]) == .null)
    let refused = try push(bench, silent, "update", [:], at: 1)
    #expect(refused["faults"]?[0]?["problem"]?.string?.contains("without a push type") == true)
  }

  @Test func errors() throws {
    let bench = try Bench()
    for reason in ActivityRefusal.Reason.allCases {
      try bench.control("failNextRequest", ["reason": .string(.init(reason.rawValue))])
      let error = try bench.failure("PW", "startLiveActivity", zero)
      #expect(error.code == "418")
      #expect(error.details["reason"]?.string == reason.rawValue)
    }
    _ = try start(bench)
  }

  @Test func decoding() throws {
    let bench = try Bench()
    let id = try startPushable(bench)
    let payload: Value = [
      "aps": ["event": "update", "timestamp": 1_767_225_600, "content-state": ["n": 6]]
    ]
    let report = try bench.control("deliverPush", ["payload": payload, "id": id])
    #expect(report["hadEffect"] == false)
    #expect(report["faults"]?[0]?["path"] == "aps.content-state.data")
    #expect(try bench.control("activity", ["id": id])["contentState"]?["data"] == ["n": 5])
  }
}
