import ChannelRouter
import ChannelTransport
import Testing

@Suite struct TimeTests {
  @Test func timersGoOffInTheOrderOfTheirTimes() throws {
    let loop = try EventLoop()
    var order: [Int] = []
    for (index, milliseconds) in [30, 10, 20, 10, 0].enumerated() {
      loop.after(.milliseconds(milliseconds)) { order.append(index) }
    }
    try run(loop) { order.count == 5 }
    #expect(order == [4, 1, 3, 2, 0])
  }

  @Test func timersDueTogetherKeepTheirOrder() throws {
    var random = SeededGenerator()
    let loop = try EventLoop()
    var expected: [(due: Int, index: Int)] = []
    var order: [Int] = []
    var timers: [LoopTimer] = []
    for index in 0..<400 {
      // Far enough apart that the time between two calls does not matter.
      let due = Int.random(in: 0..<4, using: &random) * 200
      timers.append(loop.after(.milliseconds(due)) { order.append(index) })
      expected.append((due, index))
    }
    for index in stride(from: 0, to: 400, by: 3) { timers[index].cancel() }
    expected.removeAll { $0.index % 3 == 0 }
    try run(loop) { order.count == expected.count }
    let sorted = expected.sorted { ($0.due, $0.index) < ($1.due, $1.index) }
    #expect(order == sorted.map(\.index), "seed \(random.seed)")
    #expect(timers.allSatisfy { !$0.isPending })
  }

  @Test func timersAreNotEarlyAndCanBeCancelled() throws {
    let loop = try EventLoop()
    let start = ContinuousClock.now
    var spent: Duration?
    let cancelled = loop.after(.milliseconds(5)) { Issue.record("cancelled") }
    loop.after(.milliseconds(40)) { spent = ContinuousClock.now - start }
    #expect(cancelled.isPending)
    cancelled.cancel()
    #expect(!cancelled.isPending)
    try run(loop) { spent != nil }
    #expect(try #require(spent) >= .milliseconds(40))
  }

  @Test func timerSetByATimerWaitsForTheNextRound() throws {
    let loop = try EventLoop()
    var rounds = 0
    func again() {
      rounds += 1
      loop.after(.zero, again)
    }
    loop.after(.zero, again)
    try loop.runOnce(timeout: .seconds(5))
    #expect(rounds == 1)
    try loop.runOnce(timeout: .seconds(5))
    #expect(rounds == 2)
  }

  @Test func hugeAndNegativeSpansAreHarmless() throws {
    let loop = try EventLoop()
    var fired = false
    let never = loop.after(.seconds(Int64.max)) { Issue.record("not in this life") }
    loop.after(.seconds(-5)) { fired = true }
    try loop.runOnce(timeout: .seconds(5))
    #expect(fired && never.isPending)
    try loop.runOnce(timeout: .milliseconds(1))
  }

  @Test func clocksWakeTheLoopForTheirAlarms() throws {
    let loop = try EventLoop()
    let clock = DeviceClock(mode: .real, start: DeviceTime(seconds: 1000))
    var told = 0
    clock.onChange = { told += 1 }
    loop.addClock(clock)
    var order: [String] = []
    clock.schedule(after: .milliseconds(40)) { order.append("second") }
    clock.schedule(after: .milliseconds(10)) {
      order.append("first")
      clock.schedule(after: .milliseconds(1)) { order.append("from the first") }
    }
    #expect(told == 2)
    // Far longer than the alarms: the loop must wake by itself.
    let start = ContinuousClock.now
    while order.count < 3 { try loop.runOnce(timeout: .seconds(20)) }
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(order == ["first", "from the first", "second"])
    loop.removeClock(clock)
    clock.schedule(after: .zero) { Issue.record("the loop has nothing to do with it any more") }
    #expect(told == 4)
    try loop.runOnce(timeout: .milliseconds(10))
  }

  @Test func alarmTakenBackOrSetEarlierChangesTheWait() throws {
    let loop = try EventLoop()
    let clock = DeviceClock(mode: .real, start: DeviceTime(seconds: 0))
    loop.addClock(clock)
    loop.addClock(clock)
    var fired = false
    let alarm = clock.schedule(after: .milliseconds(5)) { Issue.record("taken back") }
    clock.schedule(after: .seconds(3600)) { Issue.record("much later") }
    try loop.runOnce(timeout: .zero)
    clock.cancel(alarm)
    try loop.runOnce(timeout: .milliseconds(20))
    clock.schedule(after: .milliseconds(5)) { fired = true }
    try run(loop) { fired }
  }

  @Test func steppedClocksNeverWakeTheLoop() throws {
    let loop = try EventLoop()
    let clock = DeviceClock(mode: .stepped, start: DeviceTime(seconds: 0))
    loop.addClock(clock)
    var fired = false
    clock.schedule(after: .milliseconds(1)) { fired = true }
    try loop.runOnce(timeout: .milliseconds(20))
    #expect(!fired)
    clock.advance(by: .milliseconds(1))
    #expect(fired)
  }

  @Test func clocksAreNotAskedWhenNothingChanged() throws {
    let loop = try EventLoop()
    var asked = 0
    var fired = 0
    let clocks = (0..<300).map { index in
      DeviceClock(mode: .real, start: DeviceTime(seconds: 0)) {
        asked += 1
        return .milliseconds(index)
      }
    }
    for clock in clocks {
      loop.addClock(clock)
      clock.schedule(after: .seconds(1000)) { fired += 1 }
    }
    try loop.runOnce(timeout: .zero)
    asked = 0
    for _ in 0..<100 { try loop.runOnce(timeout: .zero) }
    #expect(asked == 0)
    clocks[7].schedule(after: .seconds(500)) {}
    try loop.runOnce(timeout: .zero)
    #expect((1..<5).contains(asked))
  }

  @Test func manyClocksRandomly() throws {
    var random = SeededGenerator()
    let loop = try EventLoop()
    let clocks = (0..<200).map { _ in
      DeviceClock(mode: .real, start: DeviceTime(seconds: 0))
    }
    for clock in clocks { loop.addClock(clock) }
    var fired = 0
    for _ in 0..<1000 {
      let clock = clocks.randomElement(using: &random) ?? clocks[0]
      let span = Duration.microseconds(Int.random(in: 0..<50_000, using: &random))
      clock.schedule(after: span) { fired += 1 }
    }
    try run(loop) { fired == 1000 }
    #expect(fired == 1000, "seed \(random.seed)")
  }

  @Test func clockRemovedByAnAlarmOfAnother() throws {
    let loop = try EventLoop()
    let first = DeviceClock(mode: .real, start: DeviceTime(seconds: 0))
    let second = DeviceClock(mode: .real, start: DeviceTime(seconds: 0))
    loop.addClock(first)
    loop.addClock(second)
    var done = false
    first.schedule(after: .milliseconds(1)) {
      loop.removeClock(second)
      loop.removeClock(first)
      done = true
    }
    second.schedule(after: .milliseconds(30)) { Issue.record("removed before") }
    try run(loop) { done }
    try loop.runOnce(timeout: .milliseconds(50))
  }
}
