#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that was started, with the descriptors that lead to it.
public struct ChildProcess: Sendable {
  /// Where a standard stream of the child leads.
  public enum Stream: Sendable {
    /// To the same place as this process's own.
    case inherited
    /// To nothing.
    case null
    /// To a pipe, whose other end the ``ChildProcess`` has.
    case piped
    /// To this descriptor, which stays open here.
    case descriptor(Int32)
  }

  public let processID: Int32
  /// Leads to the child's standard input when that was piped. Non-blocking, the caller's to close.
  public let input: Int32?
  /// Leads from the child's standard output when that was piped.
  public let output: Int32?
  /// Leads from the child's standard error when that was piped.
  public let errors: Int32?

  /// Starts a program with default signal handling.
  ///
  /// - Parameters:
  ///   - arguments: the program, searched in this process's `PATH` unless it holds a slash, and its
  ///     arguments.
  ///   - environment: added to this process's own, in place of variables of the same names.
  ///   - hasOwnGroup: whether it leads a process group of its own, so that it can be ended together
  ///     with whatever it has started.
  /// - Throws: also the error of a program that is missing or not executable.
  public init(
    _ arguments: [String], environment: [(name: String, value: String)] = [],
    input: Stream = .inherited, output: Stream = .inherited, errors: Stream = .inherited,
    hasOwnGroup: Bool = false
  ) throws(SystemCalls.Failure) {
    guard let program = arguments.first, !program.isEmpty else {
      throw SystemCalls.Failure(number: ENOENT)
    }
    var plan = SpawnPlan()
    defer { plan.destroy() }
    do throws(SystemCalls.Failure) {
      try plan.connect(0, to: input)
      try plan.connect(1, to: output)
      try plan.connect(2, to: errors)
      processID = try plan.spawn(
        program, arguments, Self.merged(environment), hasOwnGroup: hasOwnGroup)
    } catch {
      plan.closeOurs()
      throw error
    }
    (self.input, self.output, self.errors) = (plan.ours[0], plan.ours[1], plan.ours[2])
  }

  /// Waits for the child's end: its exit code, or 128 and the number of the signal that ended it,
  /// as shells put it.
  public func wait() throws(SystemCalls.Failure) -> Int32 {
    var status: Int32 = 0
    _ = try SystemCalls.retrying { waitpid(processID, &status, 0) }
    return Self.exitCode(status)
  }

  /// As ``wait()``, but nil when the child is still running. Once it has ended, one call gets the
  /// code; later ones fail.
  public func checkForEnd() throws(SystemCalls.Failure) -> Int32? {
    var status: Int32 = 0
    let found = try SystemCalls.retrying { waitpid(processID, &status, WNOHANG) }
    return found == 0 ? nil : Self.exitCode(status)
  }

  private static func exitCode(_ status: Int32) -> Int32 {
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func merged(_ additions: [(name: String, value: String)]) -> [String] {
    var merged: [String] = []
    var next = environ
    let names = Set(additions.map(\.name))
    while let text = next.pointee {
      next += 1
      let entry = String(cString: text)
      if !names.contains(String(entry.prefix { $0 != "=" })) { merged.append(entry) }
    }
    var last: [String: String] = [:]
    for (name, value) in additions { last[name] = value }
    return merged + last.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}

/// What `posix_spawn` is told, and the descriptors that are open on the way.
private struct SpawnPlan {
  private(set) var ours: [Int32?] = [nil, nil, nil]
  private var theirs: [Int32] = []
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
  #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
  #endif

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  mutating func destroy() {
    for descriptor in theirs { SystemCalls.closeDescriptor(descriptor) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  func closeOurs() {
    for descriptor in ours { descriptor.map(SystemCalls.closeDescriptor) }
  }

  mutating func connect(
    _ number: Int32, to stream: ChildProcess.Stream
  ) throws(SystemCalls.Failure) {
    var result: Int32 = 0
    switch stream {
    case .inherited: break
    case .null:
      result = posix_spawn_file_actions_addopen(
        &actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
    case .descriptor(let descriptor):
      // A copy above the standard streams: an earlier action may have replaced the original.
      let copy = try SystemCalls.retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
      theirs.append(copy)
      result = posix_spawn_file_actions_adddup2(&actions, copy, number)
    case .piped:
      let pipe = try PipeEnds(nonBlocking: false)
      let (here, there) =
        number == 0 ? (pipe.writeEnd, pipe.readEnd) : (pipe.readEnd, pipe.writeEnd)
      ours[Int(number)] = here
      theirs.append(there)
      try SystemCalls.setNonBlocking(here, true)
      result = posix_spawn_file_actions_adddup2(&actions, there, number)
    }
    if result != 0 { throw SystemCalls.Failure(number: result) }
  }

  mutating func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], hasOwnGroup: Bool
  ) throws(SystemCalls.Failure) -> Int32 {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGCHLD] {
      sigaddset(&signals, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    #if canImport(Darwin)
      let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group
    #else
      let group = hasOwnGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0
      let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | group
    #endif
    if hasOwnGroup { posix_spawnattr_setpgroup(&attributes, 0) }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let argumentTexts = CStrings(arguments)
    let environmentTexts = CStrings(environment)
    defer {
      argumentTexts.free()
      environmentTexts.free()
    }
    var process: pid_t = 0
    let result = posix_spawnp(
      &process, program, &actions, &attributes, argumentTexts.pointers, environmentTexts.pointers)
    if result != 0 { throw SystemCalls.Failure(number: result) }
    return process
  }
}

/// A null-terminated array of C strings.
private struct CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: count + 1)
    for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
    (pointers + count).initialize(to: nil)
  }

  func free() {
    for index in 0..<count { releaseText(pointers[index]) }
    pointers.deallocate()
  }
}

private func releaseText(_ memory: UnsafeMutablePointer<CChar>?) { free(memory) }
