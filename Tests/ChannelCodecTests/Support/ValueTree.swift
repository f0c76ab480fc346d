import ChannelCodec

/// A value as a plain tree, written and measured without any of the codec: what the codec's own
/// containers and bytes are compared with.
indirect enum ValueTree: Sendable {
  case leaf(Value)
  case list([ValueTree])
  case map([(ValueTree, ValueTree)])
  case custom(UInt8, ValueTree)

  /// Made from the inside out, so that every container is moved into the one around it.
  var value: Value {
    switch self {
    case .leaf(let value): value
    case .list(let elements): .list(Value.List(elements.map(\.value)))
    case .map(let pairs): .map(Value.Map(pairs.map { (key: $0.0.value, value: $0.1.value) }))
    case .custom(let type, let payload): .custom(type, payload.value)
    }
  }

  /// Made in the order of the message.
  func build(into builder: inout ValueBuilder) {
    switch self {
    case .leaf(let value): builder.append(value)
    case .list(let elements):
      builder.beginList()
      for element in elements { element.build(into: &builder) }
      builder.end()
    case .map(let pairs):
      builder.beginMap()
      for (key, value) in pairs {
        key.build(into: &builder)
        value.build(into: &builder)
      }
      builder.end()
    case .custom(let type, let payload):
      builder.beginCustom(type)
      payload.build(into: &builder)
      builder.end()
    }
  }
}

/// The wire format once more, straight from its description: the reference for encoded bytes.
struct ReferenceWriter {
  private(set) var bytes: [UInt8]

  init(prefix: [UInt8] = []) { bytes = prefix }

  static func bytes(of tree: ValueTree, prefix: [UInt8] = []) -> [UInt8] {
    var writer = ReferenceWriter(prefix: prefix)
    writer.write(tree)
    return writer.bytes
  }

  mutating func write(_ tree: ValueTree) {
    switch tree {
    case .leaf(let value): write(leaf: value)
    case .list(let elements):
      put(12, size: elements.count)
      for element in elements { write(element) }
    case .map(let pairs):
      put(13, size: pairs.count)
      for (key, value) in pairs {
        write(key)
        write(value)
      }
    case .custom(let type, let payload):
      bytes.append(type)
      write(payload)
    }
  }

  private mutating func write(leaf value: Value) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let bool): bytes.append(bool ? 1 : 2)
    case .int32(let number):
      bytes.append(3)
      put(UInt64(UInt32(bitPattern: number)), width: 4)
    case .int64(let number):
      bytes.append(4)
      put(UInt64(bitPattern: number), width: 8)
    case .largeInteger(let number):
      put(5, size: number.text.utf8.count)
      bytes += number.text.utf8
    case .float64(let number):
      bytes.append(6)
      pad(to: 8)
      put(number.bitPattern, width: 8)
    case .string(let text):
      put(7, size: text.utf8.count)
      bytes += text.utf8
    case .uint8List(let list):
      put(8, size: list.count)
      bytes += Array(list)
    case .int32List(let list):
      elements(9, width: 4, list.map { UInt64(UInt32(bitPattern: $0)) })
    case .int64List(let list): elements(10, width: 8, list.map { UInt64(bitPattern: $0) })
    case .float64List(let list): elements(11, width: 8, list.map(\.bitPattern))
    case .float32List(let list): elements(14, width: 4, list.map { UInt64($0.bitPattern) })
    case .list, .map, .custom: preconditionFailure("no leaf")
    }
  }

  private mutating func elements(_ type: UInt8, width: Int, _ numbers: [UInt64]) {
    put(type, size: numbers.count)
    pad(to: width)
    for number in numbers { put(number, width: width) }
  }

  private mutating func pad(to width: Int) {
    while bytes.count % width != 0 { bytes.append(0) }
  }

  private mutating func put(_ type: UInt8, size: Int) {
    bytes.append(type)
    if size < 254 {
      bytes.append(UInt8(size))
    } else if size < 65_536 {
      bytes.append(254)
      put(UInt64(size), width: 2)
    } else {
      bytes.append(255)
      put(UInt64(size), width: 4)
    }
  }

  private mutating func put(_ number: UInt64, width: Int) {
    for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}

// MARK: - Random trees

extension ValueTree {
  /// A tree with about `budget` values, over every type, extension types 128 to 255 included.
  static func random(_ budget: Int, using random: inout TestRandom) -> ValueTree {
    guard budget > 1 else { return .leaf(randomLeaf(using: &random)) }
    let children = 1 + random.below(min(budget, 6))
    let share = budget / (children + 1)
    func child(_ random: inout TestRandom) -> ValueTree { .random(share, using: &random) }
    switch random.below(5) {
    case 0, 1: return .list((0..<children).map { _ in child(&random) })
    case 2, 3:
      return .map((0..<children).map { _ in (.random(share / 2, using: &random), child(&random)) })
    default: return .custom(UInt8(128 + random.below(128)), child(&random))
    }
  }

  static func randomLeaf(using random: inout TestRandom) -> Value {
    let count = random.below(4)
    func words(_ random: inout TestRandom) -> [UInt64] { (0..<count).map { _ in random.next() } }
    switch random.below(16) {
    case 0: return .null
    case 1: return .bool(true)
    case 2: return .bool(false)
    case 3: return .int32(Int32(truncatingIfNeeded: random.next()))
    case 4: return .int64(Int64(bitPattern: random.next()))
    case 5: return .int64(Int64(random.below(9)) - 4)
    case 6: return .largeInteger(Value.LargeInteger(Int64(bitPattern: random.next())))
    case 7: return .float64(Double(bitPattern: random.next()))
    case 8: return .uint8List(Value.TypedList(words(&random).map { UInt8($0 & 255) }))
    case 9:
      return .int32List(Value.TypedList(words(&random).map { Int32(truncatingIfNeeded: $0) }))
    case 10: return .int64List(Value.TypedList(words(&random).map { Int64(bitPattern: $0) }))
    case 11:
      let numbers = words(&random).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
      return .float32List(Value.TypedList(numbers))
    case 12: return .float64List(Value.TypedList(words(&random).map { Double(bitPattern: $0) }))
    default:
      let alphabet: [String] = ["a", "é", "e\u{301}", "鍵", "🔑", "\0", "\u{feff}", "\"", "Ж"]
      return .string(Value.Text((0..<count).map { _ in alphabet[random.below(9)] }.joined()))
    }
  }
}
