/// When messages are due.
struct ReplayPace {
  private let speed: Double
  private var origin: (microseconds: Int64, nanoseconds: UInt64)?

  var isPaced: Bool { speed > 0 }

  init(speed: Double) { self.speed = speed }

  /// The moment for a message of this time. The first one is due at once.
  mutating func due(at microseconds: Int64, now: UInt64) -> UInt64 {
    guard let origin else {
      origin = (microseconds, now)
      return now
    }
    let span = (Double(microseconds) - Double(origin.microseconds)) * 1000 / speed
    // A time that a recording cannot mean is not waited for.
    guard span > 0, span < 1e18 else { return now }
    let (due, overflow) = origin.nanoseconds.addingReportingOverflow(UInt64(span))
    return overflow ? now : due
  }
}

extension Duration {
  /// Rounded down; 0 for negative spans; saturates.
  var nanosecondCount: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return overflow || carry ? .max : sum
  }
}
