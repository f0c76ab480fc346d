import TestSurroundings

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the real program, through a shell so that pipes and redirections can be tested as users
/// write them.
public enum BuiltProgram {
  public struct Outcome: Sendable {
    public var output: [UInt8]
    public var complaint: String
    /// The exit code of the shell; -1 when a signal ended it.
    public var code: Int32
    /// The limit was reached, and everything that had been started was killed.
    public var isTimedOut = false
    /// Processes that were still there when the shell had ended; they have been killed.
    public var leftBehind: [String] = []

    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  public struct CannotRun: Error { public let reason: String }

  /// Tests are built into the folder that the program is built into.
  public static var folder: String {
    let test = CommandLine.arguments[0]
    guard let slash = test.lastIndex(of: "/") else { return "." }
    return String(test[..<slash])
  }

  /// Runs `line` with `pwbridge` on the path. The standard streams are files, not pipes: nothing
  /// can block, however much is written.
  ///
  /// - Parameter limit: with one, the line has a process group of its own, which is killed at the
  ///   limit, and what is left of it at the end is told and killed. It is
  ///   stretched by the slowness of the surroundings.
  public static func run(
    _ line: String, input: [UInt8] = [], environment: [String] = [], limit: Duration? = nil
  ) throws -> Outcome {
    let files = try (0..<3).map { _ in try temporaryFile() }
    defer { for file in files { _ = close(file) } }
    try write(input, to: files[0])

    let process = try spawn(line, files, environment, hasGroup: limit != nil)
    let end = try limit.map {
      try ProcessGroup(leader: process).wait(atMost: $0 * Surroundings.slowness)
    }
    let status = try end?.status ?? wait(for: process)
    // The shell reports a signal as 128 and more; a signal to the shell itself shows as -1.
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : -1
    return Outcome(
      output: contents(of: files[1]),
      complaint: String(decoding: contents(of: files[2]), as: UTF8.self), code: code,
      isTimedOut: end?.isTimedOut ?? false, leftBehind: end?.leftBehind ?? [])
  }

  private static func spawn(
    _ line: String, _ files: [Int32], _ environment: [String], hasGroup: Bool
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads that run tests may block signals, which whatever they start would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = hasGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | group))
    let path = "PATH=\(folder):/usr/local/bin:/usr/bin:/bin"
    return try withWords(["sh", "-c", line]) { arguments in
      try withWords([path, "LC_ALL=C"] + Surroundings.passedOn + environment) { environment in
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
        guard error == 0 else { throw CannotRun(reason: "posix_spawn: \(error)") }
        return process
      }
    }
  }

  private static func wait(for process: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw CannotRun(reason: "waitpid: \(errno)") }
    }
    return status
  }

  private static func temporaryFile() throws -> Int32 {
    var name = Array("/tmp/pwbridge-test-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file > 2 else { throw CannotRun(reason: "mkstemp: \(errno)") }
    unlink(name)
    return file
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, position(rest)) }
      guard count > 0 else { throw CannotRun(reason: "pwrite: \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  private static func position(_ rest: ArraySlice<UInt8>) -> off_t { off_t(rest.startIndex) }

  private static func contents(of file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = pread(file, &chunk, chunk.count, off_t(bytes.count))
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func withWords<Result>(
    _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
  ) rethrows -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return try body(pointers)
  }
}
