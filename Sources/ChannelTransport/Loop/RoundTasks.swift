/// Work to be done at the end of a round of an ``EventLoop``, when it was asked for during the
/// round: the bytes of many small messages then go out in one write.
public final class RoundTask {
  @exclusivity(unchecked) fileprivate var work: (() -> Void)?
  @exclusivity(unchecked) fileprivate(set) var isRequested = false
  /// What was asked for after this.
  @exclusivity(unchecked) fileprivate var next: RoundTask?
  private let tasks: RoundTasks

  fileprivate init(_ tasks: RoundTasks, _ work: @escaping () -> Void) {
    self.tasks = tasks
    self.work = work
  }

  /// Asks for the work to be done once at the end of this round, however often it is called. On
  /// the loop's thread only.
  public func request() {
    if isRequested { return }
    isRequested = true
    tasks.append(self)
  }

  /// Takes the work back, even where it has been asked for.
  public func cancel() {
    let work = self.work
    self.work = nil
    // Let go last: objects that end with it may cancel tasks as well.
    withExtendedLifetime(work) {}
  }
}

/// Work at the end of every round of an ``EventLoop``, until it is cancelled.
public final class RoundHook {
  fileprivate var work: (() -> Void)?

  fileprivate init(_ work: @escaping () -> Void) { self.work = work }

  /// Takes the work back.
  public func cancel() {
    let work = self.work
    self.work = nil
    // Let go last: objects that end with it may cancel hooks as well.
    withExtendedLifetime(work) {}
  }
}

final class RoundTasks {
  /// What has been asked for, as a list that needs no memory: every round of a call comes by here.
  @exclusivity(unchecked) private var first: RoundTask?
  @exclusivity(unchecked) private var last: RoundTask?
  @exclusivity(unchecked) private var hooks: [RoundHook] = []

  /// Something asks to be done at the end of a round.
  var isRequested: Bool { first != nil }

  func task(_ work: @escaping () -> Void) -> RoundTask { RoundTask(self, work) }

  func hook(_ work: @escaping () -> Void) -> RoundHook {
    let hook = RoundHook(work)
    hooks.append(hook)
    return hook
  }

  fileprivate func append(_ task: RoundTask) {
    if let last { last.next = task } else { first = task }
    last = task
  }

  /// The loop ends: what has been asked for keeps this alive.
  func removeAll() {
    while let task = first {
      first = task.next
      task.next = nil
    }
    last = nil
    hooks = []
  }

  func run() {
    if !hooks.isEmpty { runHooks() }
    // Flushing may ask for another flush, such as that of a log. What is asked for after that waits
    // for the next round, so that tasks that ask for each other do not stop the loop.
    for _ in 0..<2 {
      guard var task = first else { return }
      (first, last) = (nil, nil)
      while true {
        let next = task.next
        task.next = nil
        task.isRequested = false
        task.work?()
        guard let next else { break }
        task = next
      }
    }
  }

  private func runHooks() {
    var next = 0
    while next < hooks.count {
      if let work = hooks[next].work {
        next += 1
        work()
      } else {
        hooks.remove(at: next)
      }
    }
  }
}
