import ChannelTransport
import SystemInterface
import Testing

@testable import BridgeCommands

/// Standard error that nobody reads costs lines, never time.
@Suite("Log output") struct LogOutputTests {
  private func drain(_ descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while let count = try chunk.withUnsafeMutableBytes({ memory in
      try SystemCalls.readAvailable(descriptor, into: memory)
    }), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func linesAreWrittenOnceARound() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    let output = LogOutput(loop: loop, descriptor: pipe.writeEnd)
    output.line("one")
    output.line("two")
    #expect(try drain(pipe.readEnd) == "")
    try loop.runOnce(timeout: .zero)
    #expect(try drain(pipe.readEnd) == "one\ntwo\n")
  }

  /// The pipe is blocking, as standard error most often is.
  @Test func aReaderThatSleepsCostsLines() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: false)
    defer { pipe.close() }
    try SystemCalls.setNonBlocking(pipe.readEnd, true)
    let output = LogOutput(loop: loop, descriptor: pipe.writeEnd)
    let line = String(repeating: "x", count: 999)
    for _ in 0..<3000 {
      output.line(line)
      try loop.runOnce(timeout: .zero)
    }
    // What the system holds and what waits here comes out; then the loss is told.
    var text = try drain(pipe.readEnd)
    for _ in 0..<2000 where !text.hasSuffix("last\n") {
      let before = text.utf8.count
      try loop.runOnce(timeout: .milliseconds(1))
      text += try drain(pipe.readEnd)
      if text.utf8.count == before { output.line("last") }
    }
    let lines = text.split(separator: "\n")
    let whole = lines.filter { $0 == line }.count
    let told = lines.first { $0.contains("lines of the log are lost") }
    let lost = try #require(told?.split(separator: " ").compactMap { Int($0) }.first)
    #expect(whole + lost == 3000)
    #expect(whole > 1000)
  }

  @Test func aReaderThatHasGoneIsForgotten() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: false)
    SystemCalls.closeDescriptor(pipe.readEnd)
    defer { SystemCalls.closeDescriptor(pipe.writeEnd) }
    let output = LogOutput(loop: loop, descriptor: pipe.writeEnd)
    output.line("into the void")
    try loop.runOnce(timeout: .zero)
    #expect(!output.isOpen)
    output.line("more")
    output.finish()
  }

  @Test func theEndIsBounded() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: false)
    defer { pipe.close() }
    let output = LogOutput(loop: loop, descriptor: pipe.writeEnd)
    for _ in 0..<1000 { output.line(String(repeating: "y", count: 999)) }
    let start = SystemCalls.monotonicNanoseconds()
    output.finish(within: .milliseconds(50))
    let elapsed = SystemCalls.monotonicNanoseconds() - start
    #expect(elapsed > 40_000_000 && elapsed < 20_000_000_000)
  }
}
