import ChannelRouter
import SystemInterface

/// Waits for descriptors, time, signals and work from other threads, and calls handlers for them,
/// all on one thread: the platform thread of the devices that it serves.
///
/// A round waits once, runs the work that came from other threads, then calls every handler that
/// has something to do once, then the timers and clocks that are due, then the work for the end of
/// the round. Where input comes from one descriptor again and again, the loop looks for it before it
/// waits (``BusyPolling``). Not Sendable: all but ``thread`` belongs to the thread that runs it.
public final class EventLoop {
  /// The handle for other threads.
  public let thread: LoopThread

  @exclusivity(unchecked) var dueTimes = DueTimes()
  private let watches: WatchTable
  private let clocks = LoopClocks()
  private let tasks = RoundTasks()
  private let shortestLook: UInt64
  /// Made when there is first something to wait for that is far away.
  @exclusivity(unchecked) private var farAlarm: FarAlarm?
  private var triedFarAlarm = false
  @exclusivity(unchecked) private var arrived: [LoopThread.Work] = []
  @exclusivity(unchecked) private var isInRound = false

  /// - Throws: when the process is out of descriptors.
  public convenience init() throws(SystemCalls.Failure) {
    try self.init(restBeforeLooking: BusyPolling.shortestRest)
  }

  /// - Parameters:
  ///   - restBeforeLooking: how many waits for one descriptor alone there must be before the loop
  ///     tries to look for its input instead; see ``InputLooks``.
  ///   - shortestLook: nanoseconds. What is due sooner must not be late for looking.
  init(
    restBeforeLooking: Int, shortestLook: UInt64 = 100_000
  ) throws(SystemCalls.Failure) {
    self.shortestLook = shortestLook
    watches = WatchTable(restBeforeLooking: restBeforeLooking)
    let thread = try LoopThread()
    self.thread = thread
    _ = watches.add(thread.descriptor, .reads) { [unowned thread] _ in thread.takeWake() }
  }

  deinit {
    clocks.removeAll(from: &dueTimes)
    dueTimes.removeAll()
    watches.removeAll()
    tasks.removeAll()
    thread.close()
  }

  // MARK: - Descriptors

  /// Calls `handler` in every round in which the descriptor is ready for what is watched for. It
  /// should do a bounded piece of work and leave the rest to the next round.
  ///
  /// The loop holds the watch and the handler until ``unwatch(_:)``.
  @discardableResult
  public func watch(
    _ descriptor: Int32, reads: Bool = true, writes: Bool = false,
    _ handler: @escaping (Readiness) -> Void
  ) -> Watch {
    var wanted: Readiness = []
    if reads { wanted.insert(.reads) }
    if writes { wanted.insert(.writes) }
    return watches.add(descriptor, wanted, handler)
  }

  /// Takes a watch back: its handler is not called any more, not even in this round. Call it
  /// before closing the descriptor.
  public func unwatch(_ watch: Watch) { watches.remove(watch) }

  /// Silences a watch for a while, for trouble that would be reported again at once.
  public func rest(_ watch: Watch, for span: Duration) {
    watch.rest(true)
    after(span) { [weak watch] in watch?.rest(false) }
  }

  /// How many descriptors are watched, the loop's own ones not counted.
  public var watchCount: Int { watches.count - (farAlarm == nil ? 1 : 2) }

  // MARK: - Time

  /// Calls `action` once after a span of real time, in a later round even if the span is zero.
  /// Timers that are due together go off in the order of their times.
  @discardableResult
  public func after(_ span: Duration, _ action: @escaping () -> Void) -> LoopTimer {
    LoopTimer(self, due: SystemCalls.monotonicNanoseconds().adding(span), action)
  }

  /// Lets the alarms of a device's clock go off in time until ``removeClock(_:)``. The clock's
  /// `onChange` is the loop's meanwhile; the one it had before is still called.
  public func addClock(_ clock: DeviceClock) { clocks.add(clock) }

  /// Leaves a clock to itself again.
  public func removeClock(_ clock: DeviceClock) { clocks.remove(clock, from: &dueTimes) }

  // MARK: - The end of a round

  /// Calls `work` at the end of every round until it is cancelled.
  @discardableResult
  public func atEndOfRound(_ work: @escaping () -> Void) -> RoundHook { tasks.hook(work) }

  /// Makes work that is done at the end of the rounds in which it was asked for.
  public func roundTask(_ work: @escaping () -> Void) -> RoundTask { tasks.task(work) }

  // MARK: - Running

  /// Runs rounds until ``stop()``.
  ///
  /// - Throws: when the system refuses to wait, which only a shortage of memory explains.
  public func run() throws(SystemCalls.Failure) {
    while !thread.takeStop() { try runOnce() }
  }

  /// Runs one round.
  ///
  /// - Parameter timeout: the longest wait; nil for no end.
  /// - Returns: whether there was anything to do.
  @discardableResult
  public func runOnce(timeout: Duration? = nil) throws(SystemCalls.Failure) -> Bool {
    precondition(!isInRound, "a handler cannot run the loop that called it")
    isInRound = true
    defer { isInRound = false }
    thread.adopt()
    if clocks.hasChanged { settleClocks() }
    // With work left the loop does not wait.
    let hasWork = tasks.isRequested || thread.hasWork
    let wait = hasWork ? 0 : longestWait(timeout)
    do throws(SystemCalls.Failure) {
      let isLong = wait.map { $0 >= shortestLook } ?? true
      let hasFound = isLong ? try watches.look() : false
      if !hasFound { try watches.wait(nanoseconds: thread.fallAsleep() ? wait : 0) }
    } catch {
      thread.wakeUp(taking: &arrived)
      runArrived()
      throw error
    }
    thread.wakeUp(taking: &arrived)
    var didWork = runArrived()
    if watches.dispatch() { didWork = true }
    if let first = dueTimes.first, !isFar(first), runDue() { didWork = true }
    if tasks.isRequested { didWork = true }
    tasks.run()
    return didWork
  }

  /// Makes ``run()`` return after this round; see ``LoopThread/stop()`` for other threads.
  public func stop() { thread.stop() }

  private func longestWait(_ timeout: Duration?) -> UInt64? {
    let limit = timeout?.wholeNanoseconds
    guard let first = dueTimes.first, !isFar(first) else { return limit }
    let now = SystemCalls.monotonicNanoseconds()
    let rest = first > now ? first - now : 0
    if rest >= FarAlarm.nearest, setFarAlarm(first) { return limit }
    return limit.map { min($0, rest) } ?? rest
  }

  /// Whether an alarm will wake the loop in time for `moment`.
  @inline(__always)
  private func isFar(_ moment: UInt64) -> Bool { farAlarm?.covers(moment) ?? false }

  private func setFarAlarm(_ moment: UInt64) -> Bool {
    if !triedFarAlarm {
      triedFarAlarm = true
      farAlarm = FarAlarm(watches)
    }
    return farAlarm?.set(moment) ?? false
  }

  private func settleClocks() {
    clocks.settle(into: &dueTimes, now: SystemCalls.monotonicNanoseconds())
  }

  @discardableResult
  private func runArrived() -> Bool {
    if arrived.isEmpty { return false }
    for work in arrived { work.run() }
    arrived.removeAll(keepingCapacity: true)
    return true
  }

  /// Runs what is due. What is set meanwhile waits for the next round.
  private func runDue() -> Bool {
    let now = SystemCalls.monotonicNanoseconds()
    let order = dueTimes.nextOrder
    var didWork = false
    while let entry = dueTimes.next(at: now, before: order) {
      didWork = true
      entry.run()
    }
    return didWork
  }
}
