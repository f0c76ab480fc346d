/// Checks UTF-8 one table look-up and one shift a byte, with no branch that depends on the text:
/// strings in many scripts mispredict a byte-by-byte decoder at almost every character.
///
/// The automaton has nine states, six bits apart in a 64-bit word: `table[byte] >> state` holds the
/// next state in its low six bits.
@usableFromInline
enum UTF8Check {
  private static let accept: UInt64 = 0
  private static let reject: UInt64 = 6

  /// Byte ranges and the transitions they allow: from a state to a state.
  private static let transitions: [(bytes: ClosedRange<UInt8>, moves: [(UInt64, UInt64)])] = {
    let one: UInt64 = 12  // one continuation byte to come
    let two: UInt64 = 18
    let three: UInt64 = 24
    let afterE0: UInt64 = 30  // a0...bf first, or it is overlong
    let afterED: UInt64 = 36  // 80...9f first, or it is a surrogate
    let afterF0: UInt64 = 42  // 90...bf first, or it is overlong
    let afterF4: UInt64 = 48  // 80...8f first, or it is above U+10FFFF
    return [
      (0x00...0x7f, [(accept, accept)]),
      (0x80...0x8f, [(one, accept), (two, one), (three, two), (afterED, one), (afterF4, two)]),
      (0x90...0x9f, [(one, accept), (two, one), (three, two), (afterED, one), (afterF0, two)]),
      (0xa0...0xbf, [(one, accept), (two, one), (three, two), (afterE0, one), (afterF0, two)]),
      (0xc2...0xdf, [(accept, one)]),
      (0xe0...0xe0, [(accept, afterE0)]),
      (0xe1...0xec, [(accept, two)]),
      (0xed...0xed, [(accept, afterED)]),
      (0xee...0xef, [(accept, two)]),
      (0xf0...0xf0, [(accept, afterF0)]),
      (0xf1...0xf3, [(accept, three)]),
      (0xf4...0xf4, [(accept, afterF4)]),
    ]
  }()

  private static let table: [UInt64] = {
    var table = [UInt64](repeating: 0, count: 256)
    for byte in 0..<256 {
      var row: UInt64 = 0
      for state in stride(from: UInt64(0), through: 48, by: 6) { row |= reject << state }
      for transition in transitions where transition.bytes.contains(UInt8(byte)) {
        for (from, to) in transition.moves {
          row &= ~(0x3f << from)
          row |= to << from
        }
      }
      table[byte] = row
    }
    return table
  }()

  /// The table for a run of checks; fetching it once spares a check per string.
  struct Table {
    fileprivate let rows: UnsafePointer<UInt64>

    /// Whether `count` bytes from `start` are UTF-8. The caller has checked that they are there.
    func isValid(_ start: UnsafePointer<UInt8>, count: Int) -> Bool {
      var state = UTF8Check.accept
      var position = 0
      let words = UnsafeRawPointer(start)
      while position &+ 8 <= count {
        let word = words.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 && state & 0x3f == UTF8Check.accept {
          position &+= 8
          continue
        }
        // Eight loads that do not wait for each other; only the shifts form a chain.
        var shift: UInt64 = 0
        while shift < 64 {
          let byte = Int(truncatingIfNeeded: (word &>> shift) & 0xff)
          state = rows[byte] &>> (state & 0x3f)
          shift &+= 8
        }
        position &+= 8
      }
      if state & 0x3f == UTF8Check.accept {
        // The last bytes are ASCII more often than not: look at them all at once.
        if count >= 8 {
          let last = words.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
          if last & 0x8080_8080_8080_8080 == 0 { return true }
        } else {
          var bits: UInt8 = 0
          for tail in position..<count { bits |= start[tail] }
          if bits < 0x80 { return true }
        }
      }
      while position < count {
        state = rows[Int(start[position])] &>> (state & 0x3f)
        position &+= 1
      }
      return state & 0x3f == UTF8Check.accept
    }
  }

  static func withTable<Result, Failure: Error>(
    _ body: (Table) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try table.withUnsafeBufferPointer { (rows) throws(Failure) -> Result in
      guard let base = rows.baseAddress else { preconditionFailure("the table is not empty") }
      return try body(Table(rows: base))
    }
  }

  /// The offset of the first byte of the first ill-formed sequence, or nil where all is UTF-8.
  @usableFromInline
  static func firstError(in bytes: UnsafeRawBufferPointer) -> Int? {
    let utf8 = bytes.bindMemory(to: UInt8.self)
    guard let start = utf8.baseAddress else { return nil }
    if withTable({ $0.isValid(start, count: utf8.count) }) { return nil }
    var state = accept
    var sequence = 0
    for (position, byte) in utf8.enumerated() {
      if state & 0x3f == accept { sequence = position }
      state = table[Int(byte)] &>> (state & 0x3f)
      if state & 0x3f == reject { return sequence }
    }
    return sequence
  }

  /// The length of the well-formed character that starts at `offset`, or nil.
  static func sequenceLength(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    var state = accept
    for position in offset..<Swift.min(offset + 4, bytes.count) {
      state = table[Int(bytes[position])] &>> (state & 0x3f)
      if state & 0x3f == accept { return position - offset + 1 }
      if state & 0x3f == reject { return nil }
    }
    return nil
  }
}
