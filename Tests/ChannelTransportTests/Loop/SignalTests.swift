import ChannelTransport
import Foundation
import SystemInterface
import Testing

// One after the other: signals belong to the process.
@Suite(.serialized) struct SignalTests {
  @Test(arguments: [Signal.terminate, .interrupt, .hangUp])
  func signalsReachTheirHandler(signal: Signal) throws {
    let loop = try EventLoop()
    var seen: [Signal] = []
    let watch = try loop.onSignal([.terminate, .interrupt, .hangUp]) { seen.append($0) }
    try SystemCalls.send(signal, to: SystemCalls.processID)
    try run(loop) { !seen.isEmpty }
    #expect(seen == [signal])
    watch.cancel()
    #expect(loop.watchCount == 0)
  }

  @Test func severalLoopsHearOfOneSignal() throws {
    let first = try EventLoop()
    let second = try EventLoop()
    var seen: [String] = []
    let one = try first.onSignal([.terminate]) { _ in seen.append("first") }
    let two = try second.onSignal([.terminate, .interrupt]) { seen.append("second \($0)") }
    try SystemCalls.send(.terminate, to: SystemCalls.processID)
    try run(first) { seen.contains("first") }
    try run(second) { seen.contains("second terminate") }
    one.cancel()
    // The first one's pipe is used again; it must not bring old signals along.
    let three = try first.onSignal([.interrupt]) { _ in seen.append("third") }
    try first.runOnce(timeout: .milliseconds(20))
    #expect(seen == ["first", "second terminate"])
    try SystemCalls.send(.interrupt, to: SystemCalls.processID)
    try run(first) { seen.contains("third") }
    two.cancel()
    three.cancel()
  }

  @Test func aBurstOfSignalsIsNotLost() throws {
    let loop = try EventLoop()
    var seen = 0
    let watch = try loop.onSignal([.terminate]) { _ in seen += 1 }
    for _ in 0..<2000 { try SystemCalls.send(.terminate, to: SystemCalls.processID) }
    try run(loop) { seen > 0 }
    #expect(seen >= 1)
    // Nothing is left over.
    try run(loop) { (try? !loop.runOnce(timeout: .milliseconds(10))) ?? true }
    let before = seen
    try SystemCalls.send(.terminate, to: SystemCalls.processID)
    try run(loop) { seen > before }
    watch.cancel()
  }

  @Test func endOfAChildIsASignal() throws {
    let loop = try EventLoop()
    var code: Int32?
    var child: ChildProcess?
    let watch = try loop.onSignal([.childEnded]) { _ in
      if let ended = try? child?.checkForEnd() { code = ended }
    }
    child = try ChildProcess(["sh", "-c", "exit 7"])
    try run(loop) { code != nil }
    #expect(code == 7)
    watch.cancel()
  }

  @Test func hangUpThatWasIgnoredStaysIgnored() async {
    // As after nohup. In a process of its own, since its start decides.
    await #expect(processExitsWith: .success) {
      _ = signal(SIGHUP, SIG_IGN)
      let source = try SignalSource([.hangUp, .terminate])
      try SystemCalls.send(.hangUp, to: SystemCalls.processID)
      try SystemCalls.send(.terminate, to: SystemCalls.processID)
      guard try SystemCalls.waitUntilReady(source.descriptor, .readable, nanoseconds: 5_000_000_000)
      else { exit(1) }
      let seen = source.take()
      if seen != [.terminate] { exit(2) }
    }
  }
}
