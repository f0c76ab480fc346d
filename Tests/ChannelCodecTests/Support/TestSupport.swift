import ChannelCodec
import Foundation

/// The bytes of hexadecimal text; spaces are for the eye.
func wire(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.filter { $0 != UInt8(ascii: " ") }
  precondition(digits.count.isMultiple(of: 2), "half a byte in \(hex)")
  return stride(from: 0, to: digits.count, by: 2).map { start in
    let pair = String(decoding: digits[start...start + 1], as: UTF8.self)
    guard let byte = UInt8(pair, radix: 16) else { preconditionFailure("no byte: \(pair)") }
    return byte
  }
}

extension [UInt8] {
  /// Hexadecimal text with spaces, cut where it gets long.
  var wireText: String {
    let bytes = prefix(80).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return bytes.joined(separator: " ") + (count > 80 ? " … (\(count) bytes)" : "")
  }

  static func repeating(_ hex: String, _ count: Int) -> [UInt8] {
    let part = wire(hex)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.count * count)
    for _ in 0..<count { bytes += part }
    return bytes
  }
}

enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = root.appending(path: "Tests/Fixtures")
}

/// SplitMix64 from a seed that is printed, and taken from `PWBRIDGE_TEST_SEED` to repeat a failure.
struct TestRandom: RandomNumberGenerator {
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["PWBRIDGE_TEST_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("random tests use PWBRIDGE_TEST_SEED=\(seed)")
    return seed
  }()

  private var state: UInt64

  /// `stream` keeps tests apart, so that one more draw in one does not change another.
  init(stream: UInt64) { state = TestRandom.seed &* 0x9e37_79b9_7f4a_7c15 &+ stream }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

/// Runs `body` on a thread with the stack of a secondary thread on Apple's systems.
func onSmallStack<Outcome: Sendable>(
  _ body: @escaping @Sendable () throws -> Outcome
) async throws -> Outcome {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    thread.stackSize = 512 << 10
    thread.start()
  }
}

/// The error of `body`, or nil where it succeeds.
func codecError<Outcome>(_ body: () throws(CodecError) -> Outcome) -> CodecError? {
  do throws(CodecError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
