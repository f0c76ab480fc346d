/// The generator behind ids and tokens: small, and the same on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// `stream` keeps uses apart, so that one more draw for one does not change another.
  init(seed: UInt64, stream: UInt64) {
    state = seed &+ stream &* 0xd1b5_4a32_d192_ed03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A random UUID (version 4) in upper case, as `UUID().uuidString` prints it.
  mutating func uuid() -> String {
    let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for position in 0..<32 {
      if [8, 12, 16, 20].contains(position) { text.append(UInt8(ascii: "-")) }
      let word = position < 16 ? high : low
      text.append(digits[Int(word >> UInt64(60 - position % 16 * 4) & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `count` random bytes as lower-case hexadecimal.
  mutating func token(bytes count: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(max(count, 0) * 2)
    var word: UInt64 = 0
    for position in 0..<max(count, 0) * 2 {
      if position.isMultiple(of: 16) { word = next() }
      text.append(digits[Int(word & 15)])
      word >>= 4
    }
    return String(decoding: text, as: UTF8.self)
  }
}
