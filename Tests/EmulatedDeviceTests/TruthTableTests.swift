import ChannelCodec
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Testing

/// What the unmodified code of the guide makes of arguments, byte by byte.
@Suite("PW truth table") struct TruthTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: Value
    /// nil: the cast of the whole map fails.
    var seconds: Int64?
    /// In answering mode there is a warning.
    var isFallback = false
    var testDescription: String { "\(arguments)" }
  }

  static let invoked = "010703343138071c4c697665206163746976697479206469646e277420696e766f6b656400"
  static let updated = "010703343138071c4c697665206163746976697479206469646e2774207570646174656400"

  static let rows: [Row] = [
    Row(arguments: ["elapsedSeconds": 0], seconds: 0),
    Row(arguments: ["elapsedSeconds": 7], seconds: 7),
    Row(arguments: ["elapsedSeconds": .int64(7)], seconds: 7),
    Row(arguments: ["elapsedSeconds": .int64(1 << 40)], seconds: 1 << 40),
    Row(arguments: ["elapsedSeconds": .int64(.min)], seconds: .min),
    Row(arguments: ["elapsedSeconds": -1], seconds: -1),
    Row(arguments: ["elapsedSeconds": 1.0], seconds: 1),
    Row(arguments: ["elapsedSeconds": -0.0], seconds: 0),
    Row(arguments: ["elapsedSeconds": 9.2e18], seconds: 9_200_000_000_000_000_000),
    Row(arguments: ["elapsedSeconds": 1.5], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": 1e19], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": 9_223_372_036_854_775_808.0], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": .float64(.nan)], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": .float64(-.infinity)], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": true], seconds: 1),
    Row(arguments: ["elapsedSeconds": false], seconds: 0),
    Row(arguments: ["elapsedSeconds": "7"], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": nil], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": [7]], seconds: 0, isFallback: true),
    Row(arguments: [:], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedseconds": 7], seconds: 0, isFallback: true),
    Row(arguments: ["other": 1, "elapsedSeconds": 7, "more": [:]], seconds: 7),
    Row(arguments: ["elapsedSeconds": 7, "elapsedSeconds": 8], seconds: 7),
    Row(arguments: ["elapsedSeconds": 7, 1: "x"], seconds: nil),
    Row(arguments: ["elapsedSeconds": 7, nil: 1], seconds: nil),
    Row(arguments: nil, seconds: nil),
    Row(arguments: [7], seconds: nil),
    Row(arguments: "x", seconds: nil),
    Row(arguments: 7, seconds: nil),
    Row(arguments: .uint8List([1, 2])),
    // Only the map's own keys count, whatever its values contain.
    Row(arguments: ["deep": ["elapsedSeconds": 9], "elapsedSeconds": 7], seconds: 7),
    Row(arguments: ["deep": ["elapsedSeconds": 9]], seconds: 0, isFallback: true),
    Row(arguments: ["elapsedSeconds": ["elapsedSeconds": 3]], seconds: 0, isFallback: true),
    Row(arguments: ["name": "elapsedSeconds", "seconds": 5], seconds: 0, isFallback: true),
    Row(
      arguments: [
        "list": ["elapsedSeconds", [1: 2], [[]]], "elapsedSeconds": 7, "end": "elapsedSeconds",
      ], seconds: 7),
    Row(arguments: [["elapsedSeconds": 1]: 2, "elapsedSeconds": 7], seconds: nil),
    Row(arguments: ["elapsedSeconds": 7, [1, 2]: 3], seconds: nil),
    Row(
      arguments: [
        "long": .string(Value.Text(String(repeating: "x", count: 600))), "deep": [[1: [2]], [:]],
        "elapsedSeconds": 7,
      ], seconds: 7),
  ]

  @Test(arguments: rows) func answeringStart(row: Row) throws {
    let bench = try Bench()
    let outcome = try bench.outcome("PW", "startLiveActivity", row.arguments)
    #expect(outcome == .payload(row.seconds == nil ? hex(Self.invoked) : [0, 0]))
    #expect(bench.states() == (row.seconds.map { [["elapsedTime": .integer($0)]] } ?? []))
    #expect(bench.warnings.count == (row.isFallback ? 1 : 0), "\(bench.warnings)")
  }

  @Test(arguments: rows) func answeringUpdate(row: Row) throws {
    let bench = try Bench()
    #expect(
      try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 99]) == .payload([0, 0]))
    let outcome = try bench.outcome("PW", "updateLiveActivity", row.arguments)
    #expect(outcome == .payload(row.seconds == nil ? hex(Self.updated) : [0, 0]))
    let states = bench.states()
    #expect(states.first == ["elapsedTime": 99])
    #expect(
      Array(states.dropFirst()) == (row.seconds.map { [["elapsedTime": .integer($0)]] } ?? []))
    #expect(bench.warnings.count == (row.isFallback ? 1 : 0))
  }

  @Test(arguments: rows) func guideStart(row: Row) throws {
    let bench = try Bench("handler=guide")
    let outcome = try bench.outcome("PW", "startLiveActivity", row.arguments)
    #expect(outcome == (row.seconds == nil ? .payload(hex(Self.invoked)) : .dropped))
    #expect(bench.states() == (row.seconds.map { [["elapsedTime": .integer($0)]] } ?? []))
  }

  @Test(arguments: rows) func guideUpdate(row: Row) throws {
    let bench = try Bench("handler=guide")
    #expect(try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 99]) == .dropped)
    let outcome = try bench.outcome("PW", "updateLiveActivity", row.arguments)
    #expect(outcome == (row.seconds == nil ? .payload(hex(Self.updated)) : .dropped))
    #expect(
      Array(bench.states().dropFirst())
        == (row.seconds.map { [["elapsedTime": .integer($0)]] } ?? []))
  }

  @Test(arguments: [Value.null, ["any": 1], 7]) func stop(arguments: Value) throws {
    for (handler, expected) in [
      ("answering", ReplyOutcome.payload([0, 0])), ("guide", .dropped),
    ] {
      let bench = try Bench("handler=\(handler)")
      _ = try bench.outcome("PW", "startLiveActivity", ["elapsedSeconds": 0])
      #expect(try bench.outcome("PW", "stopLiveActivity", arguments) == expected)
      let activity = try #require(bench.device.store.dismissedActivities.first)
      #expect(activity.dismissal == .immediate)
      #expect(activity.endedBy == .app)
    }
  }

  @Test func otherNamesAreNotImplemented() throws {
    for handler in ["answering", "guide"] {
      let bench = try Bench("handler=\(handler)")
      #expect(try bench.outcome("PW", "StartLiveActivity") == .payload(nil))
      #expect(bench.warnings.contains { $0.contains("did you mean startLiveActivity?") })
      #expect(try bench.outcome("pw", "startLiveActivity") == .payload(nil))
      #expect(bench.device.store.activitiesOnScreen.isEmpty)
      let served: ReplyOutcome = handler == "guide" ? .payload(nil) : .payload([0, 0])
      #expect(try bench.outcome("PW", "defaultSetup") == served)
    }
  }

  @Test func whatIsNoMethodCallIsRefused() throws {
    let bench = try Bench()
    let id = bench.send("PW", message: [9, 9])
    guard case .refused(let refusal) = bench.outcome(id) else {
      Issue.record("\(String(describing: bench.outcome(id)))")
      return
    }
    #expect(refusal.code == "message-malformed")
  }

  private func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
  }
}
