#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// Whether the descriptor is a pipe or a socket: what may wait for another process.
  public static func isPipeOrSocket(_ descriptor: Int32) -> Bool {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return false }
    return facts.st_mode & S_IFMT == S_IFIFO || facts.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether the descriptor is a socket.
  public static func isSocket(_ descriptor: Int32) -> Bool {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether calls on the descriptor return at once; see ``setNonBlocking(_:_:)``.
  public static func isNonBlocking(_ descriptor: Int32) throws(Failure) -> Bool {
    try retrying { fcntl(descriptor, F_GETFL) } & O_NONBLOCK != 0
  }
}
