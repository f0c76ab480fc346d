#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a Unix socket could not be made or reached.
public enum SocketFailure: Error, Equatable, Sendable {
  /// The path is empty or holds a NUL.
  case malformedPath
  /// The path has `length` bytes, and the system's socket addresses have room for `limit`.
  case pathTooLong(length: Int, limit: Int)
  /// A server answers there already.
  case inUse
  /// Something else has that name. It is left alone.
  case notASocket(SystemCalls.FileIdentity.Kind)
  /// Another process has kept the directory locked for too long.
  case directoryLocked
  /// The system refused the step that is named.
  case system(SystemCalls.Failure, doing: String)

  /// One phrase for people, to stand behind the path and a colon.
  public var text: String {
    switch self {
    case .malformedPath: "a socket path cannot be empty or hold a NUL"
    case .pathTooLong(let length, let limit):
      "a socket path of \(length) bytes; the system allows \(limit). "
        + "Choose a shorter directory, or change to it and use a relative path"
    case .inUse: "a server is listening there already"
    case .notASocket(let kind): "\(kind.rawValue) has that name; it is left as it is"
    case .directoryLocked: "another program keeps the directory locked"
    case .system(let failure, let doing): "\(doing): \(failure.text)"
    }
  }
}

/// The address of a Unix socket as the system takes it.
struct SocketAddress {
  private var address = sockaddr_un()

  /// The longest path in bytes, without the NUL that ends it: 107 on Linux, 103 on macOS.
  static var pathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  init(_ path: String) throws(SocketFailure) {
    let bytes = Array(path.utf8)
    // A leading NUL would mean Linux's abstract names, which have no permissions.
    if bytes.isEmpty || bytes.contains(0) { throw .malformedPath }
    guard bytes.count <= Self.pathLimit else {
      throw .pathTooLong(length: bytes.count, limit: Self.pathLimit)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    #if canImport(Darwin)
      address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
  }

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension SystemCalls {
  /// The longest path of a Unix socket in bytes.
  public static var socketPathLimit: Int { SocketAddress.pathLimit }

  static func makeSocket() throws(Failure) -> Int32 {
    surviveFailedWrites()
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    #if os(Linux)
      // SOCK_CLOEXEC and SOCK_NONBLOCK are these two by definition.
      let made = try retrying { socket(AF_UNIX, stream | O_CLOEXEC | O_NONBLOCK, 0) }
      return try aboveStandardStreams(made)
    #else
      let made = try retrying { socket(AF_UNIX, stream, 0) }
      return try prepareSocket(try aboveStandardStreams(made))
    #endif
  }

  /// Non-blocking and not inherited; closes the descriptor when that fails.
  private static func prepareSocket(_ descriptor: Int32) throws(Failure) -> Int32 {
    do throws(Failure) {
      try setCloseOnExec(descriptor)
      try setNonBlocking(descriptor, true)
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
    return descriptor
  }

  /// Connects to a server's socket. The descriptor is non-blocking and the caller's to close.
  /// Waits up to `nanoseconds` while the server has more callers than it can queue.
  public static func connectSocket(
    _ path: String, nanoseconds: UInt64 = 5_000_000_000
  ) throws(SocketFailure) -> Int32 {
    let address = try SocketAddress(path)
    let end = monotonicNanoseconds() &+ nanoseconds
    let descriptor: Int32
    do { descriptor = try makeSocket() } catch { throw .system(error, doing: "making a socket") }
    while true {
      if address.withPointer({ connect(descriptor, $0, $1) }) == 0 { return descriptor }
      let failure = Failure.current
      if failure.number == EISCONN { return descriptor }
      // A full queue shows as EAGAIN, and there is nothing to poll for then.
      if failure.isInterruption || failure.wouldBlock, monotonicNanoseconds() < end {
        _ = poll(nil, 0, 2)
        continue
      }
      closeDescriptor(descriptor)
      throw .system(failure, doing: "connecting")
    }
  }

  /// Takes the next connection, non-blocking and not inherited; nil when none waits.
  public static func acceptConnection(_ listener: Int32) throws(Failure) -> Int32? {
    surviveFailedWrites()
    while true {
      #if os(Linux)
        let accepted = linuxAccept(listener, nil, nil, O_CLOEXEC | O_NONBLOCK)
        if accepted >= 0 { return try aboveStandardStreams(accepted) }
      #else
        let accepted = accept(listener, nil, nil)
        if accepted >= 0 { return try prepareSocket(try aboveStandardStreams(accepted)) }
      #endif
      let failure = Failure.current
      if failure.wouldBlock { return nil }
      // A caller that gave up while waiting is no trouble of ours.
      if !failure.isInterruption && failure.number != ECONNABORTED { throw failure }
    }
  }

  /// Says that nothing more will be written; the other end reads up to there and then its end.
  public static func endWriting(_ socket: Int32) throws(Failure) {
    _ = try retrying { shutdown(socket, Int32(SHUT_WR)) }
  }

  /// A connected pair of sockets, non-blocking and not inherited.
  public static func makeSocketPair() throws(Failure) -> (Int32, Int32) {
    surviveFailedWrites()
    var ends: (Int32, Int32) = (-1, -1)
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let result = withUnsafeMutableBytes(of: &ends) { memory in
      memory.bindMemory(to: Int32.self).baseAddress.map { socketpair(AF_UNIX, stream, 0, $0) } ?? -1
    }
    if result != 0 { throw .current }
    let first: Int32
    do throws(Failure) { first = try prepareSocket(ends.0) } catch {
      closeDescriptor(ends.1)
      throw error
    }
    do throws(Failure) { return (first, try prepareSocket(ends.1)) } catch {
      closeDescriptor(first)
      throw error
    }
  }

  /// The user who runs the other end of a Unix socket, as the system knows it.
  public static func peerUserID(_ socket: Int32) throws(Failure) -> UInt32 {
    #if os(Linux)
      // The system's `struct ucred`.
      var facts: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: facts))
      _ = try retrying { getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &facts, &size) }
      return facts.user
    #else
      var user = uid_t()
      var group = gid_t()
      _ = try retrying { getpeereid(socket, &user, &group) }
      return UInt32(user)
    #endif
  }
}
