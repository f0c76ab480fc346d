import ChannelTransport
import SystemInterface
import Testing

/// Runs rounds until `isDone`, but not for longer than `seconds`; the busy machine gets its time.
func run(
  _ loop: EventLoop, seconds: Int = 20, until isDone: () -> Bool,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while !isDone() {
    guard ContinuousClock.now < end else {
      Issue.record("not done after \(seconds) seconds", sourceLocation: sourceLocation)
      return
    }
    try loop.runOnce(timeout: .milliseconds(50))
  }
}

/// Reads what is there; nil at the end of the input.
func drain(_ descriptor: Int32, atMost limit: Int = 65536) throws -> [UInt8]? {
  var memory = [UInt8](repeating: 0, count: limit)
  let count = try memory.withUnsafeMutableBytes {
    try SystemCalls.readAvailable(descriptor, into: $0)
  }
  guard let count else { return [] }
  return count == 0 ? nil : Array(memory[..<count])
}

func send(_ bytes: [UInt8], to descriptor: Int32) throws {
  try FileDescriptorIO.writeAll(descriptor, bytes)
}

/// Calls `body` with the path of a directory that is removed afterwards, with what is in it.
func withPrivateDirectory(_ body: (String) throws -> Void) throws {
  let directory = try SystemCalls.makePrivateDirectory(prefix: "pwbridge-test-")
  defer {
    let child = try? ChildProcess(["rm", "-rf", directory])
    _ = try? child?.wait()
  }
  try body(directory)
}

/// A small generator with a seed that a failing test can print.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: 1...UInt64.max)) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
