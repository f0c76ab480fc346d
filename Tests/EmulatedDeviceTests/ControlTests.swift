import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

@Suite("pwbridge/control") struct ControlTests {
  private let control: ChannelName = "pwbridge/control"
  private let zero: Value = ["elapsedSeconds": 0]

  @Test func helpKnowsEveryMethod() throws {
    let bench = try Bench()
    let help = try bench.control("help")
    let names = help.list?.compactMap { $0["method"]?.string } ?? []
    #expect(names.count > 25 && Set(names).count == names.count)
    for name in names {
      let outcome = try bench.outcome(control, name, ["help": 1])
      #expect(outcome != .payload(nil), "\(name)")
      #expect(outcome != nil, "\(name)")
    }
    #expect(try bench.control("help", ["method": "dismiss"]).list?.count == 1)
    #expect(try bench.failure(control, "help", ["method": "x"]).code == "no-such-method")
  }

  @Test func anUnknownMethodNamesTheNearest() throws {
    let bench = try Bench()
    #expect(try bench.outcome(control, "activites") == .payload(nil))
    #expect(bench.warnings.contains { $0.contains("did you mean activities?") })
    #expect(try bench.outcome(control, "frobnicate") == .payload(nil))
    #expect(bench.warnings.contains { $0.contains("the method help lists them") })
  }

  @Test func badArgumentsSayWhere() throws {
    let bench = try Bench()
    let cases: [(String, Value, String, String, String)] = [
      ("clock.advance", nil, "by", "seconds, or text such as 8h", "nothing"),
      (
        "clock.advance", ["by": 1, "microseconds": 1], "arguments", "by or microseconds", "both"
      ),
      ("clock.advance", ["microseconds": -1], "microseconds", "an integer from", "-1"),
      ("clock.advance", ["by": "soon"], "by", "seconds of at most", "\"soon\""),
      ("clock.advance", ["by": .float64(.nan)], "by", "seconds of at most", "nan"),
      ("clock.advance", ["by": 1e300], "by", "seconds of at most", "1e+300"),
      ("clock.advance", ["bye": 1], "arguments", "only by, microseconds", "did you mean by?"),
      ("clock.now", ["x": 1], "arguments", "no arguments", "\"x\""),
      ("reset", 7, "arguments", "a map", "7"), ("reset", [1: 2], "arguments", "string keys", "1"),
      ("setAuthorization", ["enabled": 1], "enabled", "true or false", "1"),
      ("setForeground", ["foreground": nil], "foreground", "true or false", "null"),
      ("journal", ["limit": 0], "limit", "from 1 to", "0"),
      ("journal", ["since": "1"], "since", "an integer of at least 0", "\"1\""),
      ("failNextRequest", ["reason": "sad"], "reason", "one of attributesTooLarge", "\"sad\""),
      ("deliverPush", nil, "payload", "a map, or JSON text", "nothing"),
      ("deliverPush", ["payload": [:], "id": "a", "token": "b"], "arguments", "one of", "several"),
      ("serverRequest", ["request": nil], "request", "a map, or JSON text", "null"),
      ("sendEvent", ["channel": "a", "event": 1, "end": true], "arguments", "one of", "several"),
      ("invokeDart", ["channel": "", "method": "m"], "channel", "1 to 4096 bytes", "\"\""),
      ("invokeDart", ["channel": "a\u{0}", "method": "m"], "channel", "1 to 4096", "a"),
      ("invokeDart", ["channel": "a"], "method", "a string", "nothing"),
      ("sendMessage", ["channel": "a", "message": "x"], "message", "a Uint8List or null", "\"x\""),
      ("setOption", ["name": "seed"], "value", "a string, a number", "nothing"),
      ("setOption", ["name": "foreground", "value": [1]], "value", "a string", "a list"),
    ]
    for (method, arguments, path, expected, found) in cases {
      let error = try bench.failure(control, method, arguments)
      #expect(error.code == "bad-arguments", "\(method)")
      #expect(error.details["path"]?.string == path, "\(method): \(error)")
      #expect(error.details["expected"]?.string?.contains(expected) == true, "\(error)")
      #expect(error.details["found"]?.string?.contains(found) == true, "\(error)")
      #expect(error.message?.description.hasPrefix("\(method): ") == true)
    }
  }

  @Test func theJournalTellsEveryOutcome() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 1.5])
    _ = try bench.outcome("PW", "startLiveActivity", [1])
    _ = try bench.outcome("PW", "nope")
    bench.send("PW", message: [255])
    bench.send("raw", message: [1, 2])
    bench.device.faults.add(try FaultRule("PW.stopLiveActivity#1: no-reply"))
    bench.device.faults.add(try FaultRule("PW.stopLiveActivity#2: delay 1h"))
    bench.device.faults.add(try FaultRule("PW.stopLiveActivity#3: corrupt ff"))
    for _ in 0..<3 { _ = try bench.send("PW", "stopLiveActivity") }
    let entries = try #require(try bench.control("journal")["entries"]?.list)
    #expect(
      entries.compactMap { $0["outcome"]?.string } == [
        "success", "error", "notImplemented", "refused", "reply", "dropped", "open", "malformed",
      ])
    #expect(entries[0]?["method"] == "startLiveActivity")
    #expect(entries[0]?["arguments"] == ["elapsedSeconds": 1.5])
    #expect(entries[0]?["value"] == .null)
    #expect(entries[0]?["remarks"]?[0]?["level"] == "warning")
    #expect(entries[0]?["microseconds"]?.double == 0)
    #expect(entries[1]?["error"]?["code"] == "418")
    #expect(entries[3]?["refusal"]?["code"] == "message-malformed")
    #expect(entries[4]?["message"] == .uint8List([1, 2]))
    #expect(entries[4]?["reply"] == .null)
    #expect(entries[6]?["microseconds"] == .null)
    #expect(entries[7]?["reply"] == .uint8List([255]))
  }

  @Test func theJournalIsReadInParts() throws {
    let bench = try Bench()
    for _ in 0..<10 { _ = try bench.outcome("PW", "stopLiveActivity") }
    let last = try bench.control("journal", ["limit": 3])
    #expect(last["entries"]?.list?.compactMap { $0["number"]?.integer } == [8, 9, 10])
    #expect(last["more"] == true)
    let first = try bench.control("journal", ["limit": 3, "since": 0])
    #expect(first["entries"]?.list?.compactMap { $0["number"]?.integer } == [1, 2, 3])
    #expect(first["next"] == 3)
    #expect(try bench.control("journal", ["channel": "x*"])["entries"] == [])
    let all = try bench.control("journal", ["control": true, "since": 10])
    #expect(all["entries"]?.list?.count == 4)
    #expect(all["entries"]?[3]?["outcome"] == "open")
  }

  @Test func timePassesForTheActivities() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", zero)
    #expect(try bench.control("clock.now")["time"] == "2026-01-01T00:00:00Z")
    let clock = try bench.control("clock.advance", ["by": "8h"])
    #expect(clock["time"] == "2026-01-01T08:00:00Z")
    #expect(try bench.control("activity")["state"] == "ended")
    try bench.control("clock.advance", ["microseconds": 14_400_000_000])
    #expect(try bench.control("activity")["state"] == "dismissed")
    #expect(try bench.control("activities") == [])
    #expect(try bench.control("activities", ["all": true]).list?.count == 1)
    #expect(try bench.control("state")["liveCount"] == 0)
  }

  @Test func switchesWork() throws {
    let bench = try Bench()
    try bench.control("setAuthorization", ["enabled": false])
    #expect(try bench.failure("PW", "startLiveActivity", zero).details["reason"] == "denied")
    try bench.control("setAuthorization", ["enabled": true, "frequentPushes": false])
    try bench.control("setForeground", ["foreground": false])
    #expect(try bench.failure("PW", "startLiveActivity", zero).details["reason"] == "visibility")
    try bench.control("setForeground", ["foreground": true])
    try bench.control("failNextRequest", ["reason": "persistenceFailure"])
    #expect(
      try bench.failure("PW", "startLiveActivity", zero).details["reason"] == "persistenceFailure")
    try bench.control("setLimits", ["maximum-per-app": 1, "maximum-size": 100])
    let wrong = try bench.failure(
      control, "setLimits", ["maximum-size": 50, "maximum-sise": 1])
    #expect(wrong.code == "device-option")
    #expect(wrong.message?.description.contains("did you mean maximum-size?") == true)
    #expect(bench.device.options.activities.maximumSize == 100)
    try bench.control("setOption", ["name": "handler", "value": "guide"])
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .dropped)
    #expect(
      try bench.failure(control, "setOption", ["name": "seed", "value": 2]).code == "device-option")
    try bench.control("setLimits", ["maximum-per-app": nil])
    #expect(bench.device.options.activities.maximumPerApp == nil)
    let options = try bench.control("options")
    #expect(options.list?.count == DeviceOption.all.count)
    try bench.control("reset")
    #expect(bench.device.options.handler == .answering)
    #expect(bench.device.options.activities.maximumPerApp == 5)
    #expect(try bench.control("totals")["received"] == 1)
  }

  @Test func pushesArrive() throws {
    let bench = try Bench()
    _ = try bench.outcome("pushwoosh", "defaultSetup")
    try bench.control("clock.advance", ["by": 1])
    #expect(try bench.control("tokens")["pushToStart"]?.string?.count == 64)
    let request = """
      {"request": {"application": "X", "auth": "t", "notifications": [{
        "content": "Message", // the alert
        "live_activity": {"event": "start", "content-state": {"data": {"emoji": "x"}},
          "attributes-type": "DefaultLiveActivityAttributes",
          "attributes": {"data": {"name": "static"}}},
        "live_activity_id": "id-1"}]}}
      """
    let report = try bench.control("serverRequest", ["request": .string(.init(request))])
    #expect(report["hadEffect"] == true, "\(report)")
    let id = try #require(report["results"]?[0]?["id"])
    let activity = try bench.control("activity", ["id": id])
    #expect(activity["startedBy"] == "push")
    #expect(activity["attributes"]?["pushwoosh"]?["activityId"] == "id-1")
    try bench.control("clock.advance", ["by": 1])
    #expect(try bench.control("tokens")["activities"]?[0]?["pushwooshId"] == "id-1")
    let now = try #require(try bench.control("clock.now")["microseconds"]?.integer) / 1_000_000
    let update: Value = [
      "aps": [
        "timestamp": .integer(now + 1), "event": "update",
        "content-state": ["data": ["emoji": "y"]],
      ]
    ]
    let updated = try bench.control("deliverPush", ["payload": update, "id": id])
    #expect(updated["hadEffect"] == true, "\(updated)")
    let bad = try bench.control("deliverPush", ["payload": "{"])
    #expect(bad["hadEffect"] == false)
    #expect(bad["faults"]?[0]?["stage"] == "text")
    let token = try bench.control("rotateToken", ["id": id])
    #expect(token.string?.count == 64)
    #expect(bench.device.pushwoosh.serverRequests.last?.body["activity_token"] == token)
    #expect(try bench.control("rotateToken").string?.count == 64)
    #expect(try bench.control("dismiss", ["id": id]) == ["outcome": "applied"])
    #expect(try bench.control("dismiss", ["id": id])["reason"] == "dismissed")
    #expect(try bench.failure(control, "dismiss", ["id": "x"]).code == "no-such-activity")
  }

  @Test func dartIsCalledAndAnswers() throws {
    let bench = try Bench()
    let outcomes: [(ReplyOutcome, String)] = [
      (.payload([0, 3, 5, 0, 0, 0]), "success"), (.payload([1, 7, 1, 99, 0, 0]), "error"),
      (.payload(nil), "notImplemented"), (.dropped, "dropped"), (.payload([9]), "malformed"),
      (.disconnected, "disconnected"),
    ]
    for (reply, name) in outcomes {
      bench.port.onMessage = { _ in reply }
      let value = try bench.control(
        "invokeDart", ["channel": "d", "method": "m", "arguments": [1]])
      #expect(value["outcome"]?.string == name)
      if name == "success" { #expect(value["value"] == 5) }
      if name == "error" { #expect(value["error"]?["code"] == "c") }
    }
    let sent = try #require(bench.port.messages.last)
    #expect(try Bench.codec.decodeMethodCall(sent.bytes) == MethodCall("m", [1]))
    bench.port.onMessage = { .payload($0.bytes) }
    #expect(
      try bench.control("sendMessage", ["channel": "d", "message": .uint8List([7])])
        == ["outcome": "reply", "reply": .uint8List([7])])
    #expect(
      try bench.control("sendMessage", ["channel": "d"]) == ["outcome": "reply", "reply": nil])
  }

  @Test func aSilentDartTimesOut() throws {
    let bench = try Bench()
    let id = try bench.send(
      control, "invokeDart", ["channel": "d", "method": "m", "timeout": "1s"])
    #expect(bench.outcome(id) == nil)
    bench.device.clock.advance(by: .seconds(1))
    let outcome = MethodOutcome(try #require(bench.outcome(id)), codec: Bench.codec)
    guard case .success(["outcome": "timeout"]) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    bench.port.messages[0].reply?(.payload([0, 0]))
    #expect(bench.port.answers[id]?.count == 1)
    #expect(
      try bench.control("invokeDart", ["channel": "d", "method": "m", "wait": false]) == .null)
    #expect(bench.port.messages[1].reply == nil)
  }

  @Test func aRetiredDeviceServesNobody() throws {
    let bench = try Bench("fault=PW: delay 1h")
    let id = try bench.send("PW", "startLiveActivity", zero)
    bench.device.retire()
    #expect(bench.outcome(id) == .payload([0, 0]))
    #expect(try bench.outcome("PW", "startLiveActivity", zero) == .payload(nil))
    #expect(bench.device.messenger.handledChannels.isEmpty)
  }

  @Test func aDeviceIsReleased() throws {
    weak var device: EmulatedDevice?
    weak var messenger: RoutingMessenger?
    do {
      let bench = try Bench()
      _ = try bench.outcome("PW", "startLiveActivity", zero)
      _ = try bench.outcome("pushwoosh", "defaultSetup")
      _ = try bench.outcome("pushwoosh/receive", "listen")
      (device, messenger) = (bench.device, bench.device.messenger)
      bench.device.retire()
    }
    #expect(device == nil)
    #expect(messenger == nil)
  }
}
