#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor that becomes readable at a moment. Waiting for it costs less than a time limit of
/// the wait itself, which the system has to set up and to take down in every call.
public struct TimerDescriptor: ~Copyable {
  /// Readable from the moment on, until the timer is set again.
  public let descriptor: Int32

  /// nil where the system has no such thing, or no descriptors left.
  public init?() {
    #if os(Linux)
      guard
        let made = try? SystemCalls.retrying({
          linuxMakeTimer(CLOCK_MONOTONIC, O_CLOEXEC | O_NONBLOCK)
        }),
        let descriptor = try? SystemCalls.aboveStandardStreams(made)
      else { return nil }
      self.descriptor = descriptor
    #else
      return nil
    #endif
  }

  deinit { SystemCalls.closeDescriptor(descriptor) }

  /// - Parameter moment: nanoseconds of ``SystemCalls/monotonicNanoseconds()``.
  /// - Returns: whether it worked.
  public func set(_ moment: UInt64) -> Bool {
    #if os(Linux)
      // The system's `struct itimerspec`: the interval, which is none, and the moment. A moment of
      // zero would switch the timer off.
      let moment = max(moment, 1)
      var times = (
        timespec(),
        timespec(
          tv_sec: Int(min(moment / 1_000_000_000, UInt64(Int32.max))),
          tv_nsec: Int(moment % 1_000_000_000))
      )
      let absolute: Int32 = 1
      return linuxSetTimer(descriptor, absolute, &times, nil) == 0
    #else
      return false
    #endif
  }
}
