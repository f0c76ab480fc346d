#if canImport(Glibc)
  // `stdout` is a variable there, though nobody sets it.
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// Sends what this process prints to standard error from now on, so that standard output carries
  /// nothing but what is written to the descriptor returned.
  public static func moveStandardOutputAside() throws(Failure) -> Int32 {
    let copy = try retrying { fcntl(1, F_DUPFD_CLOEXEC, 3) }
    _ = try retrying { dup2(2, 1) }
    #if canImport(Glibc)
      // Line by line, as the rest of standard error.
      setvbuf(stdout, nil, _IOLBF, 0)
    #endif
    return copy
  }
}
