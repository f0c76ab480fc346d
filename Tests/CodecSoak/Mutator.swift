/// Damages messages.
enum Mutator {
  private static let interesting: [UInt8] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 127, 128, 129, 200, 253, 254,
    255,
  ]

  static func mutate(_ message: [UInt8], _ random: inout Random, other: [UInt8]) -> [UInt8] {
    var bytes = message
    for _ in 0...random.below(4) { step(&bytes, &random, other) }
    return bytes
  }

  /// Bytes without a plan, but from those that mean something.
  static func noise(_ random: inout Random) -> [UInt8] {
    let length = random.chance(5) ? random.below(400) : random.below(40)
    return (0..<length).map { _ in
      switch random.below(10) {
      case 0...4: UInt8(random.below(15))
      case 5: random.pick(interesting)
      case 6: UInt8(random.below(5))
      default: random.byte()
      }
    }
  }

  private static func step(_ bytes: inout [UInt8], _ random: inout Random, _ other: [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(random.pick(interesting)) }
    let at = random.below(bytes.count)
    switch random.below(12) {
    case 0: bytes[at] ^= 1 << UInt8(random.below(8))
    case 1: bytes[at] = random.byte()
    case 2: bytes[at] = random.pick(interesting)
    case 3: bytes.insert(random.chance(60) ? random.pick(interesting) : random.byte(), at: at)
    case 4: bytes.remove(at: at)
    case 5: bytes.removeLast(bytes.count - at)
    case 6: splice(&bytes, at, &random, other)
    case 7, 8: replaceSize(&bytes, afterTypeFrom: at, &random)
    case 9: bytes.append(random.pick(interesting))
    case 10: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(8)))
    default:
      let end = min(bytes.count, at + 1 + random.below(16))
      bytes.insert(contentsOf: bytes[at..<end], at: at)
    }
  }

  private static func splice(
    _ bytes: inout [UInt8], _ at: Int, _ random: inout Random, _ other: [UInt8]
  ) {
    guard !other.isEmpty else { return }
    let start = random.below(other.count)
    if random.chance(50) {
      bytes.replaceSubrange(at..., with: other[start...])
    } else {
      let end = min(other.count, start + 1 + random.below(20))
      bytes.insert(contentsOf: other[start..<end], at: at)
    }
  }

  /// Finds what looks like a sized type at or after `start` and changes the size behind it.
  private static func replaceSize(
    _ bytes: inout [UInt8], afterTypeFrom start: Int, _ random: inout Random
  ) {
    let sized: Set<UInt8> = [5, 7, 8, 9, 10, 11, 12, 13, 14]
    let type = bytes[start...].firstIndex { sized.contains($0) } ?? start
    let at = type + 1
    guard at < bytes.count else { return }
    let old = bytes[at]
    switch random.below(9) {
    case 0: bytes[at] = old &+ 1
    case 1: bytes[at] = old &- 1
    case 2: bytes.replaceSubrange(at...at, with: [254, old, 0])
    case 3: bytes.replaceSubrange(at...at, with: [255, old, 0, 0, 0])
    case 4: bytes.replaceSubrange(at...at, with: [255, 255, 255, 255, 255])
    case 5: bytes.replaceSubrange(at...at, with: [255, 255, 255, 255, 127])
    case 6: bytes.replaceSubrange(at...at, with: [255, 0, 0, 0, random.pick([128, 32, 64, 16])])
    case 7: bytes.replaceSubrange(at...at, with: [254, 255, 255])
    default: bytes[at] = UInt8(truncatingIfNeeded: bytes.count - at - 1 + random.below(3))
    }
  }
}
