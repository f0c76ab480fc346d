import Foundation
import SystemInterface
import Testing

@Suite struct ChildProcessTests {
  @Test func exitCodesAndSignals() throws {
    #expect(try ChildProcess(["sh", "-c", "exit 0"]).wait() == 0)
    #expect(try ChildProcess(["/bin/sh", "-c", "exit 41"]).wait() == 41)
    #expect(try ChildProcess(["sh", "-c", "kill -TERM $$"]).wait() == 143)
    let sleeper = try ChildProcess(["sleep", "60"])
    #expect(try sleeper.checkForEnd() == nil)
    try SystemCalls.killProcess(sleeper.processID)
    #expect(try sleeper.wait() == 137)
  }

  @Test func missingProgramsAreErrors() throws {
    let missing = try #require(throws: SystemCalls.Failure.self) {
      try ChildProcess(["no-such-program-anywhere"], output: .piped)
    }
    #expect(missing.isMissing)
    let forbidden = try #require(throws: SystemCalls.Failure.self) { try ChildProcess(["/etc"]) }
    #expect(forbidden.isForbidden)
    #expect(throws: SystemCalls.Failure.self) { try ChildProcess([]) }
  }

  @Test func pipesCarryAllThreeStreams() throws {
    let child = try ChildProcess(
      ["sh", "-c", "cat; echo trouble >&2"], input: .piped, output: .piped, errors: .piped)
    let input = try #require(child.input)
    let output = try #require(child.output)
    let errors = try #require(child.errors)
    try send(Array("hello".utf8), to: input)
    SystemCalls.closeDescriptor(input)
    #expect(try FileDescriptorIO.readAll(output, limit: 100) == Array("hello".utf8))
    #expect(try FileDescriptorIO.readAll(errors, limit: 100) == Array("trouble\n".utf8))
    SystemCalls.closeDescriptor(output)
    SystemCalls.closeDescriptor(errors)
    #expect(try child.wait() == 0)
  }

  @Test func environmentIsAddedTo() throws {
    let child = try ChildProcess(
      ["sh", "-c", "printf '%s|%s' \"$PWBRIDGE_TEST\" \"$HOME\""],
      environment: [
        ("PWBRIDGE_TEST", "first"), ("PWBRIDGE_TEST", "a=b c"), ("HOME", "/elsewhere"),
      ], input: .null, output: .piped)
    let output = try #require(child.output)
    defer { SystemCalls.closeDescriptor(output) }
    #expect(try FileDescriptorIO.readAll(output, limit: 100) == Array("a=b c|/elsewhere".utf8))
    #expect(try child.wait() == 0)
    #expect(SystemCalls.environment("PWBRIDGE_TEST") == nil)
  }

  @Test func childrenInheritNoDescriptorsAndDieOfBrokenPipes() throws {
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    let (one, two) = try SystemCalls.makeSocketPair()
    defer {
      SystemCalls.closeDescriptor(one)
      SystemCalls.closeDescriptor(two)
    }
    for descriptor in [pipe.readEnd, pipe.writeEnd, one, two] {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    // An ignored SIGPIPE would be handed on, and `yes` would report an error instead of dying.
    let child = try ChildProcess(["yes"], output: .piped, errors: .null)
    SystemCalls.closeDescriptor(try #require(child.output))
    #expect(try child.wait() == 141)
  }

  @Test func descriptorsMayBeExchanged() throws {
    let pipe = try PipeEnds(nonBlocking: false)
    let child = try ChildProcess(
      ["sh", "-c", "echo one; echo two >&2"], output: .descriptor(pipe.writeEnd),
      errors: .descriptor(pipe.writeEnd))
    SystemCalls.closeDescriptor(pipe.writeEnd)
    #expect(try FileDescriptorIO.readAll(pipe.readEnd, limit: 100) == Array("one\ntwo\n".utf8))
    SystemCalls.closeDescriptor(pipe.readEnd)
    #expect(try child.wait() == 0)
  }

  @Test func factsAboutTheProcess() throws {
    #expect(SystemCalls.processID == getpid())
    #expect(SystemCalls.userID == geteuid())
    let before = SystemCalls.monotonicNanoseconds()
    #expect(SystemCalls.monotonicNanoseconds() >= before)
    let apart = Double(SystemCalls.wallClockMicroseconds()) / 1e6 - Date().timeIntervalSince1970
    #expect(abs(apart) < 10)
    #if os(Linux)
      #expect(try #require(SystemCalls.residentBytes()) > 1 << 20)
      #expect(!SystemCalls.pinThread(toProcessor: -1))
      #expect(!SystemCalls.pinThread(toProcessor: 5000))
    #endif
  }
}
