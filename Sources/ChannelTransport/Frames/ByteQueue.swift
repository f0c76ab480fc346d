/// Bytes that enter at one end and leave at the other, in one block of memory that only grows with
/// what is in it.
struct ByteQueue: ~Copyable {
  /// A drained queue gives back a block larger than this.
  private static let largestIdleBlock = 1 << 20
  private static let smallestBlock = 4 << 10

  private var memory: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private var start = 0
  private var end = 0

  deinit { memory?.deallocate() }

  var count: Int { end &- start }

  /// The bytes inside; valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    guard let memory else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: memory + start, count: count)
  }

  /// The free memory at the end: `needed` bytes or more. Valid until the next change.
  mutating func space(atLeast needed: Int) -> UnsafeMutableRawBufferPointer {
    if memory == nil || capacity &- end < needed { makeRoom(needed) }
    guard let memory else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: memory + end, count: capacity &- end)
  }

  /// Takes over what has been written to the start of ``space(atLeast:)``.
  mutating func commit(_ added: Int) {
    precondition(added >= 0 && added <= capacity - end, "more bytes than there was space")
    end += added
  }

  mutating func append(_ added: UnsafeRawBufferPointer) {
    space(atLeast: added.count).copyMemory(from: added)
    commit(added.count)
  }

  mutating func consume(_ taken: Int) {
    precondition(taken >= 0 && taken <= count, "more bytes than there are")
    start += taken
    if start < end { return }
    start = 0
    end = 0
    if capacity > Self.largestIdleBlock { replaceBlock(capacity: 0) }
  }

  @inline(never)
  private mutating func makeRoom(_ needed: Int) {
    // Moving less than half of the block pays for itself: as much must come before the next move.
    if let memory, count <= capacity / 2, capacity - count >= needed {
      memory.copyMemory(from: memory + start, byteCount: count)
      end = count
      start = 0
    } else {
      replaceBlock(capacity: max(capacity * 2, count + needed, Self.smallestBlock))
    }
  }

  private mutating func replaceBlock(capacity newCapacity: Int) {
    let block =
      newCapacity > 0
      ? UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16) : nil
    let kept = count
    if let memory, let block { block.copyMemory(from: memory + start, byteCount: kept) }
    memory?.deallocate()
    memory = block
    capacity = newCapacity
    start = 0
    end = kept
  }
}
