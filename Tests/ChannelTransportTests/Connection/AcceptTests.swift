import SystemInterface
import Testing

@testable import ChannelTransport

/// A crowd at the door does not keep those inside waiting.
@Suite struct AcceptTests {
  @Test func clientsAreTakenInSomeAtATime() throws {
    let rig = try Rig()
    try withPrivateDirectory { directory in
      let path = directory + "/socket"
      rig.server.serve(try ListeningSocket(path: path))
      var ends: [RawEnd] = []
      for _ in 0..<40 { ends.append(RawEnd(try SystemCalls.connectSocket(path), rig)) }
      var counts: [Int] = []
      try rig.run {
        counts.append(rig.server.connectionCount)
        return rig.server.connectionCount == 40
      }
      #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 16 }, "\(counts)")
      rig.server.stopListening()
    }
  }

  /// Words for people never make a frame that its receiver would refuse.
  @Test(arguments: [1000, 65_535, 16 << 20]) func longTextsAreCut(_ limit: Int) throws {
    let writer = FrameWriter(limits: FrameLimits(maximumPayload: limit))
    let text = String(repeating: "x", count: 100_000)
    writer.error(FrameError(.internal, text))
    writer.log(.warning, text)
    writer.bye(reason: text)
    let reader = FrameReader(limits: writer.limits, expectsHello: false)
    reader.feed(writer.takePending())
    var kinds: [FrameKind] = []
    while case .frame(let frame)? = try reader.next() {
      kinds.append(frame.kind)
      #expect((frame.payload?.count ?? 0) <= min(limit, 65_535))
      _ = try Fields(parsing: frame.payload ?? [])
    }
    #expect(kinds == [.error, .log, .bye])
  }
}
