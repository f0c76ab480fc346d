import EchoBaseline
import Foundation
import ProgramRunner
import SystemInterface
import Testing

@testable import BridgeCommands

@Suite struct BenchBridgeTests {
  /// Amounts that a debug build on a busy machine gets through.
  private func smallBench(_ program: String) -> BenchBridge {
    var bench = BenchBridge(rounds: 1, program: program)
    bench.trips = 20
    bench.blocks = 2
    bench.starts = 2
    bench.callsForMemory = 3000
    return bench
  }

  @Test func measuresTheRealProgram() throws {
    let figures = try smallBench("\(BuiltProgram.folder)/pwbridge").measure()
    #expect(figures.roundTrips.count >= 2)
    #expect(Set(figures.roundTrips.map(\.transport)) == Set(BenchTransport.allCases))
    for trips in figures.roundTrips {
      #expect(trips.perSecond > 0 && trips.raw > 0 && trips.ratio > 0)
    }
    #expect(figures.pipelined.allSatisfy { $0.perSecond > 0 } && !figures.pipelined.isEmpty)
    #expect(figures.firstReply > 0 && figures.firstReply < 60)
    #if os(Linux)
      let memory = try #require(figures.memory)
      #expect(memory.idle > 1 << 20 && memory.calls >= 3000)
    #endif
  }

  @Test func saysWhatIsWrongWithAServerThatEndsAtOnce() throws {
    let script = try Script("echo 'no such luck' >&2; exit 3")
    defer { script.remove() }
    let trouble = #expect(throws: BenchTrouble.self) { try smallBench(script.path).measure() }
    #expect(trouble?.text.contains("server") == true)
  }

  @Test func waitsNoLongerThanItsPatience() throws {
    let script = try Script("exec sleep 600")
    defer { script.remove() }
    var bench = smallBench(script.path)
    bench.patience = 0.3
    let clock = ContinuousClock()
    let start = clock.now
    let trouble = #expect(throws: BenchTrouble.self) { try bench.measure() }
    #expect(trouble?.text.contains("killed") == true)
    #expect(start.duration(to: clock.now) < .seconds(60))
  }

  @Test func theEchoAnswersWithTheStartOfWhatItRead() throws {
    for transport in BenchTransport.allCases {
      let echo = try BenchPeer.echo(transport, request: 12, reply: 5)
      try FileDescriptorIO.writeAll(echo.output, Array("hello, world".utf8))
      var answer = [UInt8](repeating: 0, count: 8)
      let count = try answer.withUnsafeMutableBytes {
        try SystemCalls.readSome(echo.input, into: $0)
      }
      #expect(Array(answer[..<count]) == Array("hello".utf8))
    }
  }

  @Test func aWrongNumberInAReplyIsNoticed() throws {
    // An echo of zeros that the client takes for answers to 1, 2 and so on.
    let pipe = try PipeEnds(nonBlocking: false)
    defer { pipe.close() }
    try FileDescriptorIO.writeAll(pipe.writeEnd, [UInt8](repeating: 0, count: 24))
    var request = [UInt8](repeating: 0, count: 24)
    var number: UInt64 = 0
    let outcome = request.withUnsafeMutableBufferPointer { request in
      var exchange = echo_exchange(
        output: pipe.writeEnd, input: pipe.readEnd, request: request.baseAddress,
        request_size: 24, counter_offset: 0, reply_size: 24, reply_tail: nil)
      return echo_round_trips(&exchange, &number, 1)
    }
    #expect(outcome == Int64(ECHO_WRONG))
  }

  @Test func figuresReadWell() throws {
    var figures = BenchBridgeFigures(build: .staticRelease)
    figures.roundTrips = [
      .init(transport: .socket, isPinned: true, perSecond: 61_234.4, raw: 70_000, ratio: 0.8748)
    ]
    figures.pipelined = [.init(isPinned: false, perSecond: 1_234_567)]
    figures.firstReply = 0.001_954
    figures.memory = .init(idle: 8_400_000, later: 10_060_000, calls: 1_024_000)
    let table = figures.lines.joined(separator: "\n")
    for part in [
      "static release", "61,234/s", "70,000/s", "0.87", "1,234,567/s", "1.95 ms", "8.4 MB",
    ] {
      #expect(table.contains(part), "\(part) in \(table)")
    }
    let parsed = try #require(
      JSONSerialization.jsonObject(with: Data(figures.json.utf8)) as? [String: Any])
    #expect(parsed["build"] as? String == "static release")
    #expect((parsed["memory"] as? [String: Any])?["idle_bytes"] as? Int == 8_400_000)
    #expect((parsed["round_trips"] as? [[String: Any]])?.first?["ratio"] as? Double == 0.8748)
  }
}

/// A shell script that stands in for a server.
private struct Script {
  let path: String

  init(_ body: String) throws {
    path = "\(FileManager.default.temporaryDirectory.path)/pwbridge-bench-\(UUID().uuidString)"
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
