#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few calls to the system that the commands need; the C library is named nowhere else.
enum SystemCalls {
  /// The number of an error of the system, with its text.
  struct Failure: Error {
    let number: Int32

    static var current: Failure { Failure(number: errno) }
    var isInterruption: Bool { number == EINTR }
    var wouldBlock: Bool { number == EAGAIN || number == EWOULDBLOCK }
    /// Nobody reads the other end of the pipe or socket any more.
    var isBrokenPipe: Bool { number == EPIPE || number == ECONNRESET }
    var text: String { String(cString: strerror(number)) }
  }

  static func openForReading(_ path: String) throws(Failure) -> Int32 {
    while true {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor >= 0 { return descriptor }
      let failure = Failure.current
      if !failure.isInterruption { throw failure }
    }
  }

  static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Reads once; 0 at the end of the input.
  static func readSome(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let count = read(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      try wait(after: .current, on: descriptor, for: Int16(POLLIN))
    }
  }

  /// Writes once, perhaps not all.
  static func writeSome(
    _ descriptor: Int32, _ memory: UnsafeRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let count = write(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      try wait(after: .current, on: descriptor, for: Int16(POLLOUT))
    }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Makes writing to a closed pipe an error that can be handled instead of a deadly signal.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  static func leave(_ code: Int32) -> Never { exit(code) }

  /// Returns when the call is worth repeating. A descriptor that another process made non-blocking
  /// is waited for.
  private static func wait(
    after failure: Failure, on descriptor: Int32, for events: Int16
  ) throws(Failure) {
    if failure.isInterruption { return }
    guard failure.wouldBlock else { throw failure }
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&request, 1, -1)
  }
}
