import SystemInterface
import Testing

/// Each in a process of its own: elsewhere in a test run the signal may be ignored already.
@Suite struct BrokenPipeTests {
  @Test func aPipeWithoutReaderIsAnErrorNotTheEnd() async {
    await #expect(processExitsWith: .success) {
      let pipe = try PipeEnds(nonBlocking: false)
      SystemCalls.closeDescriptor(pipe.readEnd)
      expectBrokenPipe(writingTo: pipe.writeEnd)
    }
  }

  @Test func aSocketWithoutPeerIsAnErrorNotTheEnd() async {
    await #expect(processExitsWith: .success) {
      let (here, there) = try SystemCalls.makeSocketPair()
      SystemCalls.closeDescriptor(there)
      expectBrokenPipe(writingTo: here)
    }
  }
}

private func expectBrokenPipe(writingTo descriptor: Int32) {
  let failure = #expect(throws: SystemCalls.Failure.self) {
    try FileDescriptorIO.writeAll(descriptor, [1])
  }
  #expect(failure?.isBrokenPipe == true)
}
