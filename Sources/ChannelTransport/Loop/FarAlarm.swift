import SystemInterface

/// Wakes a loop for what is due in a long time, so that its many waits until then need no time
/// limit: a device with an activity always has an alarm some hours ahead.
final class FarAlarm {
  /// Waits shorter than this have a limit of their own.
  static let nearest: UInt64 = 50_000_000

  private let timer: TimerDescriptor
  /// The moment that it is set for; `.max` when it is not.
  @exclusivity(unchecked) private var moment = UInt64.max

  /// nil where the system has nothing for it.
  init?(_ watches: WatchTable) {
    guard let timer = TimerDescriptor() else { return nil }
    let descriptor = timer.descriptor
    self.timer = timer
    _ = watches.add(descriptor, .reads) { [unowned self] _ in takeAlarm() }
  }

  /// Whether it will wake the loop at `moment` or before. Nothing that is due at `moment` can be
  /// due yet while this holds.
  func covers(_ moment: UInt64) -> Bool { self.moment <= moment }

  /// - Returns: whether it will wake the loop then.
  func set(_ moment: UInt64) -> Bool {
    self.moment = timer.set(moment) ? moment : .max
    return self.moment != .max
  }

  private func takeAlarm() {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { memory in
      _ = try? SystemCalls.readAvailable(timer.descriptor, into: memory)
    }
    moment = .max
  }
}
