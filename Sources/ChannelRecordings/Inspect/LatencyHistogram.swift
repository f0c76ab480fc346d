/// Durations in microseconds, counted in steps that grow with them: 32 to each power of two, so that
/// a percentile is off by less than 3.2 percent, in memory that does not depend on how many there
/// are.
public struct LatencyHistogram: Sendable, Hashable {
  private static let stepBits = 5
  private static let steps = 1 << stepBits

  private var counts: [UInt32] = []
  /// How many durations were counted.
  public private(set) var count: UInt64 = 0
  /// The largest, exactly. 0 when there is none.
  public private(set) var maximum: UInt64 = 0
  private var minimum = UInt64.max

  /// No durations.
  public init() {}

  /// Counts a duration; a negative one, of a clock that was set back, counts as 0.
  @inline(__always)
  public mutating func add(_ microseconds: Int64) {
    let value = UInt64(max(0, microseconds))
    let place = Self.place(of: value)
    if place >= counts.count {
      counts += [UInt32](repeating: 0, count: place - counts.count + 8)
    }
    if counts[place] < .max { counts[place] &+= 1 }
    count &+= 1
    if value > maximum { maximum = value }
    if value < minimum { minimum = value }
  }

  /// Counts all that another has counted.
  public mutating func add(_ other: LatencyHistogram) {
    if other.counts.count > counts.count {
      counts += [UInt32](repeating: 0, count: other.counts.count - counts.count)
    }
    for (place, more) in other.counts.enumerated() {
      let (sum, isOver) = counts[place].addingReportingOverflow(more)
      counts[place] = isOver ? .max : sum
    }
    count &+= other.count
    maximum = max(maximum, other.maximum)
    minimum = min(minimum, other.minimum)
  }

  /// The smallest duration that is not exceeded by this share of all, in microseconds, within 3.2
  /// percent; nil when none was counted.
  ///
  /// - Parameter share: from 0 to 1: 0.5 for the median.
  public func percentile(_ share: Double) -> UInt64? {
    guard count > 0 else { return nil }
    let wanted = UInt64(max(1, (Double(count) * share).rounded(.up)))
    if wanted >= count { return maximum }
    var seen: UInt64 = 0
    for (place, count) in counts.enumerated() {
      seen &+= UInt64(count)
      if seen >= wanted { return min(max(Self.middle(of: place), minimum), maximum) }
    }
    return maximum
  }

  @inline(__always)
  private static func place(of value: UInt64) -> Int {
    if value < UInt64(steps) { return Int(value) }
    let shift = 63 &- value.leadingZeroBitCount &- stepBits
    return (shift &+ 1) << stepBits &+ Int(truncatingIfNeeded: value >> UInt64(shift)) &- steps
  }

  private static func middle(of place: Int) -> UInt64 {
    if place < steps { return UInt64(place) }
    let shift = UInt64(place >> stepBits - 1)
    let low = UInt64(place & (steps - 1) + steps) << shift
    return low + (UInt64(1) << shift) / 2
  }
}
