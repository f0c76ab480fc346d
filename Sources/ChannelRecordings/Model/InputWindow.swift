import SystemInterface

/// The part of a recording that is in memory. It grows with what its reader has not consumed, and
/// moves on with what it has.
struct InputWindow: ~Copyable {
  private static let block = 256 << 10

  private let descriptor: Int32?
  private let closesDescriptor: Bool
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var start = 0
  private var end = 0
  private var isExhausted: Bool
  /// Bytes from the start of the recording to the start of the window.
  private(set) var offset: UInt64 = 0

  /// Reads on from where the descriptor stands.
  init(descriptor: Int32, closesDescriptor: Bool) {
    self.descriptor = descriptor
    self.closesDescriptor = closesDescriptor
    capacity = Self.block
    memory = .allocate(byteCount: capacity, alignment: 16)
    isExhausted = false
  }

  init(bytes: [UInt8]) {
    descriptor = nil
    closesDescriptor = false
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: 16)
    block.copyBytes(from: bytes)
    capacity = block.count
    memory = block.baseAddress ?? .allocate(byteCount: 1, alignment: 16)
    end = bytes.count
    isExhausted = true
  }

  deinit {
    memory.deallocate()
    if closesDescriptor, let descriptor { SystemCalls.closeDescriptor(descriptor) }
  }

  /// What has been read and not consumed; valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    @inline(__always) get { UnsafeRawBufferPointer(start: memory + start, count: end &- start) }
  }

  var count: Int { end &- start }

  @inline(__always)
  mutating func consume(_ count: Int) {
    precondition(count >= 0 && count <= end - start, "more bytes than there are")
    start &+= count
    offset &+= UInt64(count)
  }

  /// Reads more behind what is there; false at the end of the recording.
  mutating func readMore() throws(SystemCalls.Failure) -> Bool {
    guard !isExhausted, let descriptor else { return false }
    if end == capacity { makeRoom() }
    let space = UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end)
    let count = try SystemCalls.readSome(descriptor, into: space)
    if count == 0 { isExhausted = true }
    end += count
    return count > 0
  }

  private mutating func makeRoom() {
    if start > 0, count <= capacity / 2 {
      memory.copyMemory(from: memory + start, byteCount: count)
    } else {
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
      larger.copyMemory(from: memory + start, byteCount: count)
      memory.deallocate()
      memory = larger
      capacity *= 2
    }
    end -= start
    start = 0
  }
}
