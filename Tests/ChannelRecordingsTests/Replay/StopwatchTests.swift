import ChannelCodec
import ChannelRecordings
import ChannelRouter
import ChannelTransport
import EmulatedDevice
import SystemInterface
import TestSurroundings
import Testing

/// The guide's stopwatch, recorded from the emulated device and replayed to others.
@Suite("The guide's stopwatch", .timeLimit(.minutes(2 * Surroundings.slowness)))
struct StopwatchTests {
  private final class Recorder: ReplayReceiver {
    var outcomes: [UInt64: ReplyOutcome] = [:]
    func answered(_ number: UInt64, with outcome: ReplyOutcome) { outcomes[number] = outcome }
    func received(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
      reply?(.payload(nil))
    }
  }

  private func withDevice<Result>(
    _ handler: String, _ body: (InProcessTarget) throws -> Result
  ) throws -> Result {
    let loop = try EventLoop()
    let fleet = DeviceFleet(loop: loop)
    let hello = Hello(
      options: [
        Hello.Option(name: "handler", value: handler),
        Hello.Option(name: "clock", value: "stepped"),
        Hello.Option(name: "start-time", value: "0"),
      ])
    let device = try #require(try fleet.device(for: hello) as? EmulatedDevice)
    defer { fleet.release(device) }
    let target = InProcessTarget(messenger: device.messenger, loop: loop) {
      device.clock.waitForNextAlarm != nil
    }
    defer { target.detach() }
    return try body(target)
  }

  /// What a device of this kind makes of the stopwatch.
  private func record(_ handler: String) throws -> [UInt8] {
    let calls: [(Value.Text, Value)] =
      [("startLiveActivity", ["elapsedSeconds": 0])]
      + (1...20 as ClosedRange<Int64>).map {
        ("updateLiveActivity", ["elapsedSeconds": .integer($0)])
      }
      + [("stopLiveActivity", nil), ("startLiveActivity", [1]), ("noSuchMethod", nil)]
    return try withDevice(handler) { target in
      let recorder = Recorder()
      target.receiver = recorder
      var script = Script()
      for (number, call) in calls.enumerated() {
        let id = UInt64(number + 1)
        script.call(id, call.0, call.1)
        target.send(
          Script.call(call.0, call.1), on: "PW", number: id, wantsAnswer: true)
        let start = SystemCalls.monotonicNanoseconds()
        while recorder.outcomes[id] == nil,
          SystemCalls.monotonicNanoseconds() - start < 5_000_000_000
        {
          try target.wait(nanoseconds: 1_000_000)
        }
        switch try #require(recorder.outcomes[id]) {
        case .payload(let payload): script.add(.nativeToDart, "PW", id, .reply, payload, nil)
        case .dropped: script.dropped(id)
        default: Issue.record("an unexpected outcome of \(call.0)")
        }
      }
      return script.bytes
    }
  }

  private func replay(_ recording: [UInt8], to handler: String) throws
    -> (summary: ReplaySummary, mismatches: [ReplayMismatch])
  {
    try withDevice(handler) { try Script.play(recording, on: $0) }
  }

  @Test("replays clean to a device of its own kind", arguments: ["answering", "guide"])
  func clean(handler: String) throws {
    let result = try replay(record(handler), to: handler)
    #expect(result.mismatches.flatMap(\.lines) == [])
    #expect(result.summary.isClean)
    #expect(result.summary.same == 24)
  }

  @Test("shows exactly the dropped replies of the guide's code")
  func guide() throws {
    let result = try replay(record("answering"), to: "guide")
    let texts = result.mismatches.flatMap { $0.comparison.differences.map(\.text) }
    #expect(!texts.isEmpty)
    #expect(texts.allSatisfy { $0.hasSuffix("now no answer (dropped)") })
    let methods = Set(result.mismatches.map(\.ruleSubject))
    #expect(methods.contains("PW.stopLiveActivity"))
    #expect(result.summary.different == UInt64(texts.count))
    // The other way round the same calls differ.
    let back = try replay(record("guide"), to: "answering")
    #expect(back.summary.different == result.summary.different)
    #expect(Set(back.mismatches.map(\.ruleSubject)) == methods)
  }
}
