import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

@Suite("pushwoosh") struct PushwooshTests {
  private let start: Value = [
    "activityId": "run-1", "attributes": ["name": "static"], "content": ["emoji": "x"],
  ]

  @Test func theGuideIsNeverAnswered() throws {
    let bench = try Bench("handler=guide")
    #expect(try bench.outcome("pushwoosh", "defaultSetup") == .dropped)
    #expect(try bench.outcome("pushwoosh", "defaultStart", start) == .dropped)
    #expect(bench.device.store.activitiesOnScreen.count == 1)
    #expect(bench.device.pushwoosh.isSetUp)
  }

  @Test func tokensGoToTheServerAfterSetup() throws {
    for handler in ["answering", "guide"] {
      let bench = try Bench("handler=\(handler)", "hardware-id=HW", "application=AB-CD")
      _ = try bench.outcome("pushwoosh", "defaultSetup")
      _ = try bench.outcome("pushwoosh", "defaultSetup")
      _ = try bench.outcome("pushwoosh", "defaultStart", start)
      try bench.control("clock.advance", ["by": 1])
      let requests = bench.device.pushwoosh.serverRequests
      #expect(
        requests.map(\.method).sorted() == ["setActivityPushToStartToken", "setActivityToken"])
      let activity = try #require(bench.device.store.activitiesOnScreen.first)
      let token = try #require(activity.pushToken)
      #expect(
        requests.first { $0.method == "setActivityToken" }?.body == [
          "hwid": "HW", "application": "AB-CD", "activity_token": .string(.init(token)),
          "activity_id": "run-1",
        ])
      #expect(bench.device.store.backendToken(liveActivityID: "run-1") == token)
      try bench.control("dismiss", ["id": .string(.init(activity.id))])
      #expect(bench.device.pushwoosh.serverRequests.last?.body["activity_token"] == "")
      let listed = try bench.control("serverRequests", ["since": 2])
      #expect(listed.list?.count == 1)
    }
  }

  @Test func withoutSetupNothingIsSent() throws {
    let bench = try Bench()
    _ = try bench.outcome("pushwoosh", "defaultStart", start)
    try bench.control("clock.advance", ["by": 1])
    #expect(bench.device.pushwoosh.serverRequests.isEmpty)
    // What was missed is made up for.
    _ = try bench.outcome("pushwoosh", "defaultSetup")
    #expect(bench.device.pushwoosh.serverRequests.count == 2)
  }

  @Test func aSecondActivityOfTheSameIDEndsTheFirst() throws {
    let bench = try Bench()
    _ = try bench.outcome("pushwoosh", "defaultSetup")
    _ = try bench.outcome("pushwoosh", "defaultStart", start)
    _ = try bench.outcome("pushwoosh", "defaultStart", start)
    #expect(bench.device.store.activitiesOnScreen.map(\.number) == [2])
    #expect(bench.device.store.dismissedActivities.map(\.number) == [1])
  }

  @Test func zeroAndOneBecomeBools() throws {
    let arguments: Value = [
      "activityId": "a", "attributes": ["n": 1.0],
      "content": ["elapsedSeconds": 0, "two": 2, "list": [1, ["deep": 0]], "text": "1"],
    ]
    for handler in ["answering", "guide"] {
      let bench = try Bench("handler=\(handler)")
      _ = try bench.outcome("pushwoosh", "defaultStart", arguments)
      let activity = try #require(bench.device.store.activitiesOnScreen.first)
      #expect(activity.attributes["data"] == ["n": true])
      #expect(
        activity.content.state == [
          "data": [
            "elapsedSeconds": false, "two": 2, "list": [true, ["deep": false]], "text": "1",
          ]
        ])
      #expect(bench.warnings.contains { $0.contains("AnyCodable") })
    }
    let bench = try Bench("any-codable-defect=off")
    _ = try bench.outcome("pushwoosh", "defaultStart", arguments)
    #expect(
      bench.device.store.activitiesOnScreen.first?.content.state["data"]?["elapsedSeconds"] == 0)
    #expect(bench.warnings.isEmpty)
  }

  @Test func tokenCallsAreAnsweredInBothBehaviours() throws {
    for handler in ["answering", "guide"] {
      let bench = try Bench("handler=\(handler)")
      let good: Value = ["token": "abc", "activityId": "a"]
      #expect(
        try bench.outcome("pushwoosh", "startLiveActivityWithToken", good) == .payload([0, 0]))
      #expect(bench.device.store.backendToken(liveActivityID: "a") == "abc")
      let error = try bench.failure(
        "pushwoosh", "startLiveActivityWithToken", ["token": "", "activityId": "a"])
      #expect(
        error
          == ErrorEnvelope(
            code: "Error 1", message: "pushwoosh", details: "Request preparation failed."))
      #expect(try bench.outcome("pushwoosh", "stopLiveActivity") == .payload([0, 0]))
      #expect(bench.device.pushwoosh.serverRequests.last?.body["activity_id"] == "")
    }
  }

  @Test func whatTheServerWasToldIsBoundedInSize() throws {
    let bench = try Bench()
    let mebibyte = String(repeating: "x", count: 1 << 20)
    for number in 1...10 {
      let arguments: Value = [
        "token": .string(.init(mebibyte)), "activityId": .string(.init("\(number)")),
      ]
      try #require(
        try bench.outcome("pushwoosh", "startLiveActivityWithToken", arguments) == .payload([0, 0]))
    }
    let requests = bench.device.pushwoosh.serverRequests
    #expect(requests.map(\.number) == [8, 9, 10])
    #expect(bench.device.pushwoosh.serverRequestCount == 10)
    let known = (1...10).filter { bench.device.store.backendToken(liveActivityID: "\($0)") != nil }
    #expect(known == [8, 9, 10])
    // One that is larger than all that is kept stands alone.
    let large = String(repeating: mebibyte, count: 6)
    let arguments: Value = ["token": .string(.init(large)), "activityId": "large"]
    _ = try bench.outcome("pushwoosh", "startLiveActivityWithToken", arguments)
    #expect(bench.device.pushwoosh.serverRequests.map(\.number) == [11])
    #expect(bench.device.store.backendToken(liveActivityID: "large") == large)
    #expect(bench.device.store.backendToken(liveActivityID: "10") == nil)
  }

  @Test func requestsToTheServerAreBoundedInNumber() throws {
    let bench = try Bench()
    for number in 1...1100 {
      let arguments: Value = ["token": "t", "activityId": .string(.init("\(number)"))]
      _ = try bench.outcome("pushwoosh", "startLiveActivityWithToken", arguments)
    }
    #expect(bench.device.pushwoosh.serverRequests.map(\.number) == Array(77...1100))
    let known = (1...1100).filter {
      bench.device.store.backendToken(liveActivityID: "\($0)") != nil
    }
    #expect(known == Array(845...1100))
  }

  @Test func badArgumentsCrashTheGuidesApp() throws {
    let bench = try Bench("handler=guide")
    let crashes: [Value] = [
      [1], "x", 7, ["activityId": nil], ["activityId": 7], ["attributes": "x"],
      ["content": [1: 2]],
    ]
    for arguments in crashes {
      let outcome = try bench.outcome("pushwoosh", "defaultStart", arguments)
      guard case .refused(let refusal) = outcome else {
        Issue.record("\(arguments): \(String(describing: outcome))")
        continue
      }
      #expect(refusal.code == "internal")
      #expect(refusal.text.hasPrefix("pushwoosh defaultStart: the app would have crashed here: "))
    }
    #expect(bench.device.store.activitiesOnScreen.isEmpty)
    // Nothing at all is as good as empty arguments.
    #expect(try bench.outcome("pushwoosh", "defaultStart") == .dropped)
    #expect(bench.device.store.activitiesOnScreen.first?.pushwooshID == "")
  }

  @Test func answeringNamesBadArguments() throws {
    let bench = try Bench()
    let error = try bench.failure("pushwoosh", "startLiveActivityWithToken", ["token": 7])
    #expect(error.details == ["path": "token", "expected": "a string", "found": "7"])
    #expect(try bench.outcome("pushwoosh", "getHWID") == .payload(nil))
  }

  @Test func eventChannelsCarryEvents() throws {
    let bench = try Bench()
    let channel: ChannelName = "pushwoosh/receive"
    let error = try bench.failure(
      "pwbridge/control", "sendEvent", ["channel": "pushwoosh/receive", "event": 1])
    #expect(error.code == "no-listener")
    #expect(try bench.outcome(channel, "listen") == .payload([0, 0]))
    try bench.control("sendEvent", ["channel": "pushwoosh/receive", "event": ["a": 1]])
    try bench.control(
      "sendEvent", ["channel": "pushwoosh/receive", "error": ["code": "c", "details": 3]])
    try bench.control("sendEvent", ["channel": "pushwoosh/receive", "end": true])
    let envelopes = try bench.port.messages.map { try Bench.codec.decodeEnvelope($0.bytes) }
    #expect(
      envelopes == [
        .success(["a": 1]), .error(code: "c", message: nil, details: 3), nil,
      ])
    #expect(bench.port.messages.allSatisfy { $0.channel == channel })
    _ = try bench.failure("pwbridge/control", "sendEvent", ["channel": "x", "event": 1])
    try bench.control("addEventChannel", ["channel": "x"])
    #expect(try bench.outcome("x", "listen", 5) == .payload([0, 0]))
    try bench.control("sendEvent", ["channel": "x", "event": nil])
    #expect(bench.port.messages.last?.bytes == [0, 0])
    #expect(
      try bench.failure("pwbridge/control", "addEventChannel", ["channel": "PW"]).code
        == "channel-taken")
  }
}
