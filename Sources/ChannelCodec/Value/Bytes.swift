/// A run of bytes inside a message, kept alive without a copy.
@usableFromInline
struct Bytes: Sendable {
  @usableFromInline let storage: [UInt8]
  @usableFromInline let lower: UInt32
  @usableFromInline let length: UInt32

  @inlinable
  init(_ storage: [UInt8], lower: Int, count: Int) {
    self.storage = storage
    self.lower = UInt32(truncatingIfNeeded: lower)
    self.length = UInt32(truncatingIfNeeded: count)
  }

  @inlinable
  init(_ storage: [UInt8]) {
    precondition(storage.count <= UInt32.max, "a channel value holds at most 4 GiB")
    self.init(storage, lower: 0, count: storage.count)
  }

  init(_ storage: [UInt8], _ range: Range<Int>) {
    self.init(storage, lower: range.lowerBound, count: range.count)
  }

  @inlinable var count: Int { Int(length) }
  @inlinable var range: Range<Int> { Int(lower)..<Int(lower) + Int(length) }

  /// The bytes for the duration of `body`.
  @inlinable
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (all) throws(Failure) -> Result in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
    }
  }
}

extension Bytes: Hashable {
  @usableFromInline
  static func == (left: Bytes, right: Bytes) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(length)
  }
}
