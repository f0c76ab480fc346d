import ChannelRouter
import Testing

@Suite struct ClockTests {
  private let start = DeviceTime(seconds: 1_800_000_000)

  @Test func `alarms go off in order, each at its time`() {
    let clock = DeviceClock(mode: .stepped, start: start)
    var log: [String] = []
    func note(_ name: String) { log.append("\(name) at \((clock.now - start).wholeMicroseconds)") }
    clock.schedule(after: .microseconds(30)) { note("c") }
    clock.schedule(after: .microseconds(10)) {
      note("a")
      clock.schedule(after: .microseconds(5)) { note("a2") }
    }
    clock.schedule(after: .microseconds(10)) { note("b") }
    clock.advance(by: .microseconds(9))
    #expect(log.isEmpty)
    clock.advance(by: .microseconds(21))
    #expect(log == ["a at 10", "b at 10", "a2 at 15", "c at 30"])
    #expect(clock.nextAlarm == nil)
    #expect(clock.now == start + .microseconds(30))
  }

  @Test func `a past alarm waits for the clock`() {
    let clock = DeviceClock(mode: .stepped, start: start)
    var count = 0
    clock.schedule(at: start + .seconds(-5)) { count += 1 }
    #expect(count == 0)
    #expect(clock.nextAlarm == start + .seconds(-5))
    clock.runDue()
    #expect(count == 1)
    #expect(clock.now == start, "time does not run backwards")
  }

  @Test func `alarms can be taken back`() {
    let clock = DeviceClock(mode: .stepped, start: start)
    var changes = 0
    clock.onChange = { changes += 1 }
    var log: [Int] = []
    var second: DeviceClock.Alarm?
    clock.schedule(after: .seconds(1)) {
      log.append(1)
      if let second { clock.cancel(second) }
    }
    second = clock.schedule(after: .seconds(1)) { log.append(2) }
    let third = clock.schedule(after: .seconds(2)) { log.append(3) }
    clock.schedule(after: .seconds(3)) { log.append(4) }
    clock.cancel(third)
    clock.cancel(third)
    clock.advance(by: .seconds(2))
    #expect(log == [1])
    clock.cancelAll()
    clock.advance(by: .seconds(2))
    #expect(log == [1])
    #expect(changes == 8)
  }

  @Test func `real time`() {
    var machine = Duration.seconds(50)
    let clock = DeviceClock(mode: .real, start: start) { machine }
    #expect(clock.now == start)
    machine += .milliseconds(1500)
    #expect(clock.now == start + .milliseconds(1500))
    var fired: DeviceTime?
    clock.schedule(after: .seconds(1)) { fired = clock.now }
    #expect(clock.waitForNextAlarm == .seconds(1))
    machine += .milliseconds(400)
    clock.runDue()
    #expect(fired == nil)
    #expect(clock.waitForNextAlarm == .milliseconds(600))
    machine += .milliseconds(700)
    #expect(clock.waitForNextAlarm == .zero)
    clock.runDue()
    #expect(fired == start + .milliseconds(2600))
    #expect(clock.waitForNextAlarm == nil)
    // A real clock can be moved on as well, and runs on from there.
    clock.schedule(after: .seconds(3600)) { fired = clock.now }
    clock.advance(by: .seconds(7200))
    #expect(fired == start + .milliseconds(3_602_600))
    machine += .seconds(1)
    #expect(clock.now == start + .milliseconds(7_203_600))
  }

  @Test func `the machine's clock runs`() {
    let clock = DeviceClock(mode: .real, start: start)
    let first = clock.now
    #expect(first >= start)
    let elapsed = DeviceClock.monotonic()
    while elapsed() < .milliseconds(2) {}
    #expect(clock.now > first)
    let stepped = DeviceClock(mode: .stepped, start: start)
    #expect(stepped.now == start)
    stepped.schedule(after: .seconds(1)) {}
    #expect(stepped.waitForNextAlarm == nil)
  }

  @Test func `device time`() {
    #expect(DeviceTime(seconds: 1.5).microseconds == 1_500_000)
    #expect(DeviceTime(seconds: -1.5).seconds == -1.5)
    #expect(DeviceTime(seconds: 1e300).microseconds == .max)
    #expect(DeviceTime(seconds: -1e300).microseconds == .min)
    #expect(DeviceTime(seconds: .infinity).microseconds == .max)
    let latest = DeviceTime(microseconds: .max)
    #expect(latest + .seconds(1) == latest)
    #expect(DeviceTime(microseconds: .min) + .seconds(-1) == DeviceTime(microseconds: .min))
    #expect(start + .seconds(Int64.max) == latest)
    #expect(start + .seconds(-7) - start == .seconds(-7))
    #expect(latest - DeviceTime(microseconds: .min) > .seconds(Int64.max / 1_000_000))
    #expect(Duration.nanoseconds(1999).wholeMicroseconds == 1)
    #expect(Duration.seconds(Int64.min).wholeMicroseconds == .min)
    #expect(Duration.seconds(Int64.max).wholeMicroseconds == .max)
  }
}
