#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new file that takes the place of another one, or of none, when it is whole: whoever opens the
/// name finds the one or the other.
///
/// It is made beside the old one under a name that nobody can foresee, never through a link and never
/// on top of what is there. Without ``commit()`` it is removed, also where SIGINT, SIGTERM or SIGHUP
/// ends the process by default.
public final class FileReplacement {
  /// Where the new file is until then.
  public let temporaryPath: String
  /// Open for writing, the caller's to close.
  public let descriptor: Int32

  private let path: String
  private var unfinished: UnfinishedFiles.Slot?
  private var isOver = false

  /// Makes the new file. It has the mode of the file whose place it takes, else 0644 less the umask.
  ///
  /// - Parameter path: a link to a file stands for that file; one to nothing is itself replaced.
  public init(of path: String) throws(SystemCalls.Failure) {
    let path = FileReplacement.resolved(path)
    self.path = path
    var facts = stat()
    let isThere = lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    let made = try FileReplacement.make(beside: path, permissions: isThere ? 0o600 : 0o644)
    (temporaryPath, descriptor) = (made.path, made.descriptor)
    unfinished = UnfinishedFiles.add(temporaryPath)
    guard isThere else { return }
    // Only root may give files away; for anyone else the new file is his own.
    _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    if fchmod(descriptor, facts.st_mode & 0o777) != 0 {
      let failure = SystemCalls.Failure.current
      SystemCalls.closeDescriptor(descriptor)
      discard()
      throw failure
    }
  }

  deinit { discard() }

  /// Puts the new file in the place of the old one.
  public func commit() throws(SystemCalls.Failure) {
    try SystemCalls.renameFile(temporaryPath, to: path)
    isOver = true
    unfinished.map(UnfinishedFiles.forget)
  }

  /// Removes the new file, unless it has been put in its place.
  public func discard() {
    guard !isOver else { return }
    isOver = true
    try? SystemCalls.removeFile(temporaryPath)
    unfinished.map(UnfinishedFiles.forget)
  }

  /// Whether a path is a file's, or free for one: not a device, pipe, socket or directory, whose
  /// place no file may take.
  public static func isPossible(at path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG
  }

  private static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  private static func make(
    beside path: String, permissions: UInt32
  ) throws(SystemCalls.Failure) -> (path: String, descriptor: Int32) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let folder = slash.map { path[..<$0] } ?? ""
    let name = slash.map { path[$0...] } ?? path[...]
    // A name has 255 bytes at most.
    let stem = name.utf8.count <= 200 ? name : "pwbridge"
    var attempts = 100
    while true {
      let beside = "\(folder)\(stem).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
      do throws(SystemCalls.Failure) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return (
          beside,
          try SystemCalls.retrying { open(beside, flags, mode_t(permissions)) }
        )
      } catch {
        attempts -= 1
        guard error.number == EEXIST, attempts > 0 else { throw error }
      }
    }
  }
}
