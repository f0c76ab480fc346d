#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe between two descriptors, neither of them inherited by children.
public struct PipeEnds: Sendable {
  public let readEnd: Int32
  public let writeEnd: Int32

  /// Makes a pipe whose ends are both non-blocking or both not. Standard streams that happen to be
  /// closed are not filled with it.
  public init(nonBlocking: Bool) throws(SystemCalls.Failure) {
    SystemCalls.surviveFailedWrites()
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { memory in
      let pair = memory.bindMemory(to: Int32.self).baseAddress
      guard let pair else { return Int32(-1) }
      #if os(Linux)
        return linuxPipe(pair, O_CLOEXEC | (nonBlocking ? O_NONBLOCK : 0))
      #else
        return pipe(pair)
      #endif
    }
    if result != 0 { throw .current }
    let first: Int32
    do throws(SystemCalls.Failure) { first = try Self.prepared(ends.0, nonBlocking) } catch {
      SystemCalls.closeDescriptor(ends.1)
      throw error
    }
    do throws(SystemCalls.Failure) { writeEnd = try Self.prepared(ends.1, nonBlocking) } catch {
      SystemCalls.closeDescriptor(first)
      throw error
    }
    readEnd = first
  }

  /// What `pipe2` has not done already. Closes the descriptor on failure.
  private static func prepared(
    _ descriptor: Int32, _ nonBlocking: Bool
  ) throws(SystemCalls.Failure) -> Int32 {
    let end = try SystemCalls.aboveStandardStreams(descriptor)
    #if !os(Linux)
      do throws(SystemCalls.Failure) {
        try SystemCalls.setCloseOnExec(end)
        if nonBlocking { try SystemCalls.setNonBlocking(end, true) }
      } catch {
        SystemCalls.closeDescriptor(end)
        throw error
      }
    #endif
    return end
  }

  /// Closes both ends.
  public func close() {
    SystemCalls.closeDescriptor(readEnd)
    SystemCalls.closeDescriptor(writeEnd)
  }
}

extension SystemCalls {
  static func setCloseOnExec(_ descriptor: Int32) throws(Failure) {
    _ = try retrying { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// The descriptor itself, or, in place of it, one above 2: as 0, 1 or 2 it would be taken for a
  /// standard stream, and be in the way when those of a child are set up. The original is closed,
  /// also on failure.
  static func aboveStandardStreams(_ descriptor: Int32) throws(Failure) -> Int32 {
    if descriptor > 2 { return descriptor }
    defer { closeDescriptor(descriptor) }
    return try retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
  }
}
