import ChannelTransport
import EchoBaseline
import SystemInterface

/// Measures this program as a server, beside a C echo of the same frame sizes in the same run.
struct BenchBridge {
  /// How often each figure is taken; medians count.
  var rounds: Int
  /// What is started as the server: this program.
  var program = BenchPeer.thisProgram
  /// No single measurement takes longer, in seconds.
  var patience = 60.0
  /// Calls one at a time in a round.
  var trips = 2000
  /// Blocks of pipelined calls in a round.
  var blocks = 200
  /// How often a server is started for the time of its first reply.
  var starts = 20
  /// Calls after which a server's memory is looked at again.
  var callsForMemory = 1_000_000

  private static let callsPerBlock = 1024

  /// Takes all figures. `note` is told what is being measured.
  func measure() throws(BenchTrouble) -> BenchBridgeFigures {
    let folder: String
    do {
      folder = try SystemCalls.makePrivateDirectory(prefix: "pwbridge-bench-")
    } catch {
      throw BenchTrouble("cannot make a folder for the socket: \(error.text)")
    }
    defer {
      try? SystemCalls.removeFile("\(folder)/socket")
      try? SystemCalls.removeDirectory(folder)
    }
    defer { echo_unpin() }
    var figures = BenchBridgeFigures(build: .ofThisProcess)
    figures.firstReply = try firstReply(folder)
    for isPinned in [true, false] {
      if isPinned {
        guard echo_pin() else { continue }
      } else {
        echo_unpin()
      }
      for transport in BenchTransport.allCases {
        figures.roundTrips.append(try roundTrips(transport, isPinned, folder))
      }
      figures.pipelined.append(try pipelined(isPinned, folder))
    }
    figures.memory = try memory(folder)
    return figures
  }

  // MARK: - Round trips

  private func roundTrips(
    _ transport: BenchTransport, _ isPinned: Bool, _ folder: String
  ) throws(BenchTrouble) -> BenchBridgeFigures.RoundTrips {
    var update = try BenchBridgeFrames.update()
    let echo: BenchPeer
    do {
      echo = try BenchPeer.echo(
        transport, request: update.request.count, reply: update.reply.count)
    } catch {
      throw BenchTrouble("cannot start the echo: \(error.text)")
    }
    let server = try greetedServer(transport, folder)
    // Number 1 was the start.
    var (echoNumber, serverNumber): (UInt64, UInt64) = (1, 1)
    var (bridge, raw): ([Double], [Double]) = ([], [])
    for round in 0...rounds {
      let rawTime = try makeTrips(with: echo, &update, tail: [], &echoNumber)
      let tail = Array(update.reply.dropFirst(16))
      let bridgeTime = try makeTrips(with: server, &update, tail: tail, &serverNumber)
      // The first one warms up.
      guard round > 0 else { continue }
      raw.append(Double(trips) / rawTime)
      bridge.append(Double(trips) / bridgeTime)
    }
    return BenchBridgeFigures.RoundTrips(
      transport: transport, isPinned: isPinned, perSecond: bridge.median, raw: raw.median,
      ratio: zip(bridge, raw).map { $0 / $1 }.median)
  }

  /// Seconds for a round.
  private func makeTrips(
    with peer: BenchPeer, _ update: inout BenchBridgeFrames.Update, tail: [UInt8],
    _ number: inout UInt64
  ) throws(BenchTrouble) -> Double {
    let counterOffset = update.counterOffset
    let replySize = update.reply.count
    return try timed(peer) {
      update.request.withUnsafeMutableBufferPointer { request in
        tail.withUnsafeBufferPointer { tail in
          var exchange = echo_exchange(
            output: peer.output, input: peer.input, request: request.baseAddress,
            request_size: request.count, counter_offset: counterOffset, reply_size: replySize,
            reply_tail: tail.isEmpty ? nil : tail.baseAddress)
          return echo_round_trips(&exchange, &number, trips)
        }
      }
    }
  }

  // MARK: - Pipelined

  private func pipelined(
    _ isPinned: Bool, _ folder: String
  ) throws(BenchTrouble) -> BenchBridgeFigures.Pipelined {
    let server = try greetedServer(.socket, folder)
    let block = try BenchBridgeFrames.block(Self.callsPerBlock, firstID: 2)
    var rates: [Double] = []
    for round in 0...rounds {
      let seconds = try send(block, blocks, to: server)
      if round > 0 { rates.append(Double(Self.callsPerBlock * blocks) / seconds) }
    }
    return BenchBridgeFigures.Pipelined(isPinned: isPinned, perSecond: rates.median)
  }

  private func send(
    _ block: (requests: [UInt8], replies: [UInt8]), _ count: Int, to server: BenchPeer
  ) throws(BenchTrouble) -> Double {
    try timed(server) {
      block.requests.withUnsafeBufferPointer { requests in
        block.replies.withUnsafeBufferPointer { replies in
          echo_pipelined(
            server.output, server.input, requests.baseAddress, requests.count,
            replies.baseAddress, replies.count, count)
        }
      }
    }
  }

  // MARK: - Start and memory

  /// Seconds from before the server's start until its first reply is here.
  private func firstReply(_ folder: String) throws(BenchTrouble) -> Double {
    var times: [Double] = []
    for _ in 0..<starts {
      let start = SystemCalls.monotonicNanoseconds()
      let server = try greetedServer(.stdio, folder)
      times.append(Double(SystemCalls.monotonicNanoseconds() - start) / 1e9)
      withExtendedLifetime(server) {}
    }
    return times.median
  }

  private func memory(_ folder: String) throws(BenchTrouble) -> BenchBridgeFigures.Memory? {
    let server = try greetedServer(.socket, folder)
    guard let idle = server.residentBytes else { return nil }
    let block = try BenchBridgeFrames.block(Self.callsPerBlock, firstID: 2)
    var calls = 0
    while calls < callsForMemory {
      _ = try send(block, blocks, to: server)
      calls += blocks * Self.callsPerBlock
    }
    guard let later = server.residentBytes else { return nil }
    return BenchBridgeFigures.Memory(idle: idle, later: later, calls: calls)
  }

  // MARK: - Servers

  /// A server on which the stopwatch runs.
  private func greetedServer(
    _ transport: BenchTransport, _ folder: String
  ) throws(BenchTrouble) -> BenchPeer {
    let server = try BenchPeer.server(program, transport, folder: folder)
    let opening = try BenchBridgeFrames.opening()
    try guarded(server) { () throws(BenchTrouble) in
      do throws(SystemCalls.Failure) {
        try FileDescriptorIO.writeAll(server.output, opening)
      } catch {
        throw BenchTrouble("the server does not take its first frames: \(error.text)")
      }
      try Self.awaitStart(server)
    }
    return server
  }

  private static func awaitStart(_ server: BenchPeer) throws(BenchTrouble) {
    let reader = FrameReader()
    do {
      while true {
        while let event = try reader.next() {
          guard case .frame(let frame) = event, frame.kind == .reply || frame.kind == .hello else {
            throw BenchTrouble("the server does not answer as it should\(server.complaint)")
          }
          guard frame.kind == .reply else { continue }
          if frame.payload == BenchBridgeFrames.success { return }
          throw BenchTrouble("the server could not start an activity")
        }
        let count = try reader.withSpace(atLeast: 4096) {
          (memory) throws(SystemCalls.Failure) in
          try SystemCalls.readSome(server.input, into: memory)
        }
        if count == 0 { throw BenchTrouble("the server ended early\(server.complaint)") }
      }
    } catch let trouble as BenchTrouble {
      throw trouble
    } catch {
      throw BenchTrouble("the server's frames cannot be read: \(error)")
    }
  }

  /// Seconds that `body` says it took. A process that does not go on is killed.
  private func timed(_ peer: BenchPeer, _ body: () -> Int64) throws(BenchTrouble) -> Double {
    try guarded(peer) { () throws(BenchTrouble) in
      let outcome = body()
      switch outcome {
      case Int64(ECHO_ENDED):
        throw BenchTrouble("the other process ended in the middle\(peer.complaint)")
      case Int64(ECHO_WRONG): throw BenchTrouble("an answer was not the one expected")
      case ..<0: throw BenchTrouble("cannot measure: \(SystemCalls.Failure.current.text)")
      default: return Double(max(outcome, 1)) / 1e9
      }
    }
  }

  private func guarded<Outcome>(
    _ peer: BenchPeer, _ body: () throws(BenchTrouble) -> Outcome
  ) throws(BenchTrouble) -> Outcome {
    guard let watchdog = echo_watchdog_start([peer.processID], 1, patience) else {
      throw BenchTrouble("cannot start a thread")
    }
    let outcome: Result<Outcome, BenchTrouble>
    do throws(BenchTrouble) {
      outcome = .success(try body())
    } catch {
      outcome = .failure(error)
    }
    if echo_watchdog_stop(watchdog) {
      throw BenchTrouble("nothing went on for \(Int(patience)) s; process \(peer.processID) killed")
    }
    return try outcome.get()
  }
}

extension [Double] {
  fileprivate var median: Double {
    if isEmpty { return 0 }
    let sorted = sorted()
    let middle = count / 2
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
