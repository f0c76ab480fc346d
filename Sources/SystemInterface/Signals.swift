import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signals that the program handles.
public enum Signal: CaseIterable, Sendable {
  case hangUp
  case interrupt
  case terminate
  case childEnded
  case windowChanged

  /// The system's number.
  public var number: Int32 {
    switch self {
    case .hangUp: SIGHUP
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .childEnded: SIGCHLD
    case .windowChanged: SIGWINCH
    }
  }

  var bit: UInt64 { 1 << UInt64(number) }
}

/// Turns signals into input that can be polled for. Several sources may ask for one signal; each
/// gets it. A signal that comes again before it was taken counts once, as with the system itself.
public final class SignalSource: Sendable {
  /// The signals that this source takes.
  public let signals: [Signal]
  /// Readable when a signal has come.
  public let descriptor: Int32
  private let slot: Int

  /// From now on the signals no longer do what they do by default. A hang-up that the process was
  /// started to ignore, as with `nohup`, stays ignored.
  public init(_ signals: [Signal]) throws(SystemCalls.Failure) {
    self.signals = signals
    slot = try SignalTable.claim(signals)
    descriptor = SignalTable.slots[slot].readEnd.load(ordering: .relaxed)
  }

  deinit { SignalTable.release(slot, signals) }

  /// The signals that have come since the last call.
  public func take() -> [Signal] {
    let pending = SignalTable.drain(slot)
    return pending == 0 ? [] : signals.filter { pending & $0.bit != 0 }
  }
}

/// Where the handler finds whom to tell. A handler must not lock or allocate, so this is a fixed
/// table of atomics; pipes in it are reused and never closed, because a handler may be about to
/// write to one.
private enum SignalTable {
  struct Slot: ~Copyable {
    let wanted = Atomic<UInt64>(0)
    let pending = Atomic<UInt64>(0)
    let readEnd = Atomic<Int32>(-1)
    let writeEnd = Atomic<Int32>(-1)
  }

  /// No sets and dictionaries: what they cost the first time would be felt at the program's start.
  struct Bookkeeping: Sendable {
    /// A bit for each slot.
    var used: UInt64 = 0
    /// How many sources want a signal, by its number.
    var claims = [Int](repeating: 0, count: 64)
  }

  static let capacity = 64
  nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    for slot in 0..<capacity { (slots + slot).initialize(to: Slot()) }
    return slots
  }()
  static let books = Guarded(Bookkeeping())

  static func claim(_ signals: [Signal]) throws(SystemCalls.Failure) -> Int {
    let result = books.withLock { books -> Result<Int, SystemCalls.Failure> in
      let slot = (~books.used).trailingZeroBitCount
      guard slot < capacity else { return .failure(SystemCalls.Failure(number: EMFILE)) }
      if slots[slot].readEnd.load(ordering: .relaxed) < 0 {
        do throws(SystemCalls.Failure) {
          let pipe = try PipeEnds(nonBlocking: true)
          slots[slot].readEnd.store(pipe.readEnd, ordering: .relaxed)
          slots[slot].writeEnd.store(pipe.writeEnd, ordering: .relaxed)
        } catch {
          return .failure(error)
        }
      }
      _ = drain(slot)
      let wanted = signals.reduce(0) { $0 | $1.bit }
      slots[slot].wanted.store(wanted, ordering: .sequentiallyConsistent)
      books.used |= 1 << UInt64(slot)
      for number in 0..<books.claims.count where wanted & 1 << UInt64(number) != 0 {
        let signal = Int32(number)
        if books.claims[number] == 0, signal == SIGHUP, SystemCalls.isIgnored(signal) { continue }
        books.claims[number] += 1
        if books.claims[number] == 1 { SystemCalls.handle(signal, by: noteSignal) }
        // Whoever started this process may have blocked it, and masks are inherited.
        SystemCalls.unblock(signal)
      }
      return .success(slot)
    }
    return try result.get()
  }

  static func release(_ slot: Int, _ signals: [Signal]) {
    books.withLock { books in
      let wanted = signals.reduce(0) { $0 | $1.bit }
      for number in 0..<books.claims.count
      where wanted & 1 << UInt64(number) != 0 && books.claims[number] > 0 {
        books.claims[number] -= 1
        if books.claims[number] == 0 { SystemCalls.handle(Int32(number), by: SIG_DFL) }
      }
      slots[slot].wanted.store(0, ordering: .sequentiallyConsistent)
      books.used &= ~(1 << UInt64(slot))
    }
  }

  static func drain(_ slot: Int) -> UInt64 {
    let descriptor = slots[slot].readEnd.load(ordering: .relaxed)
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { memory in
      while read(descriptor, memory.baseAddress, memory.count) > 0 {}
    }
    // Bits after bytes: a signal in between leaves a byte too many, never one too few.
    return slots[slot].pending.exchange(0, ordering: .sequentiallyConsistent)
  }
}

/// Runs as a signal handler: nothing here may lock, allocate or change `errno`.
private func noteSignal(_ number: Int32) {
  let saved = errno
  let bit: UInt64 = 1 << UInt64(number & 63)
  let slots = SignalTable.slots
  for slot in 0..<SignalTable.capacity
  where slots[slot].wanted.load(ordering: .sequentiallyConsistent) & bit != 0 {
    _ = slots[slot].pending.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 1
    _ = write(slots[slot].writeEnd.load(ordering: .relaxed), &byte, 1)
  }
  errno = saved
}

extension SystemCalls {
  /// Makes writing to a closed pipe, and writing past the limit on the size of files, errors that
  /// can be handled instead of deadly signals, for the whole process. Making a pipe or a socket and
  /// opening a file here do that by themselves; who writes to descriptors that the process was
  /// started with has to ask for it.
  public static func surviveFailedWrites() { _ = failedWritesAreSurvived }

  private static let failedWritesAreSurvived: Void = {
    handle(SIGPIPE, by: SIG_IGN)
    handle(SIGXFSZ, by: SIG_IGN)
  }()

  /// Sends a signal to a process.
  public static func send(_ signal: Signal, to process: Int32) throws(Failure) {
    _ = try retrying { kill(process, signal.number) }
  }

  /// Ends a process at once; it cannot refuse.
  public static func killProcess(_ process: Int32) throws(Failure) {
    _ = try retrying { kill(process, SIGKILL) }
  }

  /// Ends all processes of a group at once.
  public static func killProcessGroup(_ leader: Int32) throws(Failure) {
    _ = try retrying { kill(-leader, SIGKILL) }
  }

  /// Whether the process was started with the signal ignored, as `nohup` does.
  fileprivate static func isIgnored(_ signal: Int32) -> Bool {
    handlerAddress(of: signal) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether nobody has asked for the signal or switched it off.
  static func isHandledByDefault(_ signal: Int32) -> Bool {
    handlerAddress(of: signal) == unsafeBitCast(SIG_DFL, to: Int.self)
  }

  private static func handlerAddress(of signal: Int32) -> Int {
    var action = sigaction()
    sigaction(signal, nil, &action)
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self)
  }

  fileprivate static func unblock(_ signal: Int32) {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  static func handle(
    _ signal: Int32, by handler: (@convention(c) (Int32) -> Void)?
  ) {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    sigaction(signal, &action, nil)
  }
}
