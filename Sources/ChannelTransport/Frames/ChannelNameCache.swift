import ChannelRouter

/// The channel names that came last. A connection uses few, so most need neither a check nor memory.
struct ChannelNameCache {
  private static let size = 8

  private var names: [ChannelName] = []
  private var nextVictim = 0

  /// The name with these bytes; nil if they are no name.
  mutating func name(of bytes: UnsafeRawBufferPointer) -> ChannelName? {
    for index in names.indices where Self.isEqual(names[index].utf8, bytes) { return names[index] }
    guard let name = ChannelName(validating: bytes) else { return nil }
    if names.count < Self.size {
      names.append(name)
    } else {
      names[nextVictim] = name
      nextVictim = (nextVictim + 1) % Self.size
    }
    return name
  }

  @inline(__always)
  private static func isEqual(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard name.count == bytes.count else { return false }
    return name.withUnsafeBytes { known in
      var position = 0
      while position &+ 8 <= known.count {
        let left = known.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let right = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if left != right { return false }
        position &+= 8
      }
      while position < known.count {
        if known[position] != bytes[position] { return false }
        position &+= 1
      }
      return true
    }
  }
}
