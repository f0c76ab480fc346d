import ChannelTransport
import SystemInterface
import Testing

@Suite struct WatchTests {
  @Test func readableDescriptorCallsItsHandler() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    var got: [UInt8] = []
    let watch = loop.watch(pipe.readEnd) { readiness in
      #expect(readiness == .reads)
      got += (try? drain(pipe.readEnd)) ?? []
    }
    try loop.runOnce(timeout: .zero)
    #expect(got.isEmpty)
    try send([1, 2, 3], to: pipe.writeEnd)
    try loop.runOnce(timeout: .seconds(5))
    #expect(got == [1, 2, 3])
    watch.reads = false
    try send([4], to: pipe.writeEnd)
    #expect(try !loop.runOnce(timeout: .zero))
    watch.reads = true
    try loop.runOnce(timeout: .seconds(5))
    #expect(got == [1, 2, 3, 4])
    loop.unwatch(watch)
    #expect(!watch.isActive && loop.watchCount == 0)
    try send([5], to: pipe.writeEnd)
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(got == [1, 2, 3, 4])
  }

  @Test func writesFollowTheRoomInThePipe() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    var calls = 0
    let watch = loop.watch(pipe.writeEnd, reads: false, writes: true) { readiness in
      #expect(readiness == .writes)
      calls += 1
    }
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == 1)
    watch.writes = false
    let block = [UInt8](repeating: 7, count: 4096)
    while try block.withUnsafeBytes({ try SystemCalls.writeAvailable(pipe.writeEnd, $0) }) != nil {}
    watch.writes = true
    try loop.runOnce(timeout: .zero)
    #expect(calls == 1)
    while try drain(pipe.readEnd) != [] {}
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == 2)
    loop.unwatch(watch)
  }

  @Test func hangUpIsReportedToReadersAndNotToSilentWatches() throws {
    let loop = try EventLoop()
    let (here, there) = try SystemCalls.makeSocketPair()
    defer { SystemCalls.closeDescriptor(here) }
    var seen: [Readiness] = []
    let watch = loop.watch(here) { seen.append($0) }
    watch.reads = false
    SystemCalls.closeDescriptor(there)
    // The system would report the hang-up whatever is asked for.
    for _ in 0..<3 { #expect(try !loop.runOnce(timeout: .zero)) }
    #expect(seen.isEmpty)
    watch.reads = true
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen == [[.reads, .hungUp]])
    #expect(try drain(here) == nil)
    loop.unwatch(watch)
  }

  @Test func theEndOfASocketsInputIsToldWithoutReading() throws {
    let loop = try EventLoop()
    let (here, there) = try SystemCalls.makeSocketPair()
    defer { SystemCalls.closeDescriptor(here) }
    var seen: [Readiness] = []
    let watch = loop.watch(here, reads: false) { seen.append($0) }
    try SystemCalls.endWriting(there)
    #expect(try !loop.runOnce(timeout: .zero))
    watch.noticesHangUp = true
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen == [[.inputEnded]])
    SystemCalls.closeDescriptor(there)
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen.count == 2 && seen.last?.contains(.hungUp) == true)
    loop.unwatch(watch)
  }

  @Test func writersHearOfAClosedReader() throws {
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    SystemCalls.closeDescriptor(pipe.readEnd)
    defer { SystemCalls.closeDescriptor(pipe.writeEnd) }
    var failure: SystemCalls.Failure?
    loop.watch(pipe.writeEnd, reads: false, writes: true) { readiness in
      #expect(readiness.contains(.writes))
      do { try send([1], to: pipe.writeEnd) } catch { failure = error as? SystemCalls.Failure }
    }
    try loop.runOnce(timeout: .seconds(5))
    #expect(failure?.isBrokenPipe == true)
  }

  @Test func unwatchInsideHandlersHoldsAtOnce() throws {
    let loop = try EventLoop()
    let pipes = try (0..<4).map { _ in try PipeEnds(nonBlocking: true) }
    defer { for pipe in pipes { pipe.close() } }
    var watches: [Watch] = []
    var calls: [Int] = []
    for (index, pipe) in pipes.enumerated() {
      watches.append(
        loop.watch(pipe.readEnd) { _ in
          calls.append(index)
          // Itself, one that had its turn, and one that would have it next.
          if index == 1 { for other in [1, 0, 2] { loop.unwatch(watches[other]) } }
        })
      try send([1], to: pipe.writeEnd)
    }
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == [0, 1, 3])
    #expect(loop.watchCount == 1)
    calls = []
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == [3])
    // Twice is once.
    loop.unwatch(watches[0])
    #expect(loop.watchCount == 1)
  }

  @Test func unwatchingReleasesTheHandler() throws {
    final class Held {
      var watch: Watch?
    }
    let loop = try EventLoop()
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    weak var seen: Held?
    do {
      let held = Held()
      seen = held
      held.watch = loop.watch(pipe.readEnd) { _ in held.watch.map(loop.unwatch) }
    }
    #expect(seen != nil)
    try send([1], to: pipe.writeEnd)
    try loop.runOnce(timeout: .seconds(5))
    #expect(seen == nil)
  }

  @Test func reusedDescriptorGetsNoEventOfItsPredecessor() throws {
    let loop = try EventLoop()
    let first = try PipeEnds(nonBlocking: true)
    let second = try PipeEnds(nonBlocking: true)
    var third: PipeEnds?
    var late = 0
    var watches: [Watch] = []
    // The first handler closes the second descriptor, and a new pipe gets its number.
    watches.append(
      loop.watch(first.readEnd) { _ in
        _ = try? drain(first.readEnd)
        loop.unwatch(watches[1])
        second.close()
        third = try? PipeEnds(nonBlocking: true)
        if let third { loop.watch(third.readEnd) { _ in late += 1 } }
      })
    watches.append(loop.watch(second.readEnd) { _ in Issue.record("taken back in this round") })
    try send([1], to: first.writeEnd)
    try send([1], to: second.writeEnd)
    try loop.runOnce(timeout: .seconds(5))
    let opened = try #require(third)
    #expect(late == 0)
    try loop.runOnce(timeout: .zero)
    #expect(late == 0)
    try send([1], to: opened.writeEnd)
    try loop.runOnce(timeout: .seconds(5))
    #expect(late == 1)
    first.close()
    opened.close()
  }

  @Test func interestsDroppedDuringTheRoundCount() throws {
    let loop = try EventLoop()
    let first = try PipeEnds(nonBlocking: true)
    let second = try PipeEnds(nonBlocking: true)
    defer {
      first.close()
      second.close()
    }
    var calls = 0
    var other: Watch?
    loop.watch(first.readEnd) { _ in other?.reads = false }
    other = loop.watch(second.readEnd) { _ in calls += 1 }
    try send([1], to: first.writeEnd)
    try send([1], to: second.writeEnd)
    try loop.runOnce(timeout: .seconds(5))
    #expect(calls == 0)
  }

  @Test func closedDescriptorIsReportedOnceAndDoesNotSpin() throws {
    let loop = try EventLoop()
    // A number that nothing has; a closed one could be taken by a test beside this one.
    var seen: [Readiness] = []
    loop.watch(1_000_000) { seen.append($0) }
    try loop.runOnce(timeout: .zero)
    try loop.runOnce(timeout: .zero)
    #expect(seen == [[.reads, .invalid]])
  }

  @Test func busyDescriptorDoesNotStarveOthers() throws {
    let loop = try EventLoop()
    let busy = try PipeEnds(nonBlocking: true)
    let quiet = try PipeEnds(nonBlocking: true)
    defer {
      busy.close()
      quiet.close()
    }
    try send([1], to: busy.writeEnd)
    var busyCalls = 0
    var quietCalls = 0
    var timerRounds: Int?
    var mailRounds: Int?
    loop.watch(busy.readEnd) { _ in busyCalls += 1 }
    loop.watch(quiet.readEnd) { _ in
      quietCalls += 1
      _ = try? drain(quiet.readEnd)
    }
    try loop.runOnce(timeout: .zero)
    #expect(busyCalls == 1)
    try send([1], to: quiet.writeEnd)
    loop.after(.zero) { timerRounds = busyCalls }
    nonisolated(unsafe) let note = { mailRounds = busyCalls }
    loop.thread.async { note() }
    try loop.runOnce(timeout: .zero)
    #expect(quietCalls == 1 && busyCalls == 2)
    #expect(timerRounds == 2 && mailRounds == 1)
  }

  @Test func watchesSurviveRandomChanges() throws {
    var random = SeededGenerator()
    let loop = try EventLoop()
    let pipes = try (0..<24).map { _ in try PipeEnds(nonBlocking: true) }
    defer { for pipe in pipes { pipe.close() } }
    var watches: [Watch?] = pipes.map { _ in nil }
    var filled = pipes.map { _ in false }
    var calls: Set<Int> = []
    for step in 0..<1500 {
      let index = Int.random(in: 0..<pipes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        if let watch = watches[index] { loop.unwatch(watch) }
        watches[index] = nil
      case 1:
        if watches[index] == nil {
          watches[index] = loop.watch(pipes[index].readEnd) { _ in calls.insert(index) }
        }
      case 2: watches[index]?.reads.toggle()
      default:
        if filled[index] {
          _ = try drain(pipes[index].readEnd)
        } else {
          try send([1], to: pipes[index].writeEnd)
        }
        filled[index].toggle()
      }
      calls = []
      try loop.runOnce(timeout: .zero)
      let expected = pipes.indices.filter { filled[$0] && watches[$0]?.reads == true }
      try #require(calls == Set(expected), "seed \(random.seed), step \(step)")
      try #require(loop.watchCount == watches.count { $0 != nil }, "seed \(random.seed)")
    }
  }
}
