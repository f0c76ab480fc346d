#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls to the system that the program needs; the C library is named in no other target.
/// Calls that a signal interrupted are repeated, and descriptors are never inherited by children
/// unless a function says so.
public enum SystemCalls {
  /// The number of an error of the system, with its text.
  public struct Failure: Error, Hashable, Sendable {
    /// The system's `errno`.
    public let number: Int32

    /// From a number that the system reported.
    public init(number: Int32) { self.number = number }

    /// The error that the last failed call of this thread left behind.
    public static var current: Failure { Failure(number: errno) }

    /// A signal came in between.
    public var isInterruption: Bool { number == EINTR }
    /// There is nothing to read, or no room to write, at the moment.
    public var wouldBlock: Bool { number == EAGAIN || number == EWOULDBLOCK }
    /// Nobody reads the other end of the pipe or socket any more.
    public var isBrokenPipe: Bool { number == EPIPE || number == ECONNRESET }
    /// There is no such file, directory or process image.
    public var isMissing: Bool { number == ENOENT }
    /// The user lacks the right to do this.
    public var isForbidden: Bool { number == EACCES || number == EPERM }
    /// A connection was turned down: nobody listens.
    public var isRefused: Bool { number == ECONNREFUSED }
    /// The process or the machine is out of descriptors or memory; later it may work again.
    public var isShortage: Bool {
      number == EMFILE || number == ENFILE || number == ENOBUFS || number == ENOMEM
    }
    /// The system's own text for it, in English.
    public var text: String { String(cString: strerror(number)) }
  }

  /// Repeats `call` while signals interrupt it; a negative result is an error.
  @inline(__always)
  static func retrying(_ call: () -> Int32) throws(Failure) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      let failure = Failure.current
      if !failure.isInterruption { throw failure }
    }
  }
}
