import ChannelCodec

/// One input of a fuzzer: bytes that steer, and bytes that are read.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  /// - Parameters: as libFuzzer hands them over.
  init(_ data: UnsafePointer<UInt8>?, _ size: Int) {
    rest = Array(UnsafeBufferPointer(start: data, count: size))[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  /// The next byte; 0 behind the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number of eight bytes, the lowest first.
  mutating func number() -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(byte()) << (8 * UInt64($1)) }
  }

  /// One of `choices`, which are not empty.
  mutating func choice<Choices: RandomAccessCollection>(
    of choices: Choices
  ) -> Choices.Element where Choices.Index == Int {
    choices[choices.startIndex + Int(byte()) % choices.count]
  }

  /// Up to `count` bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// All that is left.
  func remainder() -> [UInt8] { Array(rest) }
}

/// Stops the fuzzer, which keeps the input.
func require(_ condition: Bool, _ text: @autoclosure () -> String) {
  if !condition { fatalError(text()) }
}
