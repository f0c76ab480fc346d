import ChannelRouter

/// The devices' clocks of a loop. A clock is looked at only after it said that something changed
/// or when its next alarm is due, however many there are.
final class LoopClocks {
  /// A few, or one for each connection. Looked through when one comes or goes, which costs less
  /// than what a dictionary needs the first time.
  private var entries: [Entry] = []
  @exclusivity(unchecked) private var changed: [Entry] = []

  var hasChanged: Bool { !changed.isEmpty }
  var count: Int { entries.count }

  func add(_ clock: DeviceClock) {
    guard !entries.contains(where: { $0.clock === clock }) else { return }
    let entry = Entry(clock, self)
    entries.append(entry)
    let previous = clock.onChange
    entry.previous = previous
    clock.onChange = { [weak entry] in
      previous?()
      entry?.noteChange()
    }
    entry.noteChange()
  }

  func remove(_ clock: DeviceClock, from dueTimes: inout DueTimes) {
    guard let place = entries.firstIndex(where: { $0.clock === clock }) else { return }
    let entry = entries.remove(at: place)
    clock.onChange = entry.previous
    entry.owner = nil
    dueTimes.remove(entry)
  }

  func removeAll(from dueTimes: inout DueTimes) {
    for entry in entries { remove(entry.clock, from: &dueTimes) }
  }

  /// Brings the due times of the clocks that changed up to date.
  func settle(into dueTimes: inout DueTimes, now: UInt64) {
    for entry in changed {
      entry.isChanged = false
      guard entry.owner === self else { continue }
      if let wait = entry.clock.waitForNextAlarm {
        dueTimes.set(entry, due: now.adding(wait))
      } else {
        dueTimes.remove(entry)
      }
    }
    changed.removeAll(keepingCapacity: true)
  }

  private final class Entry: DueEntry {
    let clock: DeviceClock
    weak var owner: LoopClocks?
    var previous: (() -> Void)?
    var isChanged = false

    init(_ clock: DeviceClock, _ owner: LoopClocks) {
      self.clock = clock
      self.owner = owner
    }

    func noteChange() {
      guard !isChanged, let owner else { return }
      isChanged = true
      owner.changed.append(self)
    }

    override func run() {
      clock.runDue()
      // Alarms that go off say nothing, but the next one is due at another time.
      noteChange()
    }
  }
}

extension UInt64 {
  /// A moment on a clock of nanoseconds after a span; saturates, and takes no negative spans.
  func adding(_ span: Duration) -> UInt64 {
    let nanoseconds = span.wholeNanoseconds
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }
}

extension Duration {
  /// Rounded up; 0 for negative spans; saturates.
  var wholeNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let rest = UInt64(attoseconds)
    let (sum, carry) = product.addingReportingOverflow(
      rest / 1_000_000_000 + (rest % 1_000_000_000 == 0 ? 0 : 1))
    return overflow || carry ? .max : sum
  }
}
