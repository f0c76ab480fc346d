import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Unix socket that a server listens on.
///
/// Only its user may connect (mode 0600). A socket that a dead server left behind is replaced; a
/// live one and everything that is no socket is left alone. Of several servers that start on one
/// path at the same time exactly one wins.
public struct ListeningSocket: Sendable {
  /// The path as it was given.
  public let path: String
  /// Readable when a connection waits; non-blocking.
  public let descriptor: Int32
  private let identity: SystemCalls.FileIdentity
  private static let maskLock = Guarded(())

  /// Starts to listen.
  ///
  /// - Parameter backlog: how many callers may wait to be accepted.
  public init(path: String, backlog: Int32 = 128) throws(SocketFailure) {
    let address = try SocketAddress(path)
    self.path = path
    // Without the lock, a second server could take the socket for stale between the first one's
    // bind and listen, or remove the one that has just replaced a stale one.
    let held: DirectoryLock?
    do {
      held = try DirectoryLock(Self.directory(of: path), nanoseconds: 3_000_000_000)
    } catch {
      throw .system(error, doing: "opening the directory")
    }
    guard let lock = held else { throw .directoryLocked }
    defer { lock.release() }
    let socket: Int32
    do { socket = try SystemCalls.makeSocket() } catch {
      throw .system(error, doing: "making a socket")
    }
    do throws(SocketFailure) {
      identity = try Self.bind(socket, path, address)
      if listen(socket, backlog) != 0 {
        let failure = SystemCalls.Failure.current
        _ = unlink(path)
        throw .system(failure, doing: "listening")
      }
    } catch {
      SystemCalls.closeDescriptor(socket)
      throw error
    }
    descriptor = socket
  }

  /// Stops listening and removes the socket's name, unless somebody else's file has it by now.
  public func close() {
    // Descriptor last: while it is open the system cannot give its inode to another file.
    let lock = try? DirectoryLock(Self.directory(of: path), nanoseconds: 200_000_000)
    if ownsName { try? SystemCalls.removeFile(path) }
    lock?.release()
    SystemCalls.closeDescriptor(descriptor)
  }

  /// Whether the path still leads to this socket.
  public var ownsName: Bool {
    guard let found = try? SystemCalls.identity(of: path) else { return false }
    return found.kind == .socket && found.inode == identity.inode
      && found.device == identity.device
  }

  private static func bind(
    _ socket: Int32, _ path: String, _ address: SocketAddress
  ) throws(SocketFailure) -> SystemCalls.FileIdentity {
    // A name may vanish between two steps; a few rounds settle it.
    for _ in 0..<8 {
      if bindPrivately(socket, address) {
        do { return try SystemCalls.identity(of: path) } catch {
          throw .system(error, doing: "looking at the new socket")
        }
      }
      let failure = SystemCalls.Failure.current
      guard failure.number == EADDRINUSE else { throw .system(failure, doing: "binding") }
      try removeStale(path)
    }
    throw .inUse
  }

  /// Binds with mode 0600 from the first moment.
  private static func bindPrivately(_ socket: Int32, _ address: SocketAddress) -> Bool {
    #if os(Linux)
      // Linux starts from the mode of the socket itself, so that not even another thread that
      // changes the umask at the same time can open it to others.
      _ = fchmod(socket, 0o600)
    #endif
    var number: Int32 = 0
    let bound = maskLock.withLock { _ in
      let previous = umask(0o177)
      defer { _ = umask(previous) }
      #if canImport(Glibc)
        let result = address.withPointer { Glibc.bind(socket, $0, $1) }
      #elseif canImport(Musl)
        let result = address.withPointer { Musl.bind(socket, $0, $1) }
      #else
        let result = address.withPointer { Darwin.bind(socket, $0, $1) }
      #endif
      number = errno
      return result == 0
    }
    errno = number
    return bound
  }

  /// Removes a socket that nobody listens on, and nothing else.
  private static func removeStale(_ path: String) throws(SocketFailure) {
    let found: SystemCalls.FileIdentity
    do { found = try SystemCalls.identity(of: path) } catch {
      if error.isMissing { return }
      throw .system(error, doing: "looking at what is there")
    }
    guard found.kind == .socket else { throw .notASocket(found.kind) }
    let answered: Int32?
    do throws(SocketFailure) {
      answered = try SystemCalls.connectSocket(path, nanoseconds: 0)
    } catch {
      guard case .system(let failure, _) = error else { throw error }
      if failure.isMissing { return }
      // A full queue means a server that is alive, only busy.
      if failure.wouldBlock || failure.isInterruption { throw .inUse }
      guard failure.isRefused else { throw .system(failure, doing: "trying the socket there") }
      answered = nil
    }
    if let answered {
      SystemCalls.closeDescriptor(answered)
      throw .inUse
    }
    guard let again = try? SystemCalls.identity(of: path), again == found else { return }
    do { try SystemCalls.removeFile(path) } catch {
      if !error.isMissing { throw .system(error, doing: "removing the stale socket") }
    }
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
