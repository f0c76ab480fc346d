#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// How a file is opened for writing.
  public enum WriteMode: Sendable {
    /// Made when missing, emptied when there.
    case replacing
    /// Made when missing, else written behind what is there.
    case appending
    /// Refused when there, even as a dangling link.
    case creating
  }

  /// Opens a file for reading. The descriptor is the caller's to close.
  public static func openForReading(_ path: String) throws(Failure) -> Int32 {
    try retrying { open(path, O_RDONLY | O_CLOEXEC) }
  }

  /// Opens a file for writing. The descriptor is the caller's to close.
  ///
  /// - Parameter permissions: of a new file, less what the umask takes away.
  public static func openForWriting(
    _ path: String, _ mode: WriteMode, permissions: UInt32 = 0o644
  ) throws(Failure) -> Int32 {
    surviveFailedWrites()
    let more =
      switch mode {
      case .replacing: O_CREAT | O_TRUNC
      case .appending: O_CREAT | O_APPEND
      case .creating: O_CREAT | O_EXCL
      }
    return try retrying { open(path, O_WRONLY | O_CLOEXEC | more, mode_t(permissions)) }
  }

  /// Closes a descriptor. The system lets go of it whatever it answers, so there is no error.
  public static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Reads once; 0 at the end of the input. Waits for input, even where another process made the
  /// descriptor non-blocking.
  public static func readSome(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let count = read(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      try wait(after: .current, on: descriptor, for: Int16(POLLIN))
    }
  }

  /// Writes once, perhaps not all. Waits for room.
  public static func writeSome(
    _ descriptor: Int32, _ memory: UnsafeRawBufferPointer
  ) throws(Failure) -> Int {
    while true {
      let count = write(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      try wait(after: .current, on: descriptor, for: Int16(POLLOUT))
    }
  }

  /// Reads once from a non-blocking descriptor: 0 at the end of the input, nil when there is
  /// nothing yet.
  public static func readAvailable(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
  ) throws(Failure) -> Int? {
    while true {
      let count = read(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      let failure = Failure.current
      if failure.wouldBlock { return nil }
      if !failure.isInterruption { throw failure }
    }
  }

  /// Reads once from a non-blocking descriptor, trying it up to `times` times in a row: 0 at the end
  /// of the input, nil when nothing has come.
  public static func readAvailable(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, trying times: Int
  ) throws(Failure) -> Int? {
    for _ in 0..<times {
      if let count = try readAvailable(descriptor, into: memory) { return count }
    }
    return nil
  }

  /// Writes once to a non-blocking descriptor, perhaps not all; nil when there is no room.
  public static func writeAvailable(
    _ descriptor: Int32, _ memory: UnsafeRawBufferPointer
  ) throws(Failure) -> Int? {
    while true {
      let count = write(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      let failure = Failure.current
      if failure.wouldBlock { return nil }
      if !failure.isInterruption { throw failure }
    }
  }

  /// Makes calls on the descriptor return at once, or wait again. Whoever shares the open file,
  /// such as the parent of standard input, is affected as well.
  public static func setNonBlocking(_ descriptor: Int32, _ on: Bool) throws(Failure) {
    let flags = try retrying { fcntl(descriptor, F_GETFL) }
    let wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
    if wanted != flags { _ = try retrying { fcntl(descriptor, F_SETFL, wanted) } }
  }

  /// Brings what was written to the disk.
  public static func synchronize(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { fsync(descriptor) }
  }

  /// Removes a file, or a link itself; no directories.
  public static func removeFile(_ path: String) throws(Failure) {
    _ = try retrying { unlink(path) }
  }

  /// Gives a file another name, in place of what had that name.
  public static func renameFile(_ path: String, to newPath: String) throws(Failure) {
    _ = try retrying { rename(path, newPath) }
  }

  /// Whether the descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

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
