import ChannelCodec

/// Makes values of every type, with a liking for what implementations trip over.
struct RandomValues {
  /// The extension types that may be drawn; empty for none.
  var extensionTypes: [UInt8] = []
  var hasLargeIntegers = true
  var hasIllFormedText = true
  var largestDepth = 6

  func value(_ random: inout Random) -> Value {
    var builder = ValueBuilder()
    var budget = random.chance(5) ? 400 : 40
    append(to: &builder, &random, depth: 0, budget: &budget)
    return builder.finish()
  }

  func text(_ random: inout Random) -> Value.Text { Value.Text(bytes: bytes(&random)) }

  private func append(
    to builder: inout ValueBuilder, _ random: inout Random, depth: Int, budget: inout Int
  ) {
    budget -= 1
    let isContainer = depth < largestDepth && budget > 0 && random.chance(depth == 0 ? 70 : 25)
    guard isContainer else { return builder.append(leaf(&random)) }
    let count = min(budget, random.below(random.chance(10) ? 40 : 6))
    switch random.below(extensionTypes.isEmpty ? 2 : 3) {
    case 0:
      builder.beginList()
      for _ in 0..<count {
        append(to: &builder, &random, depth: depth + 1, budget: &budget)
      }
    case 1:
      builder.beginMap()
      for _ in 0..<count {
        if random.chance(80) {
          builder.append(key(&random))
        } else {
          append(to: &builder, &random, depth: depth + 1, budget: &budget)
        }
        append(to: &builder, &random, depth: depth + 1, budget: &budget)
      }
    default:
      builder.beginCustom(random.pick(extensionTypes))
      append(to: &builder, &random, depth: depth + 1, budget: &budget)
    }
    builder.end()
  }

  /// From a small set, so that keys repeat, also across types.
  private func key(_ random: inout Random) -> Value {
    guard random.chance(25) else { return plainKey(&random) }
    switch random.below(4) {
    case 0: return .float32List([random.pick([0, -0.0, .nan, Float(bitPattern: 0x7f80_0001)])])
    case 1: return .float64List([random.pick([0, -0.0, 1, .nan])])
    case 2: return .list([plainKey(&random)])
    default:
      let pairs = [plainKey(&random), plainKey(&random)].map { ($0, plainKey(&random)) }
      return .map(Value.Map(random.chance(50) ? pairs : pairs.reversed()))
    }
  }

  private func plainKey(_ random: inout Random) -> Value {
    switch random.below(12) {
    case 0: .int32(Int32(random.below(3)))
    case 1: .int64(Int64(random.below(3)))
    case 2: .float64(random.pick([0, -0.0, 1, 2, .nan, 0.5, .infinity, 4_294_967_296]))
    case 3: .bool(random.chance(50))
    case 4: .null
    case 5: .string(text(&random))
    case 6: .int64(Int64(random.below(3)) << 32)
    default: .string(Value.Text(random.pick(["a", "b", "c", "aa", "", "é", "e\u{301}", "1"])))
    }
  }

  private func leaf(_ random: inout Random) -> Value {
    switch random.below(hasLargeIntegers ? 14 : 13) {
    case 0: return .null
    case 1: return .bool(random.chance(50))
    case 2: return .int32(Int32(truncatingIfNeeded: integer(&random)))
    case 3: return .int64(integer(&random))
    case 4, 5: return .float64(double(&random))
    case 6, 7: return .string(text(&random))
    case 8: return .uint8List(Value.TypedList(bytes(&random)))
    case 9:
      return .int32List(
        Value.TypedList(array(&random) { Int32(truncatingIfNeeded: integer(&$0)) }))
    case 10: return .int64List(Value.TypedList(array(&random, integer)))
    case 11:
      return .float32List(
        Value.TypedList(
          array(&random) { random in
            random.chance(30)
              ? Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
              : random.pick([0, -0.0, 1.5, .nan, -.infinity, Float(bitPattern: 0x7f80_0001)])
          }))
    case 12: return .float64List(Value.TypedList(array(&random, double)))
    default: return .largeInteger(Value.LargeInteger(Value.Text(digits(&random))))
    }
  }

  private func array<Element>(
    _ random: inout Random, _ element: (inout Random) -> Element
  ) -> [Element] {
    (0..<random.below(random.chance(5) ? 70 : 5)).map { _ in element(&random) }
  }

  private func integer(_ random: inout Random) -> Int64 {
    switch random.below(6) {
    case 0: Int64(random.below(300)) - 20
    case 1: Int64(Int32.max) + Int64(random.below(5)) - 2
    case 2: Int64(Int32.min) + Int64(random.below(5)) - 2
    case 3: (1 << 53) + Int64(random.below(5)) - 2
    case 4: random.pick([.max, .min, -1, 0])
    default: Int64(bitPattern: random.next())
    }
  }

  private func double(_ random: inout Random) -> Double {
    switch random.below(4) {
    case 0:
      random.pick([0, -0.0, 1, -1, 0.1, .infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude])
    case 1: Double(integer(&random))
    case 2: Double(bitPattern: 0x7ff0_0000_0000_0000 | random.next() & 0x800f_0000_0000_00ff)
    default: Double(bitPattern: random.next())
    }
  }

  private func digits(_ random: inout Random) -> String {
    let sign = random.pick(["", "-", "", "+", "0", "00", "-0"])
    let number = String(random.next(), radix: 16, uppercase: random.chance(20))
    return random.chance(4) ? sign : sign + number
  }

  /// Text, mostly; every length around the edges of the size field now and then.
  private func bytes(_ random: inout Random) -> [UInt8] {
    let length =
      switch random.below(40) {
      case 0: 250 + random.below(8)
      case 1: random.below(600)
      case 2: 0
      default: random.below(14)
      }
    var bytes: [UInt8] = []
    while bytes.count < length {
      switch random.below(hasIllFormedText ? 24 : 20) {
      case 0: bytes += [0xef, 0xbb, 0xbf]
      case 1: bytes += Array("é".utf8)
      case 2: bytes += Array("漢".utf8)
      case 3: bytes += Array("😀".utf8)
      case 4: bytes.append(0)
      case 5: bytes.append(UInt8(random.below(0x20)))
      case 20: bytes += [0xed, UInt8(0xa0 + random.below(32)), UInt8(0x80 + random.below(64))]
      case 21: bytes.append(random.byte())
      default: bytes.append(UInt8(0x20 + random.below(0x5f)))
      }
    }
    return bytes
  }
}
