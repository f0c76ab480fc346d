import SystemInterface

/// Input that a loop can look for without waiting.
protocol InputLooks: AnyObject {
  /// Looks up to so many times. True when there is some: it has been read, and ``useFound()`` is
  /// called in the place of the watch's handler. The end of the input is not noticed.
  func look(_ times: Int) -> Bool
  func useFound()
  /// The loop is about to wait. What has been read must not be reported by the system again.
  func endLooking()
}

/// A descriptor that an ``EventLoop`` waits for. It does not own the descriptor; take the watch
/// back before closing it.
public final class Watch {
  public let descriptor: Int32

  /// Whether to call the handler when there is something to read.
  public var reads: Bool {
    get { wanted.contains(.reads) }
    set { change(.reads, newValue) }
  }

  /// Whether to call the handler when there is room to write.
  public var writes: Bool {
    get { wanted.contains(.writes) }
    set { change(.writes, newValue) }
  }

  /// Whether to call the handler when the other end closes, or will write nothing more, even while
  /// neither reading nor writing is watched for. It is called in every round from then on, so this
  /// is to be switched off.
  public var noticesHangUp: Bool {
    get { wanted.contains(.hungUp) }
    set { change(.hungUp, newValue) }
  }

  /// Where there is one the loop may look for input instead of waiting for it. Whoever sets it holds
  /// the watch, and takes it back before it goes.
  @exclusivity(unchecked) unowned var looks: (any InputLooks)?

  /// Whether the loop still knows this watch.
  public var isActive: Bool { table != nil }

  @exclusivity(unchecked) fileprivate var handler: ((Readiness) -> Void)?
  @exclusivity(unchecked) fileprivate var wanted: Readiness
  @exclusivity(unchecked) fileprivate var slot: Int
  /// nil once the watch has been taken back.
  @exclusivity(unchecked) fileprivate var table: WatchTable?
  @exclusivity(unchecked) fileprivate var isResting = false

  fileprivate init(
    _ descriptor: Int32, _ wanted: Readiness, _ slot: Int, _ table: WatchTable,
    _ handler: @escaping (Readiness) -> Void
  ) {
    self.descriptor = descriptor
    self.wanted = wanted
    self.slot = slot
    self.table = table
    self.handler = handler
  }

  /// What the loop waits for at the moment.
  fileprivate var interests: Readiness { isResting ? [] : wanted }

  private func change(_ part: Readiness, _ on: Bool) {
    guard wanted.contains(part) != on else { return }
    if on { wanted.insert(part) } else { wanted.remove(part) }
    table?.update(self)
  }

  func rest(_ on: Bool) {
    guard isResting != on else { return }
    isResting = on
    table?.update(self)
  }
}

/// The watches of a loop, slot by slot beside the system's table.
///
/// During a round nothing moves: what is added goes behind the slots being looked at, and what is
/// removed leaves a silent hole until the round is over. So no handler hears of an event that was
/// meant for an earlier owner of a slot or of a descriptor's number.
final class WatchTable {
  private let poll = PollTable(isStanding: true)
  // Looked at in every round, and changed by nothing that calls back.
  @exclusivity(unchecked) private var watches: [Watch?] = []
  @exclusivity(unchecked) private var holes: [Int] = []
  @exclusivity(unchecked) private var ready = 0

  /// The one that alone had something to read in the last rounds, if it can be looked at.
  @exclusivity(unchecked) private var steady: Watch?
  @exclusivity(unchecked) private var polling: BusyPolling
  private let restBeforeLooking: Int
  /// The steady one while the system does not watch it: it would have work with every message, to
  /// tell what the looks find by themselves.
  @exclusivity(unchecked) private var unwatched: Watch?
  /// Whether a look has read from the steady one.
  @exclusivity(unchecked) private var hasFound = false
  /// Rounds since the others were last looked at.
  @exclusivity(unchecked) private var roundsAlone = 0
  private static let mostRoundsAlone = 32

  init(restBeforeLooking: Int) {
    self.restBeforeLooking = restBeforeLooking
    polling = BusyPolling(firstRest: restBeforeLooking)
  }

  /// How many watches there are.
  var count: Int { watches.count - holes.count }

  func add(
    _ descriptor: Int32, _ wanted: Readiness, _ handler: @escaping (Readiness) -> Void
  ) -> Watch {
    let slot = poll.append(-1, [])
    let watch = Watch(descriptor, wanted, slot, self, handler)
    watches.append(watch)
    update(watch)
    return watch
  }

  func remove(_ watch: Watch) {
    guard watch.table === self else { return }
    poll.clear(watch.slot)
    watches[watch.slot] = nil
    holes.append(watch.slot)
    watch.table = nil
    // The handler often holds what holds the watch. It is let go last: that may end objects which
    // take back watches of their own.
    let handler = watch.handler
    (watch.handler, watch.looks) = (nil, nil)
    if steady === watch { steady = nil }
    if unwatched === watch { unwatched = nil }
    withExtendedLifetime(handler) {}
  }

  func removeAll() {
    for watch in watches { watch.map(remove) }
  }

  func update(_ watch: Watch) {
    if unwatched === watch { unwatched = nil }
    let interests = watch.interests
    var events: PollTable.Events = []
    if interests.contains(.reads) { events.insert(.readable) }
    if interests.contains(.writes) { events.insert(.writable) }
    poll.set(
      watch.slot, watch.descriptor, events, noticesHangUp: interests.contains(.hungUp))
  }

  /// Waits; see ``PollTable/wait(nanoseconds:)``.
  func wait(nanoseconds: UInt64?) throws(SystemCalls.Failure) {
    if let unwatched {
      update(unwatched)
      // Where waits and looks take turns, telling the system each time would cost more.
      polling.noteWait()
    }
    try waitForWatched(nanoseconds)
  }

  private func waitForWatched(_ nanoseconds: UInt64?) throws(SystemCalls.Failure) {
    if !holes.isEmpty { closeHoles() }
    if roundsAlone > 0 { endLooking() }
    ready = 0
    ready = try poll.wait(nanoseconds: nanoseconds)
  }

  private func endLooking() {
    roundsAlone = 0
    steady?.looks?.endLooking()
  }

  /// Looks for input where it came from last, for as long as that has been worth it lately. True when
  /// there is some, or something else to report, so that there is no need to wait.
  func look() throws(SystemCalls.Failure) -> Bool {
    guard let steady, steady.interests == .reads, holes.isEmpty else { return false }
    let looks = polling.looks()
    guard looks > 0, let input = steady.looks else { return false }
    roundsAlone &+= 1
    if roundsAlone >= WatchTable.mostRoundsAlone {
      try waitForWatched(0)
      if ready > 0 { return true }
    }
    hasFound = input.look(looks)
    polling.note(found: hasFound, SystemCalls.involuntarySwitches)
    if polling.alwaysFinds, unwatched == nil {
      poll.clear(steady.slot)
      unwatched = steady
    }
    return hasFound
  }

  /// Looks are for this one from now on.
  private func turnLooks(to watch: Watch?) {
    if let unwatched, unwatched !== watch { update(unwatched) }
    steady = watch
  }

  /// Calls the handlers of what the last look or wait found, each once. True when there was one.
  func dispatch() -> Bool {
    if hasFound {
      hasFound = false
      steady?.looks?.useFound()
      return true
    }
    guard ready > 0 else { return false }
    if ready > 1 { turnLooks(to: nil) }
    let end = watches.count
    var next = 0
    while ready > 0, let slot = poll.nextReady(from: next, below: end) {
      next = slot + 1
      ready -= 1
      guard let watch = watches[slot] else { continue }
      let events = poll.reported(slot)
      // A handler before this one may have changed its interests.
      let readiness = Readiness(events, watch.interests)
      if events.contains(.invalid) {
        // It would be reported without end.
        watch.wanted = []
        update(watch)
      }
      if readiness != .reads {
        turnLooks(to: nil)
      } else if steady !== watch {
        turnLooks(to: watch.looks == nil ? nil : watch)
        polling = BusyPolling(firstRest: restBeforeLooking)
      }
      if !readiness.isEmpty { watch.handler?(readiness) }
    }
    ready = 0
    return true
  }

  private func closeHoles() {
    for hole in holes {
      while let last = watches.last, last == nil { cutLast() }
      guard hole < watches.count, watches[hole] == nil, let last = watches[watches.count - 1]
      else { continue }
      poll.moveLast(to: hole)
      watches[hole] = last
      last.slot = hole
      watches.removeLast()
    }
    while let last = watches.last, last == nil { cutLast() }
    holes.removeAll(keepingCapacity: true)
  }

  private func cutLast() {
    watches.removeLast()
    poll.moveLast(to: watches.count)
  }
}
