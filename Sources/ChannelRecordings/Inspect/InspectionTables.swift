import ChannelRouter

/// The channels of a recording by number, found without hashing a name: a reader hands out the same
/// memory for the same name.
struct ChannelTable {
  /// Channels that are told apart; those beyond are counted together.
  static let limit = 4_096

  private(set) var names: [ChannelName] = []
  private var numbers: [ChannelName: Int] = [:]
  private var recent: [(name: ChannelName, number: Int)?] = Array(repeating: nil, count: 256)
  /// The number of the channel that stands for all beyond the limit.
  private(set) var others: Int?

  static let othersName: ChannelName = "(other channels)"

  /// The number of a channel, and whether it is a new one.
  @inline(__always)
  mutating func number(of name: ChannelName) -> (number: Int, isNew: Bool) {
    let address = name.utf8.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let slot = Int((address >> 5 ^ address >> 13) & 255)
    // The cache holds on to the name, so its memory cannot have become another's.
    if let known = recent[slot],
      known.name.utf8.withUnsafeBufferPointer({ UInt(bitPattern: $0.baseAddress) }) == address,
      known.name.utf8.count == name.utf8.count
    {
      return (known.number, false)
    }
    let found = lookUp(name)
    recent[slot] = (name, found.number)
    return found
  }

  private mutating func lookUp(_ name: ChannelName) -> (number: Int, isNew: Bool) {
    if let number = numbers[name] { return (number, false) }
    if names.count >= Self.limit {
      if let others { return (others, false) }
      names.append(Self.othersName)
      others = names.count - 1
      return (names.count - 1, true)
    }
    names.append(name)
    numbers[name] = names.count - 1
    return (names.count - 1, true)
  }
}

/// The rows of the table, found by channel, direction, shape and method.
struct RowTable {
  /// Methods of all channels that are told apart; those beyond count as `(other methods)`.
  static let limit = 8_192

  private(set) var rows: [MethodRow] = []
  private var slots: [Int32] = Array(repeating: -1, count: limit * 4)
  private var hashes: [UInt64] = []
  private(set) var isFull = false

  @inline(__always)
  mutating func row(
    _ channel: Int, _ direction: RecordedEvent.Direction, _ shape: MessageShape,
    _ name: UnsafeRawBufferPointer
  ) -> Int {
    let seed =
      UInt64(truncatingIfNeeded: channel) << 8 | UInt64(direction.rawValue) << 4
      | UInt64(shape.rawValue)
    let hash = Self.hash(name, seed)
    var slot = Int(truncatingIfNeeded: hash >> 40) & (slots.count - 1)
    while slots[slot] >= 0 {
      let found = Int(slots[slot])
      if hashes[found] == hash, isRow(found, channel, direction, shape, name) { return found }
      slot = (slot + 1) & (slots.count - 1)
    }
    if rows.count >= Self.limit, !name.isEmpty {
      isFull = true
      return row(channel, direction, shape, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let method: [UInt8]? = name.isEmpty ? nil : Array(name)
    rows.append(
      MethodRow(channel: channel, direction: direction, shape: shape, method: method))
    hashes.append(hash)
    // Nameless rows are few for a channel, but channels are many.
    if rows.count * 2 < slots.count { slots[slot] = Int32(rows.count - 1) } else { grow() }
    return rows.count - 1
  }

  @inline(__always)
  mutating func update(_ row: Int, _ body: (inout MethodRow) -> Void) { body(&rows[row]) }

  private func isRow(
    _ row: Int, _ channel: Int, _ direction: RecordedEvent.Direction, _ shape: MessageShape,
    _ name: UnsafeRawBufferPointer
  ) -> Bool {
    guard rows[row].channel == channel, rows[row].direction == direction,
      rows[row].shape == shape
    else { return false }
    guard let method = rows[row].method else { return name.isEmpty }
    return method.withUnsafeBytes { known in
      guard known.count == name.count else { return false }
      var position = 0
      while position < known.count {
        if known[position] != name[position] { return false }
        position &+= 1
      }
      return true
    }
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (row, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash >> 40) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(row)
    }
  }

  @inline(__always)
  static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var hash = seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bytes.count)
    var position = 0
    while position &+ 8 <= bytes.count {
      hash ^= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      hash = hash &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
      position &+= 8
    }
    while position < bytes.count {
      hash = (hash ^ UInt64(bytes[position])) &* 0x9e37_79b9_7f4a_7c15
      position &+= 1
    }
    return (hash ^ hash >> 32) &* 0xd6e8_feb8_6659_fd93
  }
}
