#if os(Linux)
  import ChannelRouter
  import Glibc
  import SystemInterface
  import Testing

  @testable import ChannelTransport

  @Suite("Input that is left in the socket") struct PeekedInputTests {
    private struct Ends {
      let ours: Int32
      let theirs: Int32
      var input: PeekedInput

      init() throws {
        (ours, theirs) = try SystemCalls.makeSocketPair()
        input = try #require(PeekedInput(ours))
      }

      func close() {
        SystemCalls.closeDescriptor(ours)
        SystemCalls.closeDescriptor(theirs)
      }

      mutating func look() throws -> [UInt8] {
        var memory = [UInt8](repeating: 0, count: 65536)
        let count = try memory.withUnsafeMutableBytes { try input.look($0, times: 2) }
        return Array(memory[..<count])
      }
    }

    @Test func aLookGoesOnBehindTheLastAndTakesNothing() throws {
      var ends = try Ends()
      defer { ends.close() }
      for byte in 0..<5 as Range<UInt8> {
        try send([byte, 100], to: ends.theirs)
        #expect(try ends.look() == [byte, 100])
        #expect(try ends.look() == [])
      }
      #expect(try drain(ends.ours) == [0, 100, 1, 100, 2, 100, 3, 100, 4, 100])
    }

    @Test func whatIsTakenOutIsNotSeenAgain() throws {
      var ends = try Ends()
      defer { ends.close() }
      try send([1, 2], to: ends.theirs)
      #expect(try ends.look() == [1, 2])
      try send([3], to: ends.theirs)
      ends.input.takeOut()
      ends.input.takeOut()
      #expect(try ends.look() == [3])
      ends.input.takeOut()
      #expect(try drain(ends.ours) == [])
      SystemCalls.closeDescriptor(ends.theirs)
      #expect(try ends.look() == [])
      #expect(try drain(ends.ours) == nil)
    }

    /// In every mixture of looks, of reads behind waits, and of sizes around the largest that is left.
    @Test func nothingIsLostOrDoubled() throws {
      var random = SeededGenerator()
      print("looks and reads use the seed \(random.seed)")
      for _ in 0..<200 {
        var ends = try Ends()
        defer { ends.close() }
        var sent: [UInt8] = []
        var got: [UInt8] = []
        for _ in 0..<Int.random(in: 1...60, using: &random) {
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            let count = Int.random(
              in: 1...(Bool.random(using: &random) ? 100 : 3 * PeekedInput.largest), using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            // The socket may have no room for all of it.
            let taken = try bytes.withUnsafeBytes {
              try SystemCalls.writeAvailable(ends.theirs, $0)
            }
            sent += bytes.prefix(taken ?? 0)
          case 1:
            ends.input.takeOut()
            got += try drain(ends.ours) ?? []
          default:
            got += try ends.look()
          }
          #expect(sent.starts(with: got))
        }
        ends.input.takeOut()
        while let more = try drain(ends.ours), !more.isEmpty { got += more }
        #expect(got == sent)
      }
    }

    @Test func aSenderWithLittleRoomIsNotStopped() throws {
      let rig = try echoing()
      let end = try rig.connect()
      // The system makes the least of it that it allows.
      var room: CInt = 1
      #expect(setsockopt(end.descriptor, SOL_SOCKET, SO_SNDBUF, &room, 4) == 0)
      try end.hello()
      for id in 1...200 as ClosedRange<UInt64> {
        try end.send { try $0.message("echo", id: id, payload: [UInt8](repeating: 7, count: 1500)) }
      }
      #expect(try end.frames(201).dropFirst().map(\.id) == Array(1...200))
    }

    @Test func aConnectionThatClosesLeavesNoErrorBehind() throws {
      let rig = try echoing()
      let end = try rig.connect()
      try end.hello()
      // One at a time, so that the loop looks.
      for id in 1...100 as ClosedRange<UInt64> {
        try end.send { try $0.message("echo", id: id, payload: [1]) }
        _ = try end.frames(Int(id) + 1)
      }
      try end.send { $0.bye() }
      try rig.run { rig.ends.count == 1 }
      // A socket that is closed with something in it is a connection reset here, once, and no end.
      while try drain(end.descriptor) != nil {}
    }

    @Test func onlySocketsArePeeked() throws {
      let pipe = try PipeEnds(nonBlocking: true)
      defer { pipe.close() }
      #expect(PeekedInput(pipe.readEnd) == nil)
    }

    private func echoing() throws -> Rig {
      let rig = try Rig()
      rig.prepare = { $0.setMessageHandler(on: "echo") { message, reply in reply.send(message) } }
      return rig
    }
  }
#endif
