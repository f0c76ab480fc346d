import SystemInterface
import Testing

@testable import ChannelTransport

@Suite struct FarAlarmTests {
  /// Times on both sides of what a wait's own limit is for, set, overtaken and taken back.
  @Test func farAndNearTimersGoOffInOrderAndNotEarly() throws {
    let loop = try EventLoop()
    let start = SystemCalls.monotonicNanoseconds()
    var times: [(name: String, after: UInt64)] = []
    func set(_ milliseconds: Int) -> LoopTimer {
      loop.after(.milliseconds(milliseconds)) {
        times.append(("\(milliseconds)", SystemCalls.monotonicNanoseconds() - start))
      }
    }
    _ = set(400)
    try loop.runOnce(timeout: .zero)
    let cancelled = set(120)
    try loop.runOnce(timeout: .zero)
    cancelled.cancel()
    _ = set(250)
    _ = set(10)
    while times.count < 3, SystemCalls.monotonicNanoseconds() - start < 30_000_000_000 {
      try loop.runOnce(timeout: .seconds(10))
    }
    #expect(times.map(\.name) == ["10", "250", "400"])
    for (name, after) in times {
      let due = (UInt64(name) ?? .max) &* 1_000_000
      #expect(after >= due, "\(name) is early")
    }
  }

  @Test func theLoopsOwnDescriptorsAreNotCounted() throws {
    let loop = try EventLoop()
    #expect(loop.watchCount == 0)
    let timer = loop.after(.seconds(3600)) {}
    try loop.runOnce(timeout: .zero)
    #expect(loop.watchCount == 0)
    timer.cancel()
  }

  #if os(Linux)
    @Test func aMomentThatIsPastIsReadableAtOnce() throws {
      guard let timer = TimerDescriptor() else {
        Issue.record("no timer")
        return
      }
      let descriptor = timer.descriptor
      let isSet = timer.set(SystemCalls.monotonicNanoseconds() + 3_600_000_000_000)
      #expect(isSet)
      #expect(try !SystemCalls.waitUntilReady(descriptor, .readable, nanoseconds: 0))
      let isSetAgain = timer.set(0)
      #expect(isSetAgain)
      #expect(try SystemCalls.waitUntilReady(descriptor, .readable, nanoseconds: 5_000_000_000))
      // The descriptor is closed with the timer.
      _ = timer.set(0)
    }
  #endif
}
