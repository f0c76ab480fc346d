/// Counts what would be written, so that the message can be allocated once and exactly.
struct CountingSink: WireSink {
  private(set) var position = 0

  mutating func put(_ byte: UInt8) { position &+= 1 }
  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    position &+= MemoryLayout<Number>.size
  }
  mutating func put(_ bytes: UnsafeRawBufferPointer) { position &+= bytes.count }
  mutating func putZeros(_ count: Int) { position &+= count }
}

/// Counts, and writes what falls within a little memory.
struct MeasuringSink: WireSink {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var position = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  mutating func put(_ byte: UInt8) {
    if position < memory.count { memory[position] = byte }
    position &+= 1
  }

  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    if position &+ MemoryLayout<Number>.size <= memory.count {
      memory.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
    }
    position &+= MemoryLayout<Number>.size
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    let start = position
    position &+= bytes.count
    guard position <= memory.count else { return }
    if bytes.count >= 8 && bytes.count <= 16 {
      // Two words that may overlap: most names are this long, and a call to copy costs more.
      let last = bytes.count &- 8
      memory.storeBytes(
        of: bytes.loadUnaligned(as: UInt64.self), toByteOffset: start, as: UInt64.self)
      memory.storeBytes(
        of: bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self),
        toByteOffset: start &+ last, as: UInt64.self)
      return
    }
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<position]).copyMemory(from: bytes)
  }

  mutating func putZeros(_ count: Int) {
    for _ in 0..<count { put(0) }
  }
}

/// Writes into memory whose size a ``CountingSink`` has found.
struct MemorySink: WireSink {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var position = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  mutating func put(_ byte: UInt8) {
    memory[position] = byte
    position &+= 1
  }

  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    memory.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
    position &+= MemoryLayout<Number>.size
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    let end = position &+ bytes.count
    UnsafeMutableRawBufferPointer(rebasing: memory[position..<end]).copyMemory(from: bytes)
    position = end
  }

  mutating func putZeros(_ count: Int) {
    for _ in 0..<count { put(0) }
  }
}

/// Appends to an array that grows.
struct ArraySink: WireSink {
  private(set) var bytes: [UInt8] = []
  /// What stands before these bytes in the message.
  var origin = 0

  var position: Int { origin + bytes.count }

  mutating func put(_ byte: UInt8) { bytes.append(byte) }
  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func put(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
  mutating func putZeros(_ count: Int) {
    for _ in 0..<count { bytes.append(0) }
  }

  mutating func overwrite(_ number: UInt32, at offset: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}
