import Testing

@testable import ChannelTransport

@Suite("Looking before sleeping") struct BusyPollingTests {
  private typealias Polling = BusyPolling

  /// Waits so often, every one of `found` in a hundred finding input, and answers how many looks
  /// there were to be before each.
  private func wait(
    _ polling: inout BusyPolling, _ count: Int, found: Int = 100, switches: Int = 0
  ) -> [Int] {
    (0..<count).map { number in
      let looks = polling.looks()
      if looks > 0 { polling.note(found: number * found % 100 < found) { switches } }
      return looks
    }
  }

  private func repeated(_ looks: Int, _ periods: Int = 1) -> [Int] {
    Array(repeating: looks, count: Polling.period * periods)
  }

  @Test func itSleepsFirst() {
    var polling = BusyPolling()
    #expect(wait(&polling, Polling.shortestRest).allSatisfy { $0 == 0 })
    #expect(polling.looks() == 1)
  }

  @Test func oneLookIsKeptUpWhileItFindsEnough() {
    var polling = BusyPolling(firstRest: 0)
    #expect(wait(&polling, Polling.period * 5) == repeated(1, 5))
    #expect(wait(&polling, Polling.period, found: 50) == repeated(1))
    #expect(wait(&polling, Polling.period, found: 40) == repeated(1))
    #expect(polling.looks() == Polling.most)
  }

  @Test func manyLooksAreKeptUpWhileTheyFindMore() {
    var polling = BusyPolling(firstRest: 0)
    #expect(wait(&polling, Polling.period, found: 0) == repeated(1))
    #expect(wait(&polling, Polling.period * 9) == repeated(Polling.most, 9))
    #expect(wait(&polling, Polling.period, found: 75) == repeated(Polling.most))
    #expect(wait(&polling, Polling.period, found: 60) == repeated(Polling.most))
    #expect(polling.looks() == 0)
  }

  @Test func whoeverNeedsTheProcessorGetsIt() {
    var polling = BusyPolling(firstRest: 0)
    _ = wait(&polling, Polling.period, found: 0, switches: 5)
    let few = 5 + Polling.mostSwitches
    #expect(wait(&polling, Polling.period, switches: few) == repeated(Polling.most))
    #expect(wait(&polling, Polling.period, switches: few) == repeated(Polling.most))
    let many = few + Polling.mostSwitches + 1
    #expect(wait(&polling, Polling.period, switches: many) == repeated(Polling.most))
    #expect(polling.looks() == 0)
  }

  /// It is left to the looks only after a whole period without one in vain, or a wait.
  @Test func whatIsAlwaysFound() {
    var polling = BusyPolling(firstRest: 0)
    _ = wait(&polling, Polling.period - 1)
    #expect(!polling.alwaysFinds)
    _ = wait(&polling, 1)
    #expect(polling.alwaysFinds)
    _ = wait(&polling, 1, found: 0)
    #expect(!polling.alwaysFinds)
    _ = wait(&polling, Polling.period - 1)
    #expect(!polling.alwaysFinds)
    _ = wait(&polling, Polling.period)
    #expect(polling.alwaysFinds)
    polling.noteWait()
    #expect(!polling.alwaysFinds)
    _ = wait(&polling, Polling.period - 1)
    #expect(!polling.alwaysFinds)
    _ = wait(&polling, 1)
    #expect(polling.alwaysFinds)
  }

  @Test func whatFailsIsTriedMoreAndMoreSeldom() {
    var polling = BusyPolling()
    var rests: [Int] = []
    for _ in 0..<9 {
      var rest = 0
      while polling.looks() == 0 { rest += 1 }
      rests.append(rest)
      _ = wait(&polling, Polling.period * 2, found: 0)
    }
    #expect(rests == [64, 256, 1024, 4096, 16384, 65536, 65536, 65536, 65536])
    // What has paid is tried again soon.
    while polling.looks() == 0 {}
    _ = wait(&polling, Polling.period, found: 0)
    _ = wait(&polling, Polling.period)
    _ = wait(&polling, Polling.period, found: 0)
    #expect(wait(&polling, Polling.shortestRest * 4).allSatisfy { $0 == 0 })
    #expect(polling.looks() == 1)
  }
}
