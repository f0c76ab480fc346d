/// Something that is due at a time, held in ``DueTimes``.
class DueEntry {
  /// Nanoseconds on the loop's monotonic clock.
  fileprivate(set) var due: UInt64 = 0
  /// Tells entries of the same time apart: the first one set goes first.
  fileprivate var order: UInt64 = 0
  /// Its place in the heap, or -1.
  fileprivate var place = -1

  var isWaiting: Bool { place >= 0 }

  /// Called when the time has come; the entry is out of the heap by then.
  func run() {}
}

/// Entries by due time: a binary heap in which every entry knows its place, so that setting, moving
/// and removing take logarithmic time.
struct DueTimes {
  private var heap: [DueEntry] = []
  private var count: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }
  /// The earliest due time.
  var first: UInt64? { heap.first?.due }

  /// The order number that the next entry will have.
  var nextOrder: UInt64 { count }

  /// Puts an entry in, or at another time when it is in already.
  mutating func set(_ entry: DueEntry, due: UInt64) {
    entry.due = due
    entry.order = count
    count += 1
    if entry.place < 0 {
      entry.place = heap.count
      heap.append(entry)
      rise(entry.place)
    } else {
      settle(entry.place)
    }
  }

  mutating func remove(_ entry: DueEntry) {
    guard entry.place >= 0 else { return }
    let place = entry.place
    entry.place = -1
    let last = heap.removeLast()
    if place < heap.count {
      heap[place] = last
      last.place = place
      settle(place)
    }
  }

  /// Takes out the first entry that is due at `now` and was set before `order`.
  mutating func next(at now: UInt64, before order: UInt64) -> DueEntry? {
    guard let first = heap.first, first.due <= now, first.order < order else { return nil }
    remove(first)
    return first
  }

  mutating func removeAll() {
    for entry in heap { entry.place = -1 }
    heap = []
  }

  private func precedes(_ left: DueEntry, _ right: DueEntry) -> Bool {
    left.due != right.due ? left.due < right.due : left.order < right.order
  }

  private mutating func settle(_ place: Int) {
    if place > 0, precedes(heap[place], heap[(place - 1) / 2]) { rise(place) } else { sink(place) }
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard precedes(heap[place], heap[parent]) else { return }
      exchange(place, parent)
      place = parent
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], heap[place]) else { return }
      exchange(place, child)
      place = child
    }
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    heap[left].place = left
    heap[right].place = right
  }
}
