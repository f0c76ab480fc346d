import ChannelRouter
import Synchronization
import SystemInterface

/// A handle to the thread that runs an ``EventLoop``, for use from all threads.
public final class LoopThread: PlatformThread {
  /// A function as an element of an array by itself would cost an allocation.
  struct Work: Sendable {
    let run: @Sendable () -> Void
  }

  private struct Mailbox: Sendable {
    var work: [Work] = []
    /// The loop waits, or is about to, and will not look here by itself.
    var isAsleep = false
    /// A byte is in the pipe or on its way there.
    var wakeIsPending = false
    var isClosed = false
  }

  private let mailbox = Guarded(Mailbox())
  /// There is work in the mailbox, or it says that the loop sleeps: what else is in it can wait.
  private let needsAttention = Atomic<Bool>(false)
  private let thread: Atomic<UInt>
  private let stopIsWanted = Atomic<Bool>(false)
  private let pipe: PipeEnds

  /// Becomes readable when work comes while the loop waits.
  var descriptor: Int32 { pipe.readEnd }

  init() throws(SystemCalls.Failure) {
    pipe = try PipeEnds(nonBlocking: true)
    thread = Atomic(SystemCalls.currentThread)
  }

  deinit { pipe.close() }

  /// Whether the caller is on the thread that runs the loop, or that made it if none does yet.
  public var isCurrent: Bool { thread.load(ordering: .relaxed) == SystemCalls.currentThread }

  /// Runs `work` in one of the next rounds of the loop, in the order of the calls. After the
  /// loop's end it is let go without being run.
  public func async(_ work: @escaping @Sendable () -> Void) {
    let mustWake = mailbox.withLock { mailbox in
      if mailbox.isClosed { return false }
      mailbox.work.append(Work(run: work))
      needsAttention.store(true, ordering: .relaxed)
      guard mailbox.isAsleep, !mailbox.wakeIsPending else { return false }
      mailbox.wakeIsPending = true
      return true
    }
    if mustWake { writeByte() }
  }

  /// Makes ``EventLoop/run()`` return after the round it is in, or at once when it is called next.
  public func stop() {
    stopIsWanted.store(true, ordering: .sequentiallyConsistent)
    // Wakes the loop where it waits.
    if !isCurrent { async {} }
  }

  /// Whether the loop should end; asked once for each call of ``stop()``.
  func takeStop() -> Bool {
    stopIsWanted.load(ordering: .relaxed)
      && stopIsWanted.exchange(false, ordering: .sequentiallyConsistent)
  }

  func adopt() { thread.store(SystemCalls.currentThread, ordering: .relaxed) }

  /// Whether work has come since it was last taken. For the loop's thread, and without a lock; what
  /// comes at this moment may be missed, but not by ``fallAsleep()``.
  var hasWork: Bool { needsAttention.load(ordering: .relaxed) }

  /// False when there is work, which the loop must not wait before.
  func fallAsleep() -> Bool {
    needsAttention.store(true, ordering: .relaxed)
    return mailbox.withLock { mailbox in
      mailbox.isAsleep = mailbox.work.isEmpty
      return mailbox.isAsleep
    }
  }

  /// Exchanges an empty list for the work that has come.
  func wakeUp(taking work: inout [Work]) {
    guard needsAttention.load(ordering: .relaxed) else { return }
    mailbox.withLock { mailbox in
      mailbox.isAsleep = false
      needsAttention.store(false, ordering: .relaxed)
      if !mailbox.work.isEmpty { swap(&mailbox.work, &work) }
    }
  }

  /// Takes the byte out of the pipe.
  func takeWake() {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { memory in
      _ = try? SystemCalls.readAvailable(pipe.readEnd, into: memory)
    }
    mailbox.withLock { $0.wakeIsPending = false }
  }

  func close() {
    let left = mailbox.withLock { mailbox in
      mailbox.isClosed = true
      let left = mailbox.work
      mailbox.work = []
      return left
    }
    // Outside the lock: what the work held may call back when it is let go.
    withExtendedLifetime(left) {}
  }

  private func writeByte() {
    let byte: UInt8 = 1
    withUnsafeBytes(of: byte) { _ = try? SystemCalls.writeAvailable(pipe.writeEnd, $0) }
  }
}
