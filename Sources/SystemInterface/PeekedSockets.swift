#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// Lets ``peekAvailable(_:into:trying:)`` go on behind what it has shown already. Reading keeps
  /// its place in the stream: it takes out what was peeked first.
  ///
  /// - Returns: whether it does: not for what is no socket, and only on Linux.
  public static func rememberPeeks(_ descriptor: Int32) -> Bool {
    #if os(Linux)
      var offset: Int32 = 0
      let size = socklen_t(MemoryLayout.size(ofValue: offset))
      return setsockopt(descriptor, SOL_SOCKET, SO_PEEK_OFF, &offset, size) == 0
    #else
      return false
    #endif
  }

  /// Reads once from a non-blocking socket and leaves the bytes in it, trying it up to `times` times
  /// in a row: 0 at the end of the input, nil when nothing has come.
  public static func peekAvailable(
    _ socket: Int32, into memory: UnsafeMutableRawBufferPointer, trying times: Int
  ) throws(Failure) -> Int? {
    var left = times
    while left > 0 {
      let count = recv(socket, memory.baseAddress, memory.count, Int32(MSG_PEEK))
      if count >= 0 { return count }
      let failure = Failure.current
      if failure.wouldBlock { left -= 1 } else if !failure.isInterruption { throw failure }
    }
    return nil
  }
}
