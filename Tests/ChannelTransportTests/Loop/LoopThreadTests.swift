import ChannelRouter
import ChannelTransport
import Foundation
import Synchronization
import SystemInterface
import Testing

@Suite struct LoopThreadTests {
  @Test func workRunsLaterAndInOrder() throws {
    let loop = try EventLoop()
    let order = Mutex<[Int]>([])
    #expect(loop.thread.isCurrent)
    for index in 0..<5 { loop.thread.async { order.withLock { $0.append(index) } } }
    #expect(order.withLock { $0 }.isEmpty)
    try loop.runOnce(timeout: .seconds(20))
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test func workFromWorkWaitsForTheNextRound() throws {
    let loop = try EventLoop()
    let thread = loop.thread
    let count = Mutex(0)
    thread.async {
      count.withLock { $0 += 1 }
      thread.async { count.withLock { $0 += 10 } }
    }
    try loop.runOnce(timeout: .seconds(20))
    #expect(count.withLock { $0 } == 1)
    try loop.runOnce(timeout: .seconds(20))
    #expect(count.withLock { $0 } == 11)
  }

  @Test func anotherThreadWakesAWaitingLoop() throws {
    let loop = try EventLoop()
    let thread = loop.thread
    let seen = Mutex<[Bool]>([])
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      seen.withLock { $0.append(thread.isCurrent) }
      thread.async {
        seen.withLock { $0.append(thread.isCurrent) }
        thread.stop()
      }
    }
    let start = ContinuousClock.now
    let guardTimer = loop.after(.seconds(20)) { loop.stop() }
    try loop.run()
    guardTimer.cancel()
    #expect(ContinuousClock.now - start < .seconds(15))
    #expect(seen.withLock { $0 } == [false, true])
  }

  @Test func manyThreadsLoseNothingAndKeepTheirOrder() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    let loop = try EventLoop()
    let thread = loop.thread
    let threads = 8
    let each = 2000
    let seen = Mutex([[Int]](repeating: [], count: threads))
    for number in 0..<threads {
      Thread.detachNewThread {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        for index in 0..<each {
          thread.async { seen.withLock { $0[number].append(index) } }
          if Int.random(in: 0..<50, using: &random) == 0 {
            Thread.sleep(forTimeInterval: Double.random(in: 0..<0.0005, using: &random))
          }
        }
      }
    }
    // No timeout in the rounds: a lost wake-up must show.
    let guardTimer = loop.after(.seconds(60)) { Issue.record("a wake-up was lost, seed \(seed)") }
    while seen.withLock({ $0.contains { $0.count < each } }), guardTimer.isPending {
      try loop.runOnce()
    }
    guardTimer.cancel()
    for list in seen.withLock({ $0 }) { #expect(list == Array(0..<each), "seed \(seed)") }
  }

  @Test func stopFromAnotherThread() throws {
    let thread = Mutex<LoopThread?>(nil)
    let ended = Mutex(false)
    Thread.detachNewThread {
      guard let loop = try? EventLoop() else { return }
      thread.withLock { $0 = loop.thread }
      try? loop.run()
      ended.withLock { $0 = true }
    }
    let end = ContinuousClock.now + .seconds(20)
    while !ended.withLock({ $0 }), ContinuousClock.now < end {
      thread.withLock { $0?.stop() }
      Thread.sleep(forTimeInterval: 0.005)
    }
    #expect(ended.withLock { $0 })
    // The loop is gone; work for it is let go.
    let late = Mutex(false)
    thread.withLock { $0?.async { late.withLock { $0 = true } } }
    #expect(!late.withLock { $0 })
  }

  @Test func workLeftAtTheEndIsReleased() throws {
    final class Held: Sendable {}
    weak var seen: Held?
    var loop: EventLoop? = try EventLoop()
    do {
      let held = Held()
      seen = held
      loop?.thread.async { withExtendedLifetime(held) {} }
    }
    #expect(seen != nil)
    loop = nil
    #expect(seen == nil)
  }

  @Test func endOfRoundTasksRunOncePerRound() throws {
    let loop = try EventLoop()
    var log: [String] = []
    let flush = loop.roundTask { log.append("flush") }
    let hook = loop.atEndOfRound { log.append("hook") }
    loop.after(.zero) {
      log.append("timer")
      flush.request()
      flush.request()
    }
    try loop.runOnce(timeout: .seconds(20))
    #expect(log == ["timer", "hook", "flush"])
    hook.cancel()
    log = []
    try loop.runOnce(timeout: .zero)
    #expect(log.isEmpty)
    // Asked for between rounds: the loop does not wait before it.
    flush.request()
    let start = ContinuousClock.now
    try loop.runOnce(timeout: .seconds(30))
    #expect(log == ["flush"] && ContinuousClock.now - start < .seconds(20))
  }

  @Test func tasksThatAskForThemselvesDoNotStopTheLoop() throws {
    let loop = try EventLoop()
    var count = 0
    var task: RoundTask?
    task = loop.roundTask {
      count += 1
      task?.request()
    }
    task?.request()
    try loop.runOnce(timeout: .seconds(20))
    #expect(count == 2)
    try loop.runOnce(timeout: .seconds(20))
    #expect(count == 4)
    task = nil
  }
}
