/// Damages messages as a faulty peer would.
enum Mutation {
  private static let telling: [UInt8] = [
    0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 127, 128, 253, 254, 255,
  ]

  static func damaged(_ message: [UInt8], _ random: inout RandomNumbers) -> [UInt8] {
    var bytes = message
    for _ in 0...random.below(3) { damage(&bytes, &random) }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    guard !bytes.isEmpty else { return bytes.append(random.pick(telling)) }
    let place = random.below(bytes.count)
    switch random.below(10) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = random.byte()
    case 2: bytes[place] = random.pick(telling)
    case 3: bytes.insert(random.pick(telling), at: place)
    case 4: bytes.remove(at: place)
    case 5, 6: bytes.removeLast(bytes.count - place)
    case 7: bytes.append(random.pick(telling))
    case 8: bytes.replaceSubrange(place...place, with: [254, bytes[place], 0])
    default: bytes.replaceSubrange(place...place, with: [255, 255, 255, 255, random.byte()])
    }
  }
}
