#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The descriptors that are waited for together, by slot. A slot keeps its number until it is moved
/// or the table is cut behind it.
///
/// Not Sendable: belongs to one thread.
public final class PollTable {
  /// What a descriptor is ready for, or what is wrong with it.
  public struct Events: OptionSet, Sendable {
    public let rawValue: Int16
    public init(rawValue: Int16) { self.rawValue = rawValue }

    public static let readable = Events(rawValue: Int16(POLLIN))
    public static let writable = Events(rawValue: Int16(POLLOUT))
    /// The other end is closed; what it sent before may still be read.
    public static let hangUp = Events(rawValue: Int16(POLLHUP))
    public static let failure = Events(rawValue: Int16(POLLERR))
    /// The descriptor is not open.
    public static let invalid = Events(rawValue: Int16(POLLNVAL))

    #if os(Linux)
      /// POLLRDHUP, which the headers hide from Swift.
      fileprivate static let endOfInput = Events(rawValue: 0x2000)
    #endif

    /// The other end of a socket will write nothing more, though it may still read. Linux tells it
    /// where hang-ups are noticed; elsewhere it is a hang-up.
    public var inputHasEnded: Bool {
      #if os(Linux)
        contains(.endOfInput)
      #else
        false
      #endif
    }
  }

  /// How many slots there are, silent ones included.
  @exclusivity(unchecked) public private(set) var count = 0

  @exclusivity(unchecked) private var slots: UnsafeMutablePointer<pollfd>
  private var capacity = 16
  #if os(Linux)
    @exclusivity(unchecked) private var standing: StandingPoll?
  #endif

  /// - Parameter isStanding: whether many waits for much the same descriptors are to come. Where
  ///   the system can then keep the table between them, it does. A descriptor must be taken out
  ///   before it is closed; without this, one that is not is reported as ``Events/invalid``.
  public init(isStanding: Bool = false) {
    slots = .allocate(capacity: capacity)
    #if os(Linux)
      if isStanding { standing = StandingPoll() }
    #endif
  }

  deinit { slots.deallocate() }

  /// Adds a slot behind the others and returns its number.
  public func append(_ descriptor: Int32, _ interests: Events) -> Int {
    if count == capacity { grow() }
    slots[count] = pollfd(fd: descriptor, events: interests.rawValue, revents: 0)
    count += 1
    #if os(Linux)
      standing?.change(count - 1, to: descriptor)
    #endif
    return count - 1
  }

  /// Changes what a slot waits for. The system reports hang-ups of every slot that it looks at, so
  /// one that waits for nothing is hidden from it, unless it is for hang-ups.
  @inline(__always)
  public func set(
    _ slot: Int, _ descriptor: Int32, _ interests: Events, noticesHangUp: Bool = false
  ) {
    slots[slot].fd = interests.isEmpty && !noticesHangUp ? -1 : descriptor
    slots[slot].events = interests.rawValue
    #if os(Linux)
      if noticesHangUp { slots[slot].events |= Events.endOfInput.rawValue }
      standing?.change(slot, to: slots[slot].fd)
    #endif
  }

  /// Silences a slot and forgets what it reported.
  public func clear(_ slot: Int) {
    slots[slot] = pollfd(fd: -1, events: 0, revents: 0)
    #if os(Linux)
      standing?.change(slot, to: -1)
    #endif
  }

  /// Puts the last slot in the place of another one and cuts the table by one.
  public func moveLast(to slot: Int) {
    count -= 1
    if slot != count { slots[slot] = slots[count] }
    slots[slot].revents = 0
    #if os(Linux)
      standing?.move(count, to: slot)
    #endif
  }

  /// Waits until a slot has something to report and returns how many have. 0 when the time is over
  /// or a signal came.
  ///
  /// - Parameter nanoseconds: the longest wait; nil for no end. Where the system counts in
  ///   milliseconds it is rounded up.
  public func wait(nanoseconds: UInt64?) throws(SystemCalls.Failure) -> Int {
    let ready = call(nanoseconds)
    if ready >= 0 { return Int(ready) }
    let failure = SystemCalls.Failure.current
    // The handlers run after this; the slots must not show what an earlier call reported.
    for slot in 0..<count { slots[slot].revents = 0 }
    if failure.isInterruption || failure.wouldBlock { return 0 }
    throw failure
  }

  /// The first slot from `start` on, below `end`, that has something to report.
  @inline(__always)
  public func nextReady(from start: Int, below end: Int) -> Int? {
    var slot = start
    while slot < end {
      if slots[slot].revents != 0 { return slot }
      slot += 1
    }
    return nil
  }

  /// What the last wait reported for a slot.
  @inline(__always)
  public func reported(_ slot: Int) -> Events { Events(rawValue: slots[slot].revents) }

  private func call(_ nanoseconds: UInt64?) -> Int32 {
    #if os(Linux)
      if let standing {
        if standing.tell(slots, count) { return standing.wait(slots, count, nanoseconds) }
        // A file, or a descriptor that is not open or there twice: `poll` takes them all.
        self.standing = nil
      }
      guard let nanoseconds else { return linuxPoll(slots, nfds_t(count), nil, nil) }
      var time = timespec(nanoseconds: nanoseconds)
      return linuxPoll(slots, nfds_t(count), &time, nil)
    #else
      guard let nanoseconds else { return poll(slots, nfds_t(count), -1) }
      let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
      return poll(slots, nfds_t(count), Int32(min(milliseconds, UInt64(Int32.max))))
    #endif
  }

  private func grow() {
    let larger = UnsafeMutablePointer<pollfd>.allocate(capacity: capacity * 2)
    larger.update(from: slots, count: count)
    slots.deallocate()
    (slots, capacity) = (larger, capacity * 2)
  }
}

extension SystemCalls {
  /// Waits for one descriptor. False when the time is over; hang-ups and errors count as ready.
  public static func waitUntilReady(
    _ descriptor: Int32, _ interests: PollTable.Events, nanoseconds: UInt64?
  ) throws(Failure) -> Bool {
    let end = nanoseconds.map { monotonicNanoseconds() &+ $0 }
    let table = PollTable()
    _ = table.append(descriptor, interests)
    while true {
      let now = end == nil ? 0 : monotonicNanoseconds()
      let rest = end.map { $0 > now ? $0 - now : 0 }
      if try table.wait(nanoseconds: rest) > 0 { return true }
      if rest == 0 { return false }
    }
  }
}
