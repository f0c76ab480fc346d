/// The last changes of an activity in a ring: adding one moves nothing.
struct ActivityHistory {
  private var ring: [LiveActivity.Change] = []
  private var oldest = 0
  private let capacity: Int
  /// All there were, kept or not.
  private(set) var count = 0

  init(capacity: Int) { self.capacity = max(capacity, 0) }

  mutating func append(_ change: consuming LiveActivity.Change) {
    count &+= 1
    if ring.count < capacity {
      ring.append(change)
    } else if capacity > 0 {
      ring[oldest] = change
      oldest += 1
      if oldest == capacity { oldest = 0 }
    }
  }

  /// From the oldest kept to the newest.
  var changes: [LiveActivity.Change] { Array(ring[oldest...] + ring[..<oldest]) }
}
