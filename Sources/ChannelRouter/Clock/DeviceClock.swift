/// The clock that everything on one device goes by. It follows real time or stands still until it
/// is advanced; either way it can be moved on, and alarms then go off in order, each at its time.
///
/// Belongs to the platform thread.
public final class DeviceClock {
  public enum Mode: String, Sendable, CaseIterable {
    /// Runs with the machine's clock.
    case real
    /// Stands still but for ``DeviceClock/advance(by:)``.
    case stepped
  }

  /// A handle to take an alarm back.
  public struct Alarm: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  public let mode: Mode
  /// Called after an alarm has been set or taken back: whoever waits may have to wait less.
  public var onChange: (() -> Void)?

  /// In microseconds.
  private let elapsed: () -> Int64
  private var origin: DeviceTime
  private var pending: [Entry] = []
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - start: what the clock shows first.
  ///   - elapsed: monotonic time since an arbitrary moment; not asked by a stepped clock.
  public convenience init(
    mode: Mode, start: DeviceTime, elapsed: @escaping () -> Duration = DeviceClock.monotonic()
  ) {
    self.init(mode: mode, start: start, microseconds: { elapsed().wholeMicroseconds })
  }

  /// - Parameter microseconds: the same as a number, which is quicker to reckon with.
  public init(mode: Mode, start: DeviceTime, microseconds elapsed: @escaping () -> Int64) {
    self.mode = mode
    self.elapsed = elapsed
    origin = mode == .real ? start.moved(by: 0 &- elapsed()) : start
  }

  /// Monotonic time since the call of this function.
  public static func monotonic() -> () -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  public var now: DeviceTime { mode == .real ? origin.moved(by: elapsed()) : origin }

  /// Runs `action` once when the clock reaches `time`: never at once, even if that is past.
  @discardableResult
  public func schedule(at time: DeviceTime, _ action: @escaping () -> Void) -> Alarm {
    count += 1
    let entry = Entry(time: time, number: count, action: action)
    pending.insert(entry, at: pending.partition(orderedBefore: entry))
    onChange?()
    return Alarm(number: count)
  }

  @discardableResult
  public func schedule(after span: Duration, _ action: @escaping () -> Void) -> Alarm {
    schedule(at: now + span, action)
  }

  /// Takes an alarm back; one that has gone off is none of its business.
  public func cancel(_ alarm: Alarm) {
    pending.removeAll { $0.number == alarm.number }
    onChange?()
  }

  /// Moves the clock on and runs what falls due on the way, each alarm at its own time.
  public func advance(by span: Duration) {
    precondition(span >= .zero, "time does not run backwards")
    let end = now + span
    while let first = pending.first, first.time <= end {
      pending.removeFirst()
      if first.time > now { move(to: first.time) }
      first.action()
    }
    if end > now { move(to: end) }
  }

  /// Runs the alarms that real time has reached.
  public func runDue() { advance(by: .zero) }

  /// When the next alarm goes off on this clock.
  public var nextAlarm: DeviceTime? { pending.first?.time }

  /// How long to wait for it; nil when nothing is due by itself.
  public var waitForNextAlarm: Duration? {
    guard mode == .real, let next = nextAlarm else { return nil }
    return max(next - now, .zero)
  }

  /// Forgets all alarms.
  public func cancelAll() {
    pending = []
    onChange?()
  }

  private func move(to time: DeviceTime) {
    origin = mode == .real ? time.moved(by: 0 &- elapsed()) : time
  }

  fileprivate struct Entry {
    let time: DeviceTime
    let number: UInt64
    let action: () -> Void
  }
}

extension [DeviceClock.Entry] {
  /// Where an entry goes: behind those of the same time.
  fileprivate func partition(orderedBefore entry: Element) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time <= entry.time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
