import ChannelTransport
import ProgramRunner
import SystemInterface
import TestSurroundings
import Testing

@testable import BridgeCommands

/// What `call -` reads.
@Suite("Lines of standard input", .timeLimit(.minutes(10 * Surroundings.slowness)))
struct InputLinesTests {
  /// Writes what fits, without waiting.
  private func push(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) throws -> Int {
    try Array(bytes.prefix(1 << 20)).withUnsafeBytes {
      try SystemCalls.writeAvailable(descriptor, $0)
    } ?? 0
  }

  @Test func aMillionLinesAreReadNoFurtherThanNeeded() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    let lines = InputLines(loop: loop, descriptor: pipe.readEnd)
    let all: [UInt8] = (0..<1_000_000).flatMap { (number: Int) -> [UInt8] in
      Array("\(number % 97)\n".utf8)
    }
    var rest = all[...]
    // Nobody asks for a line: it is not read on for ever.
    for _ in 0..<100 {
      rest = rest.dropFirst(try push(rest, pipe.writeEnd))
      try loop.runOnce(timeout: .zero)
    }
    #expect(lines.isReady)
    #expect(lines.pendingCount <= 64 << 10)
    #expect(all.count - rest.count < 512 << 10)
    var count = 0
    var isAsWritten = true
    var most = 0
    while count < 1_000_000 {
      if lines.isReady {
        let line = try #require(try lines.next())
        isAsWritten = isAsWritten && line.bytes == Array(String(count % 97).utf8)
        count += 1
        isAsWritten = isAsWritten && line.number == count
      } else {
        rest = rest.dropFirst(try push(rest, pipe.writeEnd))
        try loop.runOnce(timeout: .milliseconds(10))
        most = max(most, lines.pendingCount)
      }
    }
    #expect(isAsWritten)
    #expect(most <= 80 << 10)
    SystemCalls.closeDescriptor(pipe.writeEnd)
    for _ in 0..<1000 where !lines.isReady { try loop.runOnce(timeout: .milliseconds(10)) }
    #expect(try lines.next() == nil)
    SystemCalls.closeDescriptor(pipe.readEnd)
  }

  @Test(arguments: ["a\nb\n", "a\nb", "\n\nlong\n", ""])
  func theLastLineNeedsNoEnd(text: String) throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    let lines = InputLines(loop: loop, descriptor: pipe.readEnd)
    #expect(try push(Array(text.utf8)[...], pipe.writeEnd) == text.utf8.count)
    SystemCalls.closeDescriptor(pipe.writeEnd)
    var found: [String] = []
    while true {
      for _ in 0..<1000 where !lines.isReady { try loop.runOnce(timeout: .milliseconds(10)) }
      guard let line = try lines.next() else { break }
      found.append(String(decoding: line.bytes, as: UTF8.self))
    }
    var expected = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    if expected.last == "" { expected.removeLast() }
    #expect(found == expected)
    SystemCalls.closeDescriptor(pipe.readEnd)
  }

  @Test func aLineWithoutAnEndIsRefused() throws {
    // What makes the line may complain that nobody reads on.
    let line = "{ head -c 70000000 /dev/zero | tr '\\0' x; } 2> /dev/null"
    let outcome = try BuiltProgram.run(
      "\(line) | pwbridge call --in-process -", limit: .seconds(200))
    #expect(outcome.complaint == "pwbridge: a line of standard input is longer than 64 MiB\n")
    #expect(outcome.code == 2)
  }

  @Test func linesMayBeMoreThanThatTogether() throws {
    let line = "yes \"# $(head -c 60000 /dev/zero | tr '\\0' x)\" 2> /dev/null | head -c 70000000"
    let outcome = try BuiltProgram.run(
      "\(line) | pwbridge call --in-process -", limit: .seconds(200))
    #expect(outcome.complaint == "")
    #expect(outcome.code == 0)
  }
}
