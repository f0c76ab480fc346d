import ChannelRouter
import LiveActivities

/// The `Task { … }` of the guide's code: work that runs after the call that began it, in no
/// promised order.
///
/// In order, a task runs on the next turn of the platform thread, and before the next call of its
/// channel in any case. With a seed it may also wait for one to three calls more, so that later
/// tasks overtake it; ten milliseconds of the device's clock without a call let all run. The same
/// calls with the same seed always give the same order.
///
/// Belongs to the platform thread.
final class UnstructuredTasks {
  /// How long a task waits for calls that do not come.
  static let patience = Duration.milliseconds(10)

  private struct Task {
    let work: () -> Void
    /// Calls that it still waits for.
    var lag: Int
    /// Ranks tasks that run at the same moment.
    let rank: UInt64
  }

  private let thread: any PlatformThread
  private let clock: DeviceClock
  private let race: UInt64?
  private var random: RaceRandom?
  @exclusivity(unchecked) private var pending: [Task] = []
  private var count: UInt64 = 0
  private var hasTurn = false
  private var alarm: DeviceClock.Alarm?

  init(thread: any PlatformThread, clock: DeviceClock, race: UInt64?) {
    (self.thread, self.clock, self.race) = (thread, clock, race)
    random = race.map(RaceRandom.init)
  }

  var pendingCount: Int { pending.count }

  func start(_ work: @escaping () -> Void) {
    count += 1
    let lag = random?.lag() ?? 0
    pending.append(Task(work: work, lag: lag, rank: random?.next() ?? count))
    if lag > 0 { waitForCalls() }
    takeTurn()
  }

  /// To be told before a call is handled: a task that waits for no further call runs before it.
  func callArrives() {
    guard !pending.isEmpty else { return }
    runDue()
    for position in pending.indices { pending[position].lag -= 1 }
  }

  func runAll() {
    for position in pending.indices { pending[position].lag = 0 }
    runDue()
  }

  /// Forgets all tasks and begins the seed anew.
  func reset() {
    pending = []
    count = 0
    random = race.map(RaceRandom.init)
    if let alarm { clock.cancel(alarm) }
    alarm = nil
  }

  // MARK: -

  private func takeTurn() {
    guard !hasTurn else { return }
    hasTurn = true
    let box = Confined(self)
    thread.async {
      box.content.hasTurn = false
      box.content.runDue()
    }
  }

  private func waitForCalls() {
    if let alarm { clock.cancel(alarm) }
    alarm = clock.schedule(after: Self.patience) { [weak self] in
      self?.alarm = nil
      self?.runAll()
    }
  }

  /// Runs the tasks that wait for no further call.
  func runDue() {
    guard pending.contains(where: { $0.lag <= 0 }) else { return }
    let due = pending.filter { $0.lag <= 0 }.sorted { $0.rank < $1.rank }
    pending.removeAll { $0.lag <= 0 }
    for task in due { task.work() }
  }
}

/// SplitMix64: small, and the same on every machine.
private struct RaceRandom {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// 0 for half of all tasks, 1 for a quarter, 2 and 3 for an eighth each.
  mutating func lag() -> Int {
    switch next() >> 61 {
    case 0...3: 0
    case 4, 5: 1
    case 6: 2
    default: 3
    }
  }
}

/// Carries something of the platform thread through code that has to be sendable. Only the
/// platform thread may look inside.
struct Confined<Content>: @unchecked Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}
