import ChannelTransport
import Foundation
import SystemInterface
import Testing

@Suite struct ShortageTests {
  /// In a process of its own: the limit on descriptors is for the whole process.
  @Test func shortageOfDescriptorsDoesNotSpin() async {
    await #expect(processExitsWith: .success) {
      try withPrivateDirectory { directory in
        let path = directory + "/s"
        let listener = try ListeningSocket(path: path)
        let loop = try EventLoop()
        var troubles = 0
        var accepted: [Int32] = []
        let acceptor = Acceptor(on: loop, listener.descriptor) { failure in
          #expect(failure.isShortage)
          troubles += 1
        } onConnection: {
          accepted.append($0)
        }
        let client = try SystemCalls.connectSocket(path)
        // No descriptor more than there are.
        var highest = client
        var fillers: [Int32] = []
        var limit = rlimit()
        #if canImport(Glibc)
          let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
          let resource = RLIMIT_NOFILE
        #endif
        precondition(getrlimit(resource, &limit) == 0)
        limit.rlim_cur = 128
        precondition(setrlimit(resource, &limit) == 0)
        while let filler = try? SystemCalls.openForReading("/dev/null") {
          fillers.append(filler)
          highest = filler
        }
        precondition(highest > client && !fillers.isEmpty)

        var rounds = 0
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end {
          try loop.runOnce(timeout: .milliseconds(200))
          rounds += 1
        }
        precondition(accepted.isEmpty, "there was no descriptor for it")
        precondition((1...12).contains(troubles), "\(troubles) attempts in a second")
        precondition(rounds <= 30, "\(rounds) rounds in a second")

        // With room again the caller is served.
        for filler in fillers { SystemCalls.closeDescriptor(filler) }
        try run(loop) { accepted.count == 1 }
        precondition(accepted.count == 1)
        acceptor.stop()
        SystemCalls.closeDescriptor(client)
        accepted.forEach(SystemCalls.closeDescriptor)
        listener.close()
      }
    }
  }
}
