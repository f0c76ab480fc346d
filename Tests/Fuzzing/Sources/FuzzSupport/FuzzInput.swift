/// One input of a fuzzer: a few bytes that steer, and the rest.
public struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  /// - Parameters: as libFuzzer hands them over.
  public init(_ data: UnsafePointer<UInt8>?, _ size: Int) {
    rest = Array(UnsafeBufferPointer(start: data, count: size))[...]
  }

  /// The next byte; 0 behind the end.
  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of `choices`, which are not empty.
  public mutating func choice<Choices: RandomAccessCollection>(
    of choices: Choices
  ) -> Choices.Element where Choices.Index == Int {
    choices[choices.startIndex + Int(byte()) % choices.count]
  }

  /// Up to `count` bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  public var isEmpty: Bool { rest.isEmpty }

  /// All that is left.
  public func remainder() -> [UInt8] { Array(rest) }
}

/// Stops the fuzzer, which keeps the input.
public func require(_ condition: Bool, _ text: @autoclosure () -> String) {
  if !condition { fatalError(text()) }
}
