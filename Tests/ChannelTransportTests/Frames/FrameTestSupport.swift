import ChannelRouter
import ChannelTransport
import Foundation

/// The bytes of hexadecimal text; spaces and line ends are for the eye.
func wireBytes(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.filter { ![0x20, 0x0a, 0x0d].contains($0) }
  precondition(digits.count.isMultiple(of: 2), "half a byte in \(hex)")
  return stride(from: 0, to: digits.count, by: 2).map { start in
    let pair = String(decoding: digits[start...start + 1], as: UTF8.self)
    guard let byte = UInt8(pair, radix: 16) else { preconditionFailure("no byte: \(pair)") }
    return byte
  }
}

extension [UInt8] {
  /// Hexadecimal text, cut where it gets long.
  var hexText: String {
    let bytes = prefix(96).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return bytes.joined(separator: " ") + (count > 96 ? " ... (\(count) bytes)" : "")
  }
}

/// What a reader makes of a whole stream.
struct StreamOutcome: Equatable {
  var events: [FrameReader.Event] = []
  /// What was thrown, by ``FrameReader/next()`` or at the end of the stream.
  var error: FrameError?

  var frames: [Frame] {
    events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }
}

/// Reads a stream that arrives in pieces.
func readStream(
  _ pieces: [[UInt8]], limits: FrameLimits = FrameLimits(), expectsHello: Bool = false
) -> StreamOutcome {
  let reader = FrameReader(limits: limits, expectsHello: expectsHello)
  var outcome = StreamOutcome()
  do throws(FrameError) {
    for piece in pieces {
      var rest = piece[...]
      while !rest.isEmpty {
        // As read(2) does it: one call, then whatever it completed.
        let count = reader.withSpace(atLeast: 1) { space in
          let count = min(space.count, rest.count)
          UnsafeMutableRawBufferPointer(rebasing: space[..<count]).copyBytes(
            from: rest.prefix(count))
          return count
        }
        rest = rest.dropFirst(count)
        while let event = try reader.next() { outcome.events.append(event) }
      }
    }
    try reader.finish()
  } catch {
    outcome.error = error
  }
  return outcome
}

func readStream(
  _ bytes: [UInt8], limits: FrameLimits = FrameLimits(), expectsHello: Bool = false
) -> StreamOutcome {
  readStream([bytes], limits: limits, expectsHello: expectsHello)
}

/// SplitMix64 from a seed that is printed, and taken from `PWBRIDGE_TEST_SEED` to repeat a failure.
struct FrameTestRandom: RandomNumberGenerator {
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["PWBRIDGE_TEST_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("random frame tests use PWBRIDGE_TEST_SEED=\(seed)")
    return seed
  }()

  private var state: UInt64

  init(stream: UInt64) { state = Self.seed &* 0x9e37_79b9_7f4a_7c15 &+ stream }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// The bytes of a frame, written by the writer.
func encodedFrame(_ frame: Frame) throws -> [UInt8] {
  let writer = FrameWriter()
  try writer.append(frame)
  return writer.takePending()
}

func encodedHello(_ hello: Hello = Hello()) throws -> [UInt8] {
  let writer = FrameWriter()
  try writer.hello(hello)
  return writer.takePending()
}
