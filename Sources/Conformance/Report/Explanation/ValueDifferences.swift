import ChannelCodec
import ChannelNotation

/// Where two values differ: exact types, bits, order of pairs.
struct ValueDifferences {
  struct Difference {
    enum Kind {
      case content, type, missing, extra, order, count
    }
    var path: ValuePath
    var kind: Kind
    var expected: Value?
    var actual: Value?
  }

  private(set) var found: [Difference] = []
  private(set) var furtherCount = 0
  private let limit: Int
  private var path: [ValuePath.Component] = []

  /// Values nested deeper are compared as a whole, so that nesting cannot exhaust the stack.
  private static let deepest = 64
  /// Pairs of a map up to which a different order is looked for.
  private static let mostPairs = 256

  init(limit: Int = 3) { self.limit = limit }

  mutating func compare(_ expected: Value, _ actual: Value, at path: [ValuePath.Component] = []) {
    self.path = path
    walk(expected, actual, depth: 0)
  }

  private mutating func walk(_ expected: Value, _ actual: Value, depth: Int) {
    guard depth < Self.deepest else {
      if expected != actual { note(.content, expected, actual) }
      return
    }
    switch (expected, actual) {
    case (.list(let left), .list(let right)): walk(left, right, depth)
    case (.map(let left), .map(let right)): walk(left, right, depth)
    case (.custom(let left), .custom(let right)) where left.type == right.type:
      path.append(.payload(left.type))
      walk(left.payload, right.payload, depth: depth + 1)
      path.removeLast()
    default:
      if expected != actual {
        note(expected.typeName == actual.typeName ? .content : .type, expected, actual)
      }
    }
  }

  private mutating func walk(_ left: Value.List, _ right: Value.List, _ depth: Int) {
    var others = right.makeIterator()
    for (position, element) in left.enumerated() {
      path.append(.element(position))
      if let other = others.next() {
        walk(element, other, depth: depth + 1)
      } else {
        note(.missing, element, nil)
      }
      path.removeLast()
    }
    var position = left.count
    while let other = others.next() {
      path.append(.element(position))
      note(.extra, nil, other)
      path.removeLast()
      position += 1
    }
  }

  private mutating func walk(_ left: Value.Map, _ right: Value.Map, _ depth: Int) {
    if left.count == right.count, left.count <= Self.mostPairs,
      !left.elementsEqual(right, by: { $0 == $1 }), isPermutation(left, right)
    {
      return note(.order, .map(left), .map(right))
    }
    if left.count != right.count { note(.count, .map(left), .map(right)) }
    var others = right.makeIterator()
    for (position, pair) in left.enumerated() {
      guard let other = others.next() else { return }
      if pair.key == other.key {
        path.append(.key(pair.key))
        walk(pair.value, other.value, depth: depth + 1)
      } else {
        path.append(.keyOfPair(position))
        walk(pair.key, other.key, depth: depth + 1)
      }
      path.removeLast()
    }
  }

  private func isPermutation(_ left: Value.Map, _ right: Value.Map) -> Bool {
    var counts: [Pair: Int] = [:]
    for pair in left { counts[Pair(key: pair.key, value: pair.value), default: 0] += 1 }
    for pair in right { counts[Pair(key: pair.key, value: pair.value), default: 0] -= 1 }
    return counts.values.allSatisfy { $0 == 0 }
  }

  private struct Pair: Hashable {
    let key: Value
    let value: Value
  }

  private mutating func note(_ kind: Difference.Kind, _ expected: Value?, _ actual: Value?) {
    guard found.count < limit else {
      furtherCount += 1
      return
    }
    found.append(
      Difference(path: ValuePath(path), kind: kind, expected: expected, actual: actual))
  }
}

extension Value {
  /// The member name of typed JSON.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int32: "int32"
    case .int64: "int64"
    case .largeInteger: "bigint"
    case .float64: "float64"
    case .string: "string"
    case .uint8List: "uint8list"
    case .int32List: "int32list"
    case .int64List: "int64list"
    case .float32List: "float32list"
    case .float64List: "float64list"
    case .list: "list"
    case .map: "map"
    case .custom(let custom): "custom type \(custom.type)"
    }
  }

  /// The value with its type, cut where it is long: `int32 5`, `string "a"`, `map of 2 pairs`.
  var typedShortText: String {
    switch self {
    case .null: "null"
    case .list(let list): "list of \(list.count)"
    case .map(let map): "map of \(map.count)"
    case .custom(let custom): "custom type \(custom.type)"
    default: Words.clipped(TypedJSON.text(of: self), limit: 80)
    }
  }
}
