#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the real program, through a shell so that pipes and redirections can be tested as users
/// write them.
enum BuiltProgram {
  struct Outcome {
    var output: [UInt8]
    var complaint: String
    var code: Int32

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  struct CannotRun: Error { let reason: String }

  /// Tests are built into the folder that the program is built into.
  static var folder: String {
    let test = CommandLine.arguments[0]
    guard let slash = test.lastIndex(of: "/") else { return "." }
    return String(test[..<slash])
  }

  /// Runs `line` with `pwbridge` on the path. The standard streams are files, not pipes: nothing
  /// can block, however much is written.
  static func run(
    _ line: String, input: [UInt8] = [], environment: [String] = []
  ) throws -> Outcome {
    let files = try (0..<3).map { _ in try temporaryFile() }
    defer { for file in files { _ = close(file) } }
    try write(input, to: files[0])

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    let path = "PATH=\(folder):/usr/local/bin:/usr/bin:/bin"
    let process = try withWords(["sh", "-c", line]) { arguments in
      try withWords([path, "LC_ALL=C"] + environment) { environment in
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environment)
        guard error == 0 else { throw CannotRun(reason: "posix_spawn: \(error)") }
        return process
      }
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw CannotRun(reason: "waitpid: \(errno)") }
    }
    // The shell reports a signal as 128 and more; a signal to the shell itself shows as -1.
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : -1
    return Outcome(
      output: contents(of: files[1]),
      complaint: String(decoding: contents(of: files[2]), as: UTF8.self), code: code)
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
