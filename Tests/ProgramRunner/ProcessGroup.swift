import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that was started with a group of its own, and whatever it has started.
struct ProcessGroup {
  struct End {
    /// As waitpid tells it.
    var status: Int32
    var isTimedOut: Bool
    var leftBehind: [String]
  }

  let leader: pid_t

  /// Waits for the leader, kills all at the limit, and in any case what the leader leaves behind.
  func wait(atMost limit: Duration) throws -> End {
    let start = ContinuousClock.now
    var status: Int32 = 0
    var isTimedOut = false
    while true {
      let found = waitpid(leader, &status, WNOHANG)
      if found == leader { break }
      guard found == 0 || errno == EINTR else {
        throw BuiltProgram.CannotRun(reason: "waitpid: \(errno)")
      }
      if !isTimedOut, start.duration(to: .now) > limit {
        isTimedOut = true
        kill(-leader, SIGKILL)
      }
      usleep(10_000)
    }
    let leftBehind = isTimedOut ? [] : lingering()
    kill(-leader, SIGKILL)
    return End(status: status, isTimedOut: isTimedOut, leftBehind: leftBehind)
  }

  /// Those that do not end by themselves within two seconds: a grandchild that was signalled may
  /// take a moment.
  private func lingering() -> [String] {
    let start = ContinuousClock.now
    while true {
      let found = members()
      if found.isEmpty || start.duration(to: .now) > .seconds(2) { return found }
      usleep(10_000)
    }
  }

  /// Names of processes in the group. Where the system does not tell, whether there are any.
  private func members() -> [String] {
    guard kill(-leader, 0) == 0 else { return [] }
    #if os(Linux)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { name in
        guard Int(name) != nil,
          let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
          let end = line.lastIndex(of: ")")
        else { return nil }
        // Behind the name in brackets: state, parent, group.
        let fields = line[end...].split(separator: " ")
        guard fields.count > 3, fields[3] == "\(leader)", fields[1] != "Z" else { return nil }
        return String(line[...end])
      }
    #else
      return ["a process of group \(leader)"]
    #endif
  }
}
