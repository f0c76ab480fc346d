#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemCalls {
  /// What a name in the file system stands for, not following a link.
  public struct FileIdentity: Hashable, Sendable {
    /// The kinds that matter to the program.
    public enum Kind: String, Sendable {
      case file = "a regular file"
      case directory = "a directory"
      case link = "a symbolic link"
      case socket = "a socket"
      case other = "a special file"
    }

    public let device: UInt64
    public let inode: UInt64
    public let kind: Kind
    /// The lowest nine permission bits.
    public let permissions: UInt32
    /// Who owns it.
    public let owner: UInt32
  }

  /// Looks a name up without following a link at its end.
  public static func identity(of path: String) throws(Failure) -> FileIdentity {
    var facts = stat()
    _ = try retrying { lstat(path, &facts) }
    let kind: FileIdentity.Kind =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      default: .other
      }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: facts.st_dev), inode: UInt64(facts.st_ino), kind: kind,
      permissions: UInt32(facts.st_mode) & 0o777, owner: UInt32(facts.st_uid))
  }

  /// Makes a directory that only this user may enter, with a name that nobody can foresee, under
  /// `TMPDIR` or else `/tmp`. The caller removes it.
  ///
  /// - Parameter prefix: how its name starts.
  public static func makePrivateDirectory(prefix: String) throws(Failure) -> String {
    var parent = environment("TMPDIR") ?? ""
    if !parent.hasPrefix("/") { parent = "/tmp" }
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { memory in
      memory.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    if !made { throw .current }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes an empty directory.
  public static func removeDirectory(_ path: String) throws(Failure) {
    _ = try retrying { rmdir(path) }
  }
}

/// A lock on a directory, held between processes and let go when the process ends. It leaves no
/// file behind, unlike a lock file, which cannot be removed without a race.
struct DirectoryLock {
  private let descriptor: Int32

  /// - Parameter nanoseconds: the longest wait for another holder.
  /// - Returns: nil when the time is over.
  init?(_ path: String, nanoseconds: UInt64) throws(SystemCalls.Failure) {
    let opened = try SystemCalls.retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    let end = SystemCalls.monotonicNanoseconds() + nanoseconds
    while true {
      if flock(opened, LOCK_EX | LOCK_NB) == 0 { break }
      let failure = SystemCalls.Failure.current
      guard failure.wouldBlock || failure.isInterruption else {
        SystemCalls.closeDescriptor(opened)
        throw failure
      }
      if SystemCalls.monotonicNanoseconds() >= end {
        SystemCalls.closeDescriptor(opened)
        return nil
      }
      _ = poll(nil, 0, 5)
    }
    descriptor = opened
  }

  func release() { SystemCalls.closeDescriptor(descriptor) }
}
