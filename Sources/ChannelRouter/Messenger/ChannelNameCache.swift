/// Channel names by their bytes. A connection or a recording has few, so most need neither a check
/// nor memory.
public struct ChannelNameCache {
  private static let size = 256
  private var names: [ChannelName?] = Array(repeating: nil, count: size)
  private var latest: ChannelName?

  public init() {}

  /// The name with these bytes; nil if they are no name, or none at all.
  public mutating func name(of bytes: UnsafeRawBufferPointer) -> ChannelName? {
    // Most frames come on the channel of the one before.
    if let latest, Self.isEqual(latest.utf8, bytes) { return latest }
    let place = Self.place(of: bytes)
    if let known = names[place], Self.isEqual(known.utf8, bytes) {
      latest = known
      return known
    }
    guard !bytes.isEmpty, let name = ChannelName(validating: bytes) else { return nil }
    names[place] = name
    latest = name
    return name
  }

  /// Names that share a place take turns in it.
  @inline(__always)
  private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(bytes.count)
    var position = 0
    while position &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      position &+= 8
    }
    while position < bytes.count {
      hash = (hash ^ UInt64(bytes[position])) &* 0x9e37_79b9_7f4a_7c15
      position &+= 1
    }
    return Int(hash >> 56)
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
