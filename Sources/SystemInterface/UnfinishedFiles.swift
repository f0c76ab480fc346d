import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that are removed when a signal ends the process.
///
/// A handler must not lock or allocate, so this is a fixed table of atomics; with more files than it
/// holds, the further ones stay. A ``SignalSource`` for the same signal comes first: whoever handles
/// it ends the process in good order.
enum UnfinishedFiles {
  struct Slot {
    fileprivate let number: Int
    fileprivate let text: UInt
  }

  fileprivate static let capacity = 16
  /// Addresses of paths; 0 is free.
  fileprivate nonisolated(unsafe) static let paths: UnsafeMutablePointer<Atomic<UInt>> = {
    let paths = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
    for slot in 0..<capacity { (paths + slot).initialize(to: Atomic(0)) }
    return paths
  }()

  /// nil where there is no room left.
  static func add(_ path: String) -> Slot? {
    guard let text = strdup(path) else { return nil }
    let address = UInt(bitPattern: text)
    for number in 0..<capacity
    where paths[number].compareExchange(
      expected: 0, desired: address, ordering: .sequentiallyConsistent
    ).exchanged {
      for signal in [SIGINT, SIGTERM, SIGHUP] where SystemCalls.isHandledByDefault(signal) {
        SystemCalls.handle(signal, by: removeUnfinished)
      }
      return Slot(number: number, text: address)
    }
    free(text)
    return nil
  }

  static func forget(_ slot: Slot) {
    let isOurs = paths[slot.number].compareExchange(
      expected: slot.text, desired: 0, ordering: .sequentiallyConsistent
    ).exchanged
    // Where a handler has taken it, the process is ending.
    if isOurs { free(UnsafeMutableRawPointer(bitPattern: slot.text)) }
  }
}

/// Runs as a signal handler. Ends the process as the signal does by default.
private func removeUnfinished(_ number: Int32) {
  for slot in 0..<UnfinishedFiles.capacity {
    let address = UnfinishedFiles.paths[slot].exchange(0, ordering: .sequentiallyConsistent)
    if let path = UnsafePointer<CChar>(bitPattern: address) { unlink(path) }
  }
  SystemCalls.handle(number, by: SIG_DFL)
  // It is blocked while this handler runs, and comes through right after.
  raise(number)
}
