import ChannelCodec
import ChannelNotation

/// Makes values that implementations trip over: sizes at the edges, doubles behind everything,
/// empty lists, keys of every kind.
struct RandomContent {
  /// Nothing on which implementations differ: no repeated keys, no number wider than it need be, no
  /// text that somebody cuts, drops or refuses.
  let isPlain: Bool

  private static let deepest = 6
  private static let names = ["", "a", "b", "id", "elapsedSeconds", "é", "e\u{301}", "漢字", "😀"]

  func content(_ codec: NamedCodec.Name, _ random: inout RandomNumbers) -> Content {
    switch codec {
    case .call: return .call(MethodCall(text(&random), value(&random)))
    case .envelope:
      if !random.isOneIn(3) { return .envelope(.success(value(&random))) }
      let message = random.isOneIn(3) ? nil : text(&random)
      return .envelope(.error(code: text(&random), message: message, details: value(&random)))
    default: return .message(value(&random))
    }
  }

  func value(_ random: inout RandomNumbers) -> Value {
    var builder = ValueBuilder()
    var budget = random.isOneIn(20) ? 300 : 24
    append(to: &builder, &random, depth: 0, &budget)
    return builder.finish()
  }

  private func append(
    to builder: inout ValueBuilder, _ random: inout RandomNumbers, depth: Int,
    _ budget: inout Int
  ) {
    budget -= 1
    let isContainer =
      depth < Self.deepest && budget > 0 && (depth == 0 ? !random.isOneIn(3) : random.isOneIn(4))
    guard isContainer else { return builder.append(leaf(&random)) }
    let count = min(budget, random.below(random.isOneIn(12) ? 40 : 6))
    if random.isOneIn(2) {
      builder.beginList()
      for _ in 0..<count { append(to: &builder, &random, depth: depth + 1, &budget) }
    } else {
      builder.beginMap()
      var used: Set<Value> = []
      for _ in 0..<count {
        let key = key(&random)
        if isPlain, !used.insert(key).inserted { continue }
        builder.append(key)
        append(to: &builder, &random, depth: depth + 1, &budget)
      }
    }
    builder.end()
  }

  private func key(_ random: inout RandomNumbers) -> Value {
    switch random.below(isPlain ? 8 : 12) {
    case 0: .int32(Int32(truncatingIfNeeded: random.below(9) - 4))
    case 1: .string(text(&random))
    case 8: .float64(random.pick([0, -0.0, 1, 2, .nan, .infinity, 0.5]))
    case 9: .int64(Int64(random.below(3)) << random.pick([0, 32]))
    case 10: random.pick([.null, true, false])
    case 11: .list([.int32(Int32(random.below(2)))])
    default: .string(Value.Text(random.pick(Self.names)))
    }
  }

  private func leaf(_ random: inout RandomNumbers) -> Value {
    switch random.below(isPlain ? 13 : 14) {
    case 0: return .null
    case 1: return .bool(random.isOneIn(2))
    case 2: return .int32(Int32(truncatingIfNeeded: integer(&random)))
    case 3:
      let number = integer(&random)
      if isPlain, Int32(exactly: number) != nil { return .int64(number | 1 << 40) }
      return .int64(number)
    case 4, 5: return .float64(double(&random))
    case 6, 7: return .string(text(&random))
    case 8: return .uint8List(Value.TypedList(array(&random) { $0.byte() }))
    case 9:
      return .int32List(
        Value.TypedList(array(&random) { Int32(truncatingIfNeeded: integer(&$0)) }))
    case 10: return .int64List(Value.TypedList(array(&random, integer)))
    case 11: return .float32List(Value.TypedList(array(&random, single)))
    case 12: return .float64List(Value.TypedList(array(&random, double)))
    default:
      let digits = String(random.next(), radix: 16, uppercase: random.isOneIn(5))
      return .largeInteger(Value.LargeInteger(Value.Text(random.pick(["", "-", "0"]) + digits)))
    }
  }

  /// Often empty, seldom long: the sizes at which another form begins among the latter.
  private func array<Element>(
    _ random: inout RandomNumbers, _ element: (inout RandomNumbers) -> Element
  ) -> [Element] {
    let count = random.isOneIn(40) ? random.pick([63, 64, 253, 254, 255]) : random.below(5)
    return (0..<count).map { _ in element(&random) }
  }

  private func integer(_ random: inout RandomNumbers) -> Int64 {
    switch random.below(5) {
    case 0: Int64(random.below(300)) - 40
    case 1: Int64(Int32.max) + Int64(random.below(5)) - 2
    case 2: Int64(Int32.min) + Int64(random.below(5)) - 2
    case 3: random.pick([.max, .min, -1, 0, 1 << 53, 0xffff_ffff])
    default: Int64(bitPattern: random.next())
    }
  }

  private func double(_ random: inout RandomNumbers) -> Double {
    switch random.below(3) {
    case 0:
      return random.pick([
        0, -0.0, 1, -1.5, 0.1, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude,
        Double(bitPattern: 0x7ff8_0000_0000_0000),
      ])
    case 1: return Double(integer(&random))
    default:
      let number = Double(bitPattern: random.next())
      return isPlain && number.isNaN ? 0.25 : number
    }
  }

  private func single(_ random: inout RandomNumbers) -> Float {
    let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    if random.isOneIn(2) { return random.pick([0, -0.0, 1.5, .infinity, -2]) }
    return isPlain && number.isNaN ? 0.25 : number
  }

  private func text(_ random: inout RandomNumbers) -> Value.Text {
    let length: Int
    switch random.below(48) {
    case 0: length = random.pick([252, 253, 254, 255, 256])
    case 1: length = random.below(500)
    default: length = random.below(12)
    }
    var bytes: [UInt8] = []
    while bytes.count < length {
      switch random.below(isPlain ? 20 : 24) {
      case 0: bytes += Array("é".utf8)
      case 1: bytes += Array("漢".utf8)
      case 2: bytes += Array("😀".utf8)
      case 3: bytes.append(UInt8(1 + random.below(0x1f)))
      case 20: bytes += [0xef, 0xbb, 0xbf]
      case 21: bytes.append(0)
      case 22: bytes += [0xed, UInt8(0xa0 + random.below(32)), UInt8(0x80 + random.below(64))]
      case 23: bytes.append(random.byte())
      default: bytes.append(UInt8(0x20 + random.below(0x5f)))
      }
    }
    return Value.Text(bytes: bytes)
  }
}
