import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if THREAD_SANITIZER
  /// A value behind a lock: the system's own, whose orderings the thread sanitizer knows. Those that
  /// `Mutex` makes when two threads want it at once are made inside the runtime library, which is
  /// not instrumented, and every value behind it would be reported as a race.
  public final class Guarded<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Outside of the object: a value without size would stand where its head is.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// A value that nobody holds at the moment.
    public init(_ value: sending Value) {
      self.value.initialize(to: value)
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    /// Runs `body` while no other thread has the value.
    public func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#else
  /// A value behind a lock.
  public typealias Guarded<Value> = Mutex<Value>
#endif
