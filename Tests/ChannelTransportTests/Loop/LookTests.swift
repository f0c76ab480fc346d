import Foundation
import SystemInterface
import Testing

@testable import ChannelTransport

#if os(Linux)
  @Suite("Watches that are looked at") struct LookTests {
    /// A pipe whose bytes a watch reads ahead, as a connection does.
    private final class Input: InputLooks {
      let pipe: PipeEnds
      let loop: EventLoop
      var watch: Watch!
      var got: [UInt8] = []
      var ahead: [UInt8] = []
      var looks = 0
      var ends = 0
      var isLooking = false
      var handled = 0

      init(_ loop: EventLoop) throws {
        pipe = try PipeEnds(nonBlocking: true)
        self.loop = loop
        watch = loop.watch(pipe.readEnd) { [unowned self] _ in
          handled += 1
          got += (try? drain(pipe.readEnd)) ?? []
        }
        watch.looks = self
      }

      func look(_ times: Int) -> Bool {
        looks += 1
        var memory = [UInt8](repeating: 0, count: 16)
        let count = try? memory.withUnsafeMutableBytes {
          try SystemCalls.readAvailable(pipe.readEnd, into: $0, trying: times)
        }
        ahead = Array(memory[..<(count ?? 0)])
        isLooking = true
        return !ahead.isEmpty
      }

      func useFound() {
        handled += 1
        got += ahead
        ahead = []
      }

      func endLooking() {
        ends += 1
        isLooking = false
      }

      deinit {
        loop.unwatch(watch)
        pipe.close()
      }

      func receive(_ byte: UInt8) throws {
        try send([byte], to: pipe.writeEnd)
        try loop.runOnce(timeout: .seconds(5))
      }
    }

    @Test func whatALookHasReadIsHandledOnce() throws {
      let input = try Input(try EventLoop(restBeforeLooking: 0))
      for byte in 0..<100 as Range<UInt8> { try input.receive(byte) }
      #expect(input.got == Array(0..<100))
      #expect(input.handled == 100)
      #expect(input.looks > 80)
      // There is nothing: looking must not take the place of waiting.
      #expect(try !input.loop.runOnce(timeout: .milliseconds(5)))
      #expect(!input.isLooking)
    }

    @Test func lookingEndsBeforeEveryWait() throws {
      let input = try Input(try EventLoop(restBeforeLooking: 0))
      for byte in 0..<100 as Range<UInt8> { try input.receive(byte) }
      // The others are waited for, without end or not, at least every 32 rounds.
      #expect(input.ends >= 2 && input.ends < input.looks)
      let ends = input.ends
      // Work for the end of a round, or a short time, leads to a wait without a look.
      input.loop.thread.async {}
      #expect(input.isLooking)
      try input.loop.runOnce()
      #expect(!input.isLooking && input.ends == ends + 1)
      try input.loop.runOnce(timeout: .zero)
      #expect(input.ends == ends + 1)
    }

    @Test func thereIsNoLookWhereInputComesSeldom() throws {
      let input = try Input(try EventLoop())
      for byte in 0..<60 as Range<UInt8> { try input.receive(byte) }
      #expect(input.looks == 0)
      for byte in 60..<100 as Range<UInt8> { try input.receive(byte) }
      #expect(input.looks > 0)
      #expect(input.got == Array(0..<100))
    }

    @Test func othersAreHeardBesideAFlood() throws {
      let loop = try EventLoop(restBeforeLooking: 0)
      let input = try Input(loop)
      for byte in 0..<20 as Range<UInt8> { try input.receive(byte) }
      let other = try PipeEnds(nonBlocking: true)
      defer { other.close() }
      var isHeard = false
      let watch = loop.watch(other.readEnd) { _ in
        isHeard = true
        _ = try? drain(other.readEnd)
      }
      defer { loop.unwatch(watch) }
      try send([1], to: other.writeEnd)
      var rounds = 0
      while !isHeard, rounds < 100 {
        rounds += 1
        try input.receive(7)
      }
      #expect(isHeard && rounds <= 33)
    }

    /// After so many messages that were there when they were looked for, the system is not told to
    /// watch the pipe any more.
    private static let steadyFlood = 0..<70 as Range<UInt8>

    @Test func whatComesAfterAFloodIsWaitedFor() throws {
      let input = try Input(try EventLoop(restBeforeLooking: 0))
      for byte in LookTests.steadyFlood { try input.receive(byte) }
      for byte in 100..<110 as Range<UInt8> {
        // A look in vain, and a wait.
        #expect(try !input.loop.runOnce(timeout: .milliseconds(1)))
        let writeEnd = input.pipe.writeEnd
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 0.002)
          try? send([byte], to: writeEnd)
        }
        #expect(try input.loop.runOnce(timeout: .seconds(20)))
        #expect(input.got.last == byte)
      }
    }

    @Test func theOneThatWasLookedForIsHeardBesideAnother() throws {
      let loop = try EventLoop(restBeforeLooking: 0)
      let first = try Input(loop)
      let second = try Input(loop)
      for byte in LookTests.steadyFlood { try first.receive(byte) }
      try send([1], to: second.pipe.writeEnd)
      var rounds = 0
      while second.got.isEmpty, rounds < 100 {
        rounds += 1
        try first.receive(7)
      }
      #expect(rounds <= 33)
      // Now the looks are for the second.
      try send([99], to: first.pipe.writeEnd)
      rounds = 0
      while first.got.last != 99, rounds < 100 {
        rounds += 1
        try second.receive(7)
      }
      #expect(first.got.last == 99 && rounds <= 33 && second.looks > 0)
    }

    @Test func theOneThatWasLookedForMayGoAndComeBack() throws {
      let loop = try EventLoop(restBeforeLooking: 0)
      let input = try Input(loop)
      for byte in LookTests.steadyFlood { try input.receive(byte) }
      input.watch.reads = false
      try send([1], to: input.pipe.writeEnd)
      #expect(try !loop.runOnce(timeout: .zero))
      input.watch.reads = true
      #expect(try loop.runOnce(timeout: .seconds(20)))
      #expect(input.got.last == 1)
      for byte in LookTests.steadyFlood { try input.receive(byte) }
      let handled = input.handled
      loop.unwatch(input.watch)
      try send([2], to: input.pipe.writeEnd)
      let start = ContinuousClock.now
      #expect(try !loop.runOnce(timeout: .milliseconds(20)))
      // It has waited: the system was not told to watch it again.
      #expect(start.duration(to: .now) >= .milliseconds(20))
      #expect(input.handled == handled)
      // Its number is another descriptor's now.
      let other = try Input(loop)
      try other.receive(3)
      #expect(other.got == [3])
    }

    @Test func workFromOtherThreadsAndTimersGetTheirTurn() throws {
      let loop = try EventLoop(restBeforeLooking: 0)
      let input = try Input(loop)
      for byte in 0..<20 as Range<UInt8> { try input.receive(byte) }
      var isDue = false
      var hasRun = false
      loop.after(.milliseconds(1)) { isDue = true }
      let bound = UncheckedBox { hasRun = true }
      loop.thread.async { bound.value() }
      let end = ContinuousClock.now + .seconds(20)
      while !(isDue && hasRun), ContinuousClock.now < end { try input.receive(7) }
      #expect(isDue && hasRun)
    }

    @Test func aWatchThatWantsNothingIsNotLookedAt() throws {
      let input = try Input(try EventLoop(restBeforeLooking: 0))
      for byte in 0..<20 as Range<UInt8> { try input.receive(byte) }
      let looks = input.looks
      input.watch.reads = false
      try send([9], to: input.pipe.writeEnd)
      for _ in 0..<5 { try input.loop.runOnce(timeout: .zero) }
      #expect(input.looks == looks && input.got.count == 20)
      input.watch.reads = true
      try input.loop.runOnce(timeout: .seconds(5))
      #expect(input.got.last == 9)
    }

    @Test func switchesAreCounted() {
      #expect(SystemCalls.involuntarySwitches() >= 0)
    }

    @Test func aDescriptorThatWaitsIsNotLookedAt() throws {
      let loop = try EventLoop(restBeforeLooking: 0)
      let pipe = try PipeEnds(nonBlocking: false)
      defer { pipe.close() }
      let owner = Owner()
      let stream = DescriptorStream(
        loop: loop, input: pipe.readEnd, output: pipe.writeEnd, ownsDescriptors: false)
      owner.stream = stream
      stream.open(for: owner)
      stream.allowLooks(owner)
      for byte in 0..<20 as Range<UInt8> {
        try send([byte], to: pipe.writeEnd)
        try loop.runOnce(timeout: .seconds(5))
      }
      #expect(owner.reads == 20 && owner.looks == 0)
      try SystemCalls.setNonBlocking(pipe.readEnd, true)
      stream.allowLooks(owner)
      for byte in 0..<20 as Range<UInt8> {
        try send([byte], to: pipe.writeEnd)
        try loop.runOnce(timeout: .seconds(5))
      }
      #expect(owner.reads == 40 && owner.looks > 0)
      stream.close()
    }

    private final class Owner: DescriptorStreamOwner, InputLooks {
      unowned var stream: DescriptorStream!
      var reads = 0
      var looks = 0
      func streamIsReadable() {
        reads += 1
        var memory = [UInt8](repeating: 0, count: 16)
        _ = try? memory.withUnsafeMutableBytes { try stream.read($0) }
      }
      func look(_ times: Int) -> Bool {
        looks += 1
        return false
      }
      func useFound() {}
      func endLooking() {}
      func streamIsWritable() {}
      func streamHungUp(_ part: DescriptorStream.HangUp) {}
    }

    private struct UncheckedBox: @unchecked Sendable {
      let value: () -> Void
      init(_ value: @escaping () -> Void) { self.value = value }
    }
  }
#endif
