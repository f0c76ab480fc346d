import SystemInterface
import Testing

/// A table that the system keeps between waits must not differ from one that it is handed each time.
@Suite struct PollTableTests {
  /// The slots that report something, after a wait of at most `nanoseconds`.
  private func ready(_ table: PollTable, nanoseconds: UInt64 = 0) throws -> [Int] {
    let count = try table.wait(nanoseconds: nanoseconds)
    var slots: [Int] = []
    while let slot = table.nextReady(from: (slots.last ?? -1) + 1, below: table.count) {
      slots.append(slot)
    }
    #expect(slots.count == count)
    return slots
  }

  @Test(arguments: [false, true]) func readsAndWritesAreReportedBySlot(isStanding: Bool) throws {
    let table = PollTable(isStanding: isStanding)
    let (here, there) = try SystemCalls.makeSocketPair()
    let pipe = try PipeEnds(nonBlocking: true)
    defer {
      for descriptor in [here, there] { SystemCalls.closeDescriptor(descriptor) }
      pipe.close()
    }
    #expect(table.append(pipe.readEnd, .readable) == 0)
    #expect(table.append(here, [.readable, .writable]) == 1)
    #expect(try ready(table) == [1])
    #expect(table.reported(1) == .writable)
    try send([1], to: there)
    try send([1], to: pipe.writeEnd)
    #expect(try ready(table) == [0, 1])
    #expect(table.reported(0) == .readable && table.reported(1) == [.readable, .writable])
    // What an earlier wait reported is gone.
    table.set(1, here, [])
    _ = try drain(pipe.readEnd)
    #expect(try ready(table).isEmpty)
    #expect(table.reported(0).isEmpty && table.reported(1).isEmpty)
  }

  @Test(arguments: [false, true]) func hangUpIsSeenOnlyWhereWanted(isStanding: Bool) throws {
    let table = PollTable(isStanding: isStanding)
    let pipe = try PipeEnds(nonBlocking: true)
    defer { SystemCalls.closeDescriptor(pipe.readEnd) }
    _ = table.append(pipe.readEnd, .readable)
    table.set(0, pipe.readEnd, [])
    SystemCalls.closeDescriptor(pipe.writeEnd)
    #expect(try ready(table).isEmpty)
    table.set(0, pipe.readEnd, [], noticesHangUp: true)
    #expect(try ready(table) == [0])
    #expect(table.reported(0) == .hangUp)
  }

  @Test(arguments: [false, true]) func hiddenDescriptorDoesNotEndTheWait(
    isStanding: Bool
  ) throws {
    let table = PollTable(isStanding: isStanding)
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    _ = table.append(pipe.readEnd, .readable)
    try send([1], to: pipe.writeEnd)
    #expect(try ready(table) == [0])
    table.set(0, pipe.readEnd, [])
    let start = SystemCalls.monotonicNanoseconds()
    #expect(try ready(table, nanoseconds: 20_000_000).isEmpty)
    #expect(SystemCalls.monotonicNanoseconds() - start >= 20_000_000)
  }

  @Test(arguments: [false, true]) func movedSlotReportsAtItsNewPlace(isStanding: Bool) throws {
    let table = PollTable(isStanding: isStanding)
    let pipes = try (0..<3).map { _ in try PipeEnds(nonBlocking: true) }
    defer { for pipe in pipes { pipe.close() } }
    for pipe in pipes { _ = table.append(pipe.readEnd, .readable) }
    try send([1], to: pipes[2].writeEnd)
    #expect(try ready(table) == [2])
    table.clear(0)
    table.moveLast(to: 0)
    #expect(table.count == 2)
    #expect(try ready(table) == [0])
    // The interest can be changed there.
    table.set(0, pipes[2].readEnd, [])
    #expect(try ready(table).isEmpty)
  }

  @Test(arguments: [false, true]) func numberOfAClosedDescriptorMayComeBack(
    isStanding: Bool
  ) throws {
    let table = PollTable(isStanding: isStanding)
    let first = try PipeEnds(nonBlocking: true)
    _ = table.append(first.readEnd, .readable)
    #expect(try ready(table).isEmpty)
    table.clear(0)
    first.close()
    // Most often the same numbers; the test holds for others as well.
    let second = try PipeEnds(nonBlocking: true)
    defer { second.close() }
    #expect(table.append(second.readEnd, .readable) == 1)
    try send([1], to: second.writeEnd)
    #expect(try ready(table) == [1])
  }

  @Test(arguments: [false, true]) func filesAndRepeatedDescriptorsAreTaken(
    isStanding: Bool
  ) throws {
    try withPrivateDirectory { directory in
      let table = PollTable(isStanding: isStanding)
      let pipe = try PipeEnds(nonBlocking: true)
      SystemCalls.closeDescriptor(try SystemCalls.openForWriting("\(directory)/file", .creating))
      let file = try SystemCalls.openForReading("\(directory)/file")
      defer {
        pipe.close()
        SystemCalls.closeDescriptor(file)
      }
      _ = table.append(pipe.readEnd, .readable)
      #expect(try ready(table).isEmpty)
      _ = table.append(file, .readable)
      _ = table.append(pipe.readEnd, .readable)
      #expect(try ready(table) == [1])
      try send([1], to: pipe.writeEnd)
      #expect(try ready(table) == [0, 1, 2])
    }
  }

  @Test func waitKeepsToItsTime() throws {
    let table = PollTable(isStanding: true)
    let pipe = try PipeEnds(nonBlocking: true)
    defer { pipe.close() }
    _ = table.append(pipe.readEnd, .readable)
    let start = SystemCalls.monotonicNanoseconds()
    #expect(try ready(table, nanoseconds: 3_400_000).isEmpty)
    let took = SystemCalls.monotonicNanoseconds() - start
    #expect(took >= 3_400_000 && took < 5_000_000_000)
    try send([1], to: pipe.writeEnd)
    #expect(try ready(table, nanoseconds: 20_000_000_000) == [0])
    #expect(SystemCalls.monotonicNanoseconds() - start < 15_000_000_000)
  }

  @Test func manyReadyDescriptorsAllGetTheirTurn() throws {
    let table = PollTable(isStanding: true)
    let pipes = try (0..<300).map { _ in try PipeEnds(nonBlocking: true) }
    defer { for pipe in pipes { pipe.close() } }
    for pipe in pipes {
      _ = table.append(pipe.readEnd, .readable)
      try send([1], to: pipe.writeEnd)
    }
    var seen: Set<Int> = []
    for _ in 0..<20 where seen.count < pipes.count { seen.formUnion(try ready(table)) }
    #expect(seen.count == pipes.count)
  }

  /// Both kinds of table, through the same changes in a random order.
  @Test func standingTableReportsWhatTheOtherDoes() throws {
    var generator = SeededGenerator()
    print("seed \(generator.seed)")
    let tables = [PollTable(isStanding: false), PollTable(isStanding: true)]
    var pipes: [PipeEnds?] = []
    defer { for pipe in pipes { pipe?.close() } }
    for turn in 0..<2000 {
      let slot = pipes.isEmpty ? 0 : Int.random(in: 0..<pipes.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...1:
        guard pipes.count < 40 else { continue }
        let pipe = try PipeEnds(nonBlocking: true)
        pipes.append(pipe)
        for table in tables { _ = table.append(pipe.readEnd, .readable) }
      case 2:
        guard pipes.indices.contains(slot), let pipe = pipes[slot] else { continue }
        for table in tables { table.clear(slot) }
        pipe.close()
        pipes[slot] = nil
      case 3:
        // As the loop closes the gaps: never a cleared one into another.
        guard pipes.indices.contains(slot), pipes[slot] == nil, let last = pipes.last else {
          continue
        }
        guard last != nil || slot == pipes.count - 1 else { continue }
        for table in tables { table.moveLast(to: slot) }
        pipes[slot] = last
        pipes.removeLast()
      case 4, 5:
        guard pipes.indices.contains(slot), let pipe = pipes[slot] else { continue }
        let interests: PollTable.Events = Bool.random(using: &generator) ? .readable : []
        for table in tables { table.set(slot, pipe.readEnd, interests) }
      case 6:
        guard pipes.indices.contains(slot), let pipe = pipes[slot] else { continue }
        _ = try drain(pipe.readEnd)
      default:
        guard pipes.indices.contains(slot), let pipe = pipes[slot] else { continue }
        try send([1], to: pipe.writeEnd)
      }
      if Int.random(in: 0..<3, using: &generator) > 0 { continue }
      let (plain, standing) = (try ready(tables[0]), try ready(tables[1]))
      #expect(plain == standing, "turn \(turn)")
      if plain != standing { return }
    }
  }
}
