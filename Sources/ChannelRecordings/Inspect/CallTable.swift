/// The messages whose answers are waited for, and those answered lately, in bounded memory.
///
/// The newest messages stand in a ring, answered or not, so that a second answer is recognised. A
/// message that leaves the ring unanswered is kept aside; when there are too many of those, the
/// older half is given up and counts as never answered.
struct CallTable {
  /// A message, and what has become of it.
  struct Record {
    var call: RecordedEvent.Call
    var microseconds: Int64
    /// Which of the messages of the recording, from 1.
    var number: UInt64
    /// Line or byte of the recording.
    var place: UInt64
    /// Where it is counted.
    var row: Int32
    var shape: MessageShape
    var isAnswered = false
    /// The free use of whoever opened it.
    var note: Int32 = -1
  }

  /// What an answer answers.
  enum Match {
    case first(Record)
    case again(Record)
    /// No message with that id is known, or not any more.
    case none
  }

  /// Messages in the ring: 2 to this power.
  static let defaultBits = 16
  /// Unanswered messages kept beside the ring.
  static let keptAside = 65_536

  private var ring: [Record] = []
  private let capacity: Int
  private var oldest = 0
  /// Slots hold a place in the ring plus one; 0 is free.
  private var index: [Int32]
  private let indexMask: Int
  private var aside: [RecordedEvent.Call: Record] = [:]
  private let limitAside: Int

  init(bits: Int = defaultBits, keptAside: Int = keptAside) {
    capacity = 1 << bits
    index = Array(repeating: 0, count: capacity * 2)
    indexMask = capacity * 2 - 1
    limitAside = max(2, keptAside)
  }

  /// Notes a message.
  ///
  /// - Parameter giveUp: gets the records that will not be answered: an open one with the same id,
  ///   and those for which there is no room.
  mutating func open(_ record: Record, giveUp: (Record, _ isReuse: Bool) -> Void) {
    if let slot = find(record.call) {
      let known = ring[Int(index[slot]) - 1]
      if !known.isAnswered { giveUp(known, true) }
      remove(at: slot)
    } else if !aside.isEmpty, let known = aside.removeValue(forKey: record.call) {
      giveUp(known, true)
    }
    let place: Int
    if ring.count < capacity {
      place = ring.count
      ring.append(record)
    } else {
      place = oldest
      oldest = oldest &+ 1 == capacity ? 0 : oldest &+ 1
      let leaving = ring[place]
      if let slot = find(leaving.call), Int(index[slot]) == place + 1 {
        remove(at: slot)
        if !leaving.isAnswered {
          aside[leaving.call] = leaving
          if aside.count > limitAside { giveUpOlderHalf(giveUp) }
        }
      }
      ring[place] = record
    }
    insert(record.call, place)
  }

  /// Notes an answer.
  mutating func answer(_ call: RecordedEvent.Call) -> Match {
    if let slot = find(call) {
      let place = Int(index[slot]) - 1
      if ring[place].isAnswered { return .again(ring[place]) }
      ring[place].isAnswered = true
      return .first(ring[place])
    }
    if !aside.isEmpty, let record = aside.removeValue(forKey: call) { return .first(record) }
    return .none
  }

  /// Hands over the messages that are open at the end, in their order.
  mutating func drain(_ body: (Record) -> Void) {
    var open = Array(aside.values)
    for (place, record) in ring.enumerated() where !record.isAnswered {
      if let slot = find(record.call), Int(index[slot]) == place + 1 { open.append(record) }
    }
    open.sort { $0.number < $1.number }
    for record in open { body(record) }
    ring = []
    aside = [:]
    index = Array(repeating: 0, count: index.count)
    oldest = 0
  }

  private mutating func giveUpOlderHalf(_ giveUp: (Record, _ isReuse: Bool) -> Void) {
    let records = aside.values.sorted { $0.number < $1.number }
    for record in records.prefix(records.count / 2) {
      aside[record.call] = nil
      giveUp(record, false)
    }
  }

  // MARK: - The index: open addressing, the next free slot behind the one that is wanted

  @inline(__always)
  private func home(_ call: RecordedEvent.Call) -> Int {
    let mixed = (call.id &* 2 &+ UInt64(call.direction.rawValue)) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: mixed >> 32) & indexMask
  }

  @inline(__always)
  private func find(_ call: RecordedEvent.Call) -> Int? {
    var slot = home(call)
    while index[slot] != 0 {
      let known = ring[Int(index[slot]) - 1].call
      if known.id == call.id, known.direction == call.direction { return slot }
      slot = (slot &+ 1) & indexMask
    }
    return nil
  }

  private mutating func insert(_ call: RecordedEvent.Call, _ place: Int) {
    var slot = home(call)
    while index[slot] != 0 { slot = (slot &+ 1) & indexMask }
    index[slot] = Int32(truncatingIfNeeded: place + 1)
  }

  /// Frees a slot and moves up those behind it that would no longer be found.
  private mutating func remove(at freed: Int) {
    var hole = freed
    var slot = freed
    index[hole] = 0
    while true {
      slot = (slot &+ 1) & indexMask
      guard index[slot] != 0 else { return }
      let wanted = home(ring[Int(index[slot]) - 1].call)
      let isBetween =
        hole <= slot ? (hole < wanted && wanted <= slot) : (hole < wanted || wanted <= slot)
      if isBetween { continue }
      index[hole] = index[slot]
      index[slot] = 0
      hole = slot
    }
  }
}
