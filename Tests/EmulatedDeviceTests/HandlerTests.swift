import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

@Suite("PW, answering") struct AnsweringTests {
  @Test func refusalsSayWhatAndWhy() throws {
    let cases: [([String], String, String)] = [
      (["authorization=off"], "denied", "switched off"),
      (["foreground=off"], "visibility", "foreground"),
      (["os-version=16.0"], "unsupported", "16.1"),
      (["plist-support=off"], "unsupportedTarget", "NSSupportsLiveActivities"),
      (["maximum-per-app=0"], "targetMaximumExceeded", "0 are allowed"),
      (["maximum-size=5"], "attributesTooLarge", "5 are allowed"),
      (["maximum-on-device=3", "activities-of-other-apps=3"], "globalMaximumExceeded", "3"),
    ]
    for (options, reason, words) in cases {
      let bench = try Bench()
      for option in options {
        let parts = option.split(separator: "=")
        try bench.device.setOption(String(parts[0]), to: String(parts[1]))
      }
      let error = try bench.failure("PW", "startLiveActivity", ["elapsedSeconds": 0])
      #expect(error.code == "418")
      #expect(error.details["reason"]?.string == reason)
      let message = error.message?.description ?? ""
      #expect(message.hasPrefix("Live activity didn't invoked: "))
      #expect(message.contains(words), "\(message)")
    }
  }

  @Test func numbersComeWithTheRefusal() throws {
    let bench = try Bench("maximum-per-app=2")
    for _ in 0..<2 { _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0]) }
    let error = try bench.failure("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(
      error.details == ["reason": "targetMaximumExceeded", "count": 2, "limit": 2])
  }

  @Test func updateAndStopNeedAnActivity() throws {
    let bench = try Bench()
    for method in ["updateLiveActivity", "stopLiveActivity"] {
      let error = try bench.failure("PW", method, ["elapsedSeconds": 1])
      #expect(error.code == "418")
      #expect(error.details["reason"] == "noActivity")
      #expect(error.message?.description.contains("startLiveActivity first") == true)
    }
  }

  @Test func anUpdateAfterStopSaysSo() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(try bench.outcome("PW", "stopLiveActivity") == .payload([0, 0]))
    for method in ["updateLiveActivity", "stopLiveActivity"] {
      let error = try bench.failure("PW", method, ["elapsedSeconds": 1])
      #expect(error.details["reason"] == "dismissed")
    }
    // A new one can be started and updated.
    #expect(
      try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0]) == .payload([0, 0]))
    #expect(
      try bench.outcome("PW", "updateLiveActivity", ["elapsedSeconds": 1]) == .payload([0, 0]))
  }

  @Test func anUpdateThatIsTooLargeLeavesTheActivity() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    try bench.device.setOption("maximum-size", to: "20")
    let error = try bench.failure("PW", "updateLiveActivity", ["elapsedSeconds": 12345])
    #expect(error.details["reason"] == "attributesTooLarge")
    #expect(error.details["limit"] == 20)
    #expect(bench.device.stopwatchActivity?.content.state == ["elapsedTime": 0])
  }

  @Test func aSecondStartOrphansTheFirst() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    let first = try #require(bench.device.stopwatchActivity)
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(bench.warnings.contains { $0.contains(first.id) && $0.contains("can no longer be") })
    #expect(first.state == .active)
    _ = try bench.outcome("PW", "stopLiveActivity")
    #expect(first.state == .active)
  }

  @Test func aFailedSecondStartLosesTheHandle() throws {
    let bench = try Bench()
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    try bench.device.setOption("foreground", to: "off")
    _ = try bench.failure("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(bench.warnings.count == 1)
    let error = try bench.failure("PW", "updateLiveActivity", ["elapsedSeconds": 1])
    #expect(error.details == ["reason": "noActivity", "unreachable": 1])
  }

  @Test func fallbacksSayWhy() throws {
    let bench = try Bench()
    let cases: [(Value, String)] = [
      (["elapsedseconds": 7], "but \"elapsedseconds\""), ([:], "there is no elapsedSeconds"),
      (["elapsedSeconds": 1.5], "1.5, which is no whole number"),
      (["elapsedSeconds": 1e19], "fits no Int"), (["elapsedSeconds": "7"], "\"7\", no number"),
      (["elapsedSeconds": nil], "null, no number"),
    ]
    for (arguments, words) in cases {
      bench.port.reports = []
      _ = try bench.outcome("PW", "startLiveActivity", arguments)
      #expect(bench.warnings.first?.contains(words) == true, "\(bench.warnings)")
      let report = try #require(bench.port.reports.first)
      #expect(report.level == .warning && report.id > 0)
      _ = try bench.outcome("PW", "stopLiveActivity")
    }
  }

  @Test func defaultStartChecksItsArguments() throws {
    let good: [(Value, Value)] = [
      ("activityId", "a"), ("attributes", ["name": "n"]), ("content", ["k": "v"]),
    ]
    let bad: [(String, Value?, String)] = [
      ("activityId", "", "activityId: expected a string that is not empty"),
      ("activityId", 7, "found 7"), ("activityId", nil, "found nothing"),
      ("attributes", [1], "attributes: expected a map with string keys, found a list"),
      ("content", [1: 2], "content: expected a map with string keys, found the key 1"),
      ("content", .null, "found null"),
    ]
    for channel: ChannelName in ["PW", "pushwoosh"] {
      let bench = try Bench()
      for (name, value, words) in bad {
        var pairs = good.filter { $0.0 != .string(.init(name)) }
        if let value { pairs.append((.string(.init(name)), value)) }
        let arguments = Value.map(.init(pairs.map { (key: $0.0, value: $0.1) }))
        let error = try bench.failure(channel, "defaultStart", arguments)
        #expect(error.code == "418")
        #expect(error.details["path"]?.string == name)
        #expect(error.message?.description.contains(words) == true, "\(error)")
      }
      #expect(bench.device.store.activitiesOnScreen.isEmpty)
      let arguments = Value.map(.init(good.map { (key: $0.0, value: $0.1) }))
      #expect(try bench.outcome(channel, "defaultStart", arguments) == .payload([0, 0]))
      let activity = try #require(bench.device.store.activitiesOnScreen.first)
      #expect(activity.attributesType == "DefaultLiveActivityAttributes")
      #expect(
        activity.attributes == ["data": ["name": "n"], "pushwoosh": ["activityId": "a"]])
      #expect(activity.content.state == ["data": ["k": "v"]])
      #expect(activity.pushType == .token)
    }
  }

  @Test func aNumberThatJSONCannotSayIsRefused() throws {
    let bench = try Bench()
    let error = try bench.failure(
      "PW", "defaultStart",
      ["activityId": "a", "attributes": [:], "content": ["x": .float64(.nan)]])
    #expect(error.details["reason"] == "notEncodable")
  }
}

@Suite("PW, as the guide has it") struct GuideTests {
  @Test func callsAreNeverAnswered() throws {
    let bench = try Bench("handler=guide")
    #expect(try bench.outcome("PW", "updateLiveActivity", ["elapsedSeconds": 1]) == .dropped)
    #expect(try bench.outcome("PW", "stopLiveActivity") == .dropped)
    #expect(try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 1]) == .dropped)
    #expect(bench.device.messenger.journal.totals.dropped == 3)
    #expect(try bench.outcome("PW", "defaultStart", ["activityId": "a"]) == .payload(nil))
  }

  @Test func aFailedSecondStartLosesTheHandle() throws {
    let bench = try Bench("handler=guide", "maximum-per-app=1")
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    let first = try #require(bench.device.stopwatchActivity)
    _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(bench.device.stopwatchActivity == nil)
    _ = try bench.outcome("PW", "updateLiveActivity", ["elapsedSeconds": 5])
    _ = try bench.outcome("PW", "stopLiveActivity")
    #expect(first.state == .active)
    #expect(first.updateCount == 0)
    #expect(bench.warnings.contains { $0.contains("targetMaximumExceeded") })
  }

  @Test func tasksRunOnALaterTurn() throws {
    let bench = try Bench("handler=guide")
    try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
    try bench.send("PW", "updateLiveActivity", ["elapsedSeconds": 1])
    let activity = try #require(bench.device.stopwatchActivity)
    #expect(activity.updateCount == 0)
    bench.thread.drain()
    #expect(activity.updateCount == 1)
  }

  @Test func inOrderATaskRunsBeforeTheNextCall() throws {
    let bench = try Bench("handler=guide")
    try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
    let first = try #require(bench.device.stopwatchActivity)
    try bench.send("PW", "stopLiveActivity")
    #expect(first.state == .active)
    try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
    #expect(first.state == .dismissed)
    #expect(bench.device.stopwatchActivity?.state == .active)
  }

  /// What sixty updates leave behind: the order in which they had effect.
  private func order(race: String, count: Int = 60, drains: Bool) throws -> [Int64] {
    let bench = try Bench("handler=guide", "race=\(race)", "history-length=1000")
    try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
    for second in 1...count {
      try bench.send("PW", "updateLiveActivity", ["elapsedSeconds": .integer(Int64(second))])
      // Whether calls come one by one or in one go makes no difference.
      if drains { bench.thread.drain() }
    }
    bench.thread.drain()
    bench.device.clock.advance(by: .seconds(1))
    return bench.states().dropFirst().compactMap { $0["elapsedTime"]?.integer }
  }

  @Test func withoutASeedTasksKeepTheirOrder() throws {
    #expect(try order(race: "off", drains: false) == Array(1...60))
    #expect(try order(race: "off", drains: true) == Array(1...60))
  }

  @Test(arguments: 1...8) func aSeedAlwaysGivesTheSameOrder(seed: Int) throws {
    let order = try order(race: "\(seed)", drains: false)
    #expect(order != Array(1...60))
    #expect(order.sorted() == Array(1...60))
    #expect(try self.order(race: "\(seed)", drains: true) == order)
    #expect(try self.order(race: "\(seed + 100)", drains: false) != order)
  }

  @Test func withSomeSeedStopEndsTheActivityThatCameAfterIt() throws {
    var hits = 0
    for seed in 0..<32 {
      let bench = try Bench("handler=guide", "race=\(seed)")
      try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
      let first = try #require(bench.device.stopwatchActivity)
      try bench.send("PW", "stopLiveActivity")
      try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
      bench.device.clock.advance(by: .seconds(1))
      let second = try #require(bench.device.stopwatchActivity)
      #expect(first.state.isLive != second.state.isLive)
      if first.state.isLive { hits += 1 }
    }
    #expect((1..<32).contains(hits))
  }

  @Test func theSilenceLetsTasksRun() throws {
    var waiting: Int64 = 0
    for seed in 0..<16 {
      let bench = try Bench("handler=guide", "race=\(seed)")
      try bench.send("PW", "startLiveActivity", ["elapsedSeconds": 0])
      for second in 1...8 {
        try bench.send("PW", "updateLiveActivity", ["elapsedSeconds": .integer(Int64(second))])
      }
      bench.thread.drain()
      waiting += try bench.control("device")["pendingTasks"]?.integer ?? 0
      bench.device.clock.advance(by: .milliseconds(10))
      #expect(try bench.control("device")["pendingTasks"] == 0)
      #expect(bench.device.stopwatchActivity?.updateCount == 8)
    }
    #expect(waiting > 0)
  }
}
