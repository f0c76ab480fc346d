import SystemInterface

/// What the bridge's benchmark found.
struct BenchBridgeFigures {
  struct RoundTrips {
    var transport: BenchTransport
    var isPinned: Bool
    /// Calls one at a time.
    var perSecond: Double
    /// Of the C echo.
    var raw: Double
    /// The median of the rounds' own ratios.
    var ratio: Double
  }

  struct Pipelined {
    var isPinned: Bool
    var perSecond: Double
  }

  struct Memory {
    var idle: Int
    var later: Int
    var calls: Int
  }

  /// How the program was built.
  enum Build: String {
    case debug
    case release
    case staticRelease = "static release"

    static var ofThisProcess: Build {
      #if DEBUG
        return .debug
      #else
        // A program with a dynamic linker has it in its memory.
        guard let descriptor = try? SystemCalls.openForReading("/proc/self/maps") else {
          return .release
        }
        defer { SystemCalls.closeDescriptor(descriptor) }
        let maps = (try? FileDescriptorIO.readAll(descriptor, limit: 1 << 20)) ?? []
        return String(decoding: maps, as: UTF8.self).contains("/ld-") ? .release : .staticRelease
      #endif
    }
  }

  var build: Build
  var roundTrips: [RoundTrips] = []
  var pipelined: [Pipelined] = []
  /// Seconds from a server's start to its first reply.
  var firstReply = 0.0
  var memory: Memory?

  // MARK: - For people

  /// A table with the targets.
  var lines: [String] {
    var lines = ["build: \(build.rawValue)", "", row("", "figure", "C echo", "ratio", "target")]
    for trips in roundTrips {
      lines.append(
        row(
          "round trips, \(trips.transport.rawValue), \(placement(trips.isPinned))",
          "\(grouped(trips.perSecond))/s", "\(grouped(trips.raw))/s", decimal(trips.ratio, 2),
          ">= 0.80"))
    }
    for calls in pipelined {
      lines.append(
        row(
          "pipelined, socket, \(placement(calls.isPinned))", "\(grouped(calls.perSecond))/s", "",
          "",
          ">= 500,000/s"))
    }
    lines.append(
      row("start to first reply, stdio", "\(decimal(firstReply * 1e3, 2)) ms", "", "", "<= 3 ms"))
    if let memory {
      lines.append(row("memory, idle", megabytes(memory.idle), "", "", "< 12 MB"))
      lines.append(
        row(
          "memory after \(grouped(Double(memory.calls))) calls", megabytes(memory.later), "", "", ""
        ))
    }
    return lines.map { line in
      var line = line[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  private func placement(_ isPinned: Bool) -> String { isPinned ? "one core" : "unpinned" }

  private func row(_ name: String, _ figures: String...) -> String {
    let padding = String(repeating: " ", count: max(0, 36 - name.utf8.count))
    return figures.reduce(name + padding) { line, figure in
      line + String(repeating: " ", count: max(1, 14 - figure.utf8.count)) + figure
    }
  }

  private func megabytes(_ bytes: Int) -> String { "\(decimal(Double(bytes) / 1e6, 1)) MB" }

  private func grouped(_ number: Double) -> String {
    var digits = "\(Int(number.rounded()))"
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return digits
  }

  private func decimal(_ number: Double, _ places: Int) -> String {
    let factor = places == 1 ? 10 : 100
    let scaled = Int((number * Double(factor)).rounded())
    let rest = "\(scaled % factor)"
    return "\(scaled / factor)." + String(repeating: "0", count: places - rest.count) + rest
  }

  // MARK: - For machines

  var json: String {
    let trips = roundTrips.map { trips in
      "{\"transport\":\"\(trips.transport.rawValue)\",\"pinned\":\(trips.isPinned),"
        + "\"per_second\":\(trips.perSecond),\"echo_per_second\":\(trips.raw),"
        + "\"ratio\":\(trips.ratio)}"
    }
    let calls = pipelined.map { "{\"pinned\":\($0.isPinned),\"per_second\":\($0.perSecond)}" }
    let memory = memory.map {
      "{\"idle_bytes\":\($0.idle),\"calls\":\($0.calls),\"bytes_after_calls\":\($0.later)}"
    }
    return "{\"build\":\"\(build.rawValue)\",\"round_trips\":[\(trips.joined(separator: ","))],"
      + "\"pipelined\":[\(calls.joined(separator: ","))],"
      + "\"first_reply_ms\":\(firstReply * 1e3),\"memory\":\(memory ?? "null")}"
  }
}
