import ChannelCodec
import ChannelRouter
import ChannelTransport
import EmulatedDevice
import LiveActivities
import Testing

@Suite("Limits of devices") struct DeviceLimitTests {
  @Test func namedDevicesMakeRoomForEachOther() throws {
    let fleet = DeviceFleet(loop: try EventLoop())
    var retired: [String] = []
    fleet.onRetiredDevice = { retired.append($0.name) }
    var devices: [any ServedDevice] = []
    for number in 1...256 { devices.append(try fleet.device(for: Hello(device: "d\(number)"))) }
    let error = #expect(throws: FrameError.self) { try fleet.device(for: Hello(device: "more")) }
    #expect(error?.problem == .deviceName)
    #expect(error?.text.contains("256") == true)
    #expect(error?.isFatal == true)
    // Without a name there is always one, and those that are there are still found.
    #expect(try fleet.device(for: Hello()).name.isEmpty)
    #expect(try fleet.device(for: Hello(device: "d7")) === devices[6])
    fleet.release(devices[6])
    #expect(retired.isEmpty)
    // The one that was asked for longest ago goes first; d7 is still in use once.
    for number in [7, 5, 9] { fleet.release(devices[number - 1]) }
    _ = try fleet.device(for: Hello(device: "d5"))
    fleet.release(devices[4])
    for name in ["e1", "e2", "e3"] { _ = try fleet.device(for: Hello(device: name)) }
    #expect(retired == ["d9", "d7", "d5"])
    #expect(throws: FrameError.self) { try fleet.device(for: Hello(device: "e4")) }
  }

  @Test func eventChannelsAreBounded() throws {
    let bench = try Bench()
    let there = bench.device.eventChannelNames.count
    for number in there..<256 {
      try bench.control("addEventChannel", ["channel": .string(.init("c\(number)"))])
    }
    let error = try bench.failure("pwbridge/control", "addEventChannel", ["channel": "more"])
    #expect(error.code == "channel-taken")
    #expect(error.message?.description.contains("too many event channels") == true)
    #expect(bench.device.eventChannelNames.count == 256)
    // One that is there already is no further one.
    try bench.control("addEventChannel", ["channel": "c255"])
  }

  /// A hundred years and a little more, in seconds.
  private static let tooLong = 3.17e9

  @Test func stepsOfTheClockAreBounded() throws {
    let bench = try Bench()
    for by: Value in [.float64(Self.tooLong), "36700d", .float64(1e300), .float64(.infinity)] {
      let error = try bench.failure("pwbridge/control", "clock.advance", ["by": by])
      #expect(error.code == "bad-arguments")
      #expect(error.details["path"] == "by")
    }
    #expect(throws: FaultSyntaxError.self) { try FaultRule("PW: delay 36700d") }
    #expect(throws: FaultSyntaxError.self) {
      try FaultRule(value: ["fault": "delay", "delay": .float64(Self.tooLong)])
    }
    let error = try bench.failure(
      "pwbridge/control", "invokeDart",
      ["channel": "a", "method": "m", "timeout": .float64(Self.tooLong)])
    #expect(error.code == "bad-arguments")
  }

  /// A step either moves the clock by as much as it says, or is an error and moves nothing.
  @Test func theClockEndsWithAnError() throws {
    let bench = try Bench()
    try bench.control("clock.advance", ["by": "36500d"])
    let century: Int64 = 36_500 * 86_400_000_000
    bench.device.clock.advance(
      by: DeviceTime.latest - bench.device.clock.now - .microseconds(century + 5))
    func now() throws -> Int64? { try bench.control("clock.now")["microseconds"]?.integer }
    #expect(try now() == .max - century - 5)
    try bench.control("clock.advance", ["by": "36500d"])
    #expect(try now() == .max - 5)
    let steps: [(String, Value)] = [
      ("by", ["by": "36500d"]), ("by", ["by": "6us"]), ("microseconds", ["microseconds": 6]),
    ]
    for (name, step) in steps {
      let error = try bench.failure("pwbridge/control", "clock.advance", step)
      #expect(error.code == "bad-arguments")
      #expect(error.details["path"]?.string == name)
      let expected = error.details["expected"]?.string
      #expect(expected?.contains("294247-01-10T04:00:54.775807Z") == true, "\(error)")
      #expect(try now() == .max - 5)
    }
    try bench.control("clock.advance", ["microseconds": 5])
    #expect(try now() == .max)
    try bench.control("clock.advance", ["by": 0])
  }

  @Test func delaysOfAllRulesTogetherSaturate() throws {
    let bench = try Bench()
    for _ in 0..<1024 { bench.device.faults.add(try FaultRule("a: delay 36500d")) }
    let id = bench.send("a", message: [1])
    #expect(bench.outcome(id) == nil)
    bench.device.clock.advance(by: .seconds(3600))
    #expect(bench.outcome(id) == nil)
    bench.device.reset()
    #expect(bench.outcome(id) == .payload(nil))
  }

  /// A listing of the journal stays below what a client accepts, whatever is in the entries.
  @Test func anAnswerOfTheJournalIsBounded() throws {
    let bench = try Bench()
    let megabyte = [UInt8](repeating: 1, count: 3 << 19)
    for _ in 0..<5 { bench.send("nobody", message: megabyte) }
    let listing = try bench.control("journal", ["since": 0])
    #expect(listing["entries"]?.list?.count == 2)
    #expect(listing["more"] == true)
    bench.device.messenger.journal.reset()
    bench.device.messenger.setMessageHandler(on: "talk") { _, reply in
      for _ in 0..<16 { reply.remark(.info, String(repeating: "x", count: 100_000)) }
      reply.send(nil)
    }
    for _ in 0..<5 { bench.send("talk", message: nil) }
    #expect(try bench.control("journal", ["since": 0])["entries"]?.list?.count == 2)
  }
}
