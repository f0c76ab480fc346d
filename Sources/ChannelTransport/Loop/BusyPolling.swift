/// How often a loop looks for input before it sleeps.
///
/// Going to sleep and being woken takes longer than a call. A client on another processor that sends
/// its next call at once is answered sooner by a loop that keeps looking for some microseconds, and
/// one on the same processor has often sent it by the time this side has its turn again. Where the
/// client takes longer, looking only keeps others from working. So it is tried now and then, with
/// one look first, and kept up only where it pays.
struct BusyPolling {
  /// 20 to 30 microseconds.
  static let most = 48
  /// Waits that are judged together.
  static let period = 32
  /// How many waits of a period one look must have spared, which costs much less than a wait …
  static let enoughForOne = 16
  /// … and many looks, which cost more.
  static let enough = 24
  /// So many times in a period may somebody else have taken the processor away.
  static let mostSwitches = 4
  static let shortestRest = 64
  static let longestRest = 1 << 16

  /// Looks before each wait at the moment.
  private var limit = 0
  /// Waits to be slept through before it is tried again, and how many have been.
  private var rest: Int
  private var rested = 0
  // Of the period that has begun.
  private var waits = 0
  private var found = 0
  private var switchesBefore = 0
  /// Whether no look of the last period was in vain, and there was no wait since.
  private(set) var alwaysFinds = false

  /// - Parameter firstRest: how many waits to sleep through first.
  init(firstRest: Int = BusyPolling.shortestRest) { rest = firstRest }

  /// How often to look before this wait; 0 to sleep at once.
  mutating func looks() -> Int {
    if limit > 0 { return limit }
    guard rested >= rest else {
      rested &+= 1
      return 0
    }
    begin(1)
    return limit
  }

  /// What came of the looks.
  ///
  /// - Parameter switches: how often the thread has lost the processor to somebody else so far.
  mutating func note(found isFound: Bool, _ switches: () -> Int) {
    waits &+= 1
    if isFound { found &+= 1 } else { alwaysFinds = false }
    if waits == BusyPolling.period { judge(switches) }
  }

  /// There was a wait without a look in vain before it.
  mutating func noteWait() { alwaysFinds = false }

  private mutating func judge(_ switches: () -> Int) {
    alwaysFinds = found == BusyPolling.period
    if limit == 1 {
      // One look takes nobody's processor away.
      begin(found >= BusyPolling.enoughForOne ? 1 : BusyPolling.most)
      switchesBefore = switches()
      return
    }
    let now = switches()
    if found >= BusyPolling.enough, now - switchesBefore <= BusyPolling.mostSwitches {
      rest = BusyPolling.shortestRest
      begin(limit)
      switchesBefore = now
    } else {
      limit = 0
      rested = 0
      rest = min(max(rest, 1) * 4, BusyPolling.longestRest)
    }
  }

  private mutating func begin(_ limit: Int) {
    self.limit = limit
    (waits, found) = (0, 0)
  }
}
