import ChannelCodec

/// Goes through two values side by side and notes where they differ. Nesting costs no stack.
struct ValueWalk {
  /// What is still to be compared of two containers.
  private enum Level {
    case lists(Value.List.Iterator, Value.List.Iterator, next: Int)
    case pairs([Pair], next: Int)
  }

  private struct Pair {
    let component: ValuePath.Component
    let recorded: Value?
    let actual: Value?
  }

  private(set) var result = Comparison()

  private let limit: Int
  private let isIgnored: (ValuePath) -> Bool
  private var path: [ValuePath.Component] = []
  private var levels: [Level] = []

  /// - Parameter limit: differences to keep; further ones are counted.
  init(limit: Int, isIgnored: @escaping (ValuePath) -> Bool = { _ in false }) {
    self.limit = limit
    self.isIgnored = isIgnored
  }

  /// Compares two values that stand at `path`.
  mutating func compare(recorded: Value, actual: Value, at path: [ValuePath.Component] = []) {
    self.path = path
    enter(recorded, actual)
    while let level = levels.popLast() { step(level) }
  }

  /// Notes a difference that was found elsewhere.
  mutating func note(_ difference: ValueDifference) {
    if isIgnored(difference.path) {
      result.ignoredCount += 1
      return
    }
    if !difference.isEqualInDart { result.isEqualInDart = false }
    if result.differences.count < limit {
      result.differences.append(difference)
    } else {
      result.furtherCount += 1
    }
  }

  // MARK: - Containers

  private mutating func step(_ level: Level) {
    switch level {
    case .lists(var recorded, var actual, let position):
      let left = recorded.next()
      let right = actual.next()
      if left == nil, right == nil { return leave() }
      levels.append(.lists(recorded, actual, next: position + 1))
      visit(.element(position), left, right)
    case .pairs(let pairs, let position):
      guard position < pairs.count else { return leave() }
      levels.append(.pairs(pairs, next: position + 1))
      visit(pairs[position].component, pairs[position].recorded, pairs[position].actual)
    }
  }

  private mutating func visit(
    _ component: ValuePath.Component, _ recorded: Value?, _ actual: Value?
  ) {
    path.append(component)
    switch (recorded, actual) {
    case (let recorded?, let actual?):
      let depth = levels.count
      enter(recorded, actual)
      // A container takes its own step of the path away when it ends.
      if levels.count > depth { return }
    case (let recorded?, nil):
      note(.missing, ShortNotation.text(of: recorded), "nothing", isEqualInDart: false)
    case (nil, let actual?):
      note(.extra, "nothing", ShortNotation.text(of: actual), isEqualInDart: false)
    case (nil, nil): break
    }
    path.removeLast()
  }

  private mutating func leave() {
    // The outermost container has the path that the walk began with.
    if !levels.isEmpty { path.removeLast() }
  }

  private mutating func enter(_ recorded: Value, _ actual: Value) {
    switch (recorded, actual) {
    case (.list(let left), .list(let right)):
      levels.append(.lists(left.makeIterator(), right.makeIterator(), next: 0))
    case (.map(let left), .map(let right)): enter(left, right)
    case (.custom(let left), .custom(let right)) where left.type == right.type:
      levels.append(
        .pairs(
          [Pair(component: .payload(left.type), recorded: left.payload, actual: right.payload)],
          next: 0))
    default: compareLeaves(recorded, actual)
    }
  }

  private mutating func enter(_ recorded: Value.Map, _ actual: Value.Map) {
    let left = DartMap(recorded)
    let right = DartMap(actual)
    if left.repeats != right.repeats {
      note(
        .repeatedKey, "\(left.repeats) repeated keys", "\(right.repeats) repeated keys",
        isEqualInDart: true)
    }
    var pairs: [Pair] = []
    for entry in left.entries {
      let partner = right[entry.key]
      pairs.append(
        Pair(component: .key(entry.shown), recorded: entry.value, actual: partner?.value))
      if let partner, partner.shown != entry.shown {
        path.append(.key(entry.shown))
        note(
          .width, "the key as \(ShortNotation.type(of: entry.shown))",
          "as \(ShortNotation.type(of: partner.shown))",
          isEqualInDart: entry.shown.isEqualInDart(to: partner.shown))
        path.removeLast()
      }
    }
    for entry in right.entries where left[entry.key] == nil {
      pairs.append(Pair(component: .key(entry.shown), recorded: nil, actual: entry.value))
    }
    if pairs.count == left.entries.count, left.entries.count == right.entries.count,
      zip(left.entries, right.entries).contains(where: { $0.key != $1.key })
    {
      note(
        .order, "the keys in the order \(left.orderText)", "\(right.orderText)", isEqualInDart: true
      )
    }
    levels.append(.pairs(pairs, next: 0))
  }

  // MARK: - Leaves

  private mutating func compareLeaves(_ recorded: Value, _ actual: Value) {
    if recorded == actual { return }
    let left = ShortNotation.text(of: recorded)
    let right = ShortNotation.text(of: actual)
    if let one = recorded.integer, let other = actual.integer {
      if one != other { return note(.value, left, right, isEqualInDart: false) }
      return note(
        .width, "\(left) as \(ShortNotation.type(of: recorded))",
        "as \(ShortNotation.type(of: actual))", isEqualInDart: true)
    }
    switch (recorded, actual) {
    case (.bool, .bool), (.largeInteger, .largeInteger):
      note(.value, left, right, isEqualInDart: false)
    case (.string(let one), .string(let other)):
      note(texts: one, other)
    case (.float64(let one), .float64(let other)):
      let isEqual = one == other || (one.isNaN && other.isNaN)
      let bits = one.isNaN && other.isNaN
      note(
        .value, bits ? "NaN \(one.bitPattern.hexText)" : left,
        bits ? "NaN \(other.bitPattern.hexText)" : right, isEqualInDart: isEqual)
    case (.largeInteger(let one), .string(let other)) where one.text == other,
      (.string(let other), .largeInteger(let one)) where one.text == other:
      note(
        .width, "\(left) as \(ShortNotation.type(of: recorded))",
        "as \(ShortNotation.type(of: actual))", isEqualInDart: true)
    case (.uint8List(let one), .uint8List(let other)): compare(one, other) { $0 == $1 }
    case (.int32List(let one), .int32List(let other)): compare(one, other) { $0 == $1 }
    case (.int64List(let one), .int64List(let other)): compare(one, other) { $0 == $1 }
    case (.float32List(let one), .float32List(let other)):
      compare(one, other) { $0 == $1 || ($0.isNaN && $1.isNaN) }
    case (.float64List(let one), .float64List(let other)):
      compare(one, other) { $0 == $1 || ($0.isNaN && $1.isNaN) }
    default:
      note(
        .type, "\(left) (\(ShortNotation.type(of: recorded)))",
        "\(right) (\(ShortNotation.type(of: actual)))", isEqualInDart: false)
    }
  }

  /// Long texts are shown from where they begin to differ.
  private mutating func note(texts recorded: Value.Text, _ actual: Value.Text) {
    let (left, right) = ShortNotation.pair(recorded, actual)
    let isEqual = Value.string(recorded).isEqualInDart(to: .string(actual))
    note(.value, left, right, isEqualInDart: isEqual)
  }

  private mutating func compare<Element: TypedListElement>(
    _ recorded: Value.TypedList<Element>, _ actual: Value.TypedList<Element>,
    _ isSame: (Element, Element) -> Bool
  ) {
    guard recorded.count == actual.count else {
      return note(
        .value, "\(recorded.count) elements", "\(actual.count)", isEqualInDart: false)
    }
    // One place stands for all: a list of samples may differ in a million.
    var first: Int?
    var count = 0
    var seen = false
    for position in recorded.indices {
      let (left, right) = (recorded[position], actual[position])
      let isEqual = isSame(left, right)
      if isEqual, ShortNotation.bits(of: left) == ShortNotation.bits(of: right) { continue }
      if !isEqual, !seen { (first, seen) = (position, true) }
      first = first ?? position
      count += 1
    }
    guard let first else { return }
    path.append(.element(first))
    let more = count > 1 ? " (and \(count - 1) more elements of the list)" : ""
    note(.value, "\(recorded[first])", "\(actual[first])\(more)", isEqualInDart: !seen)
    path.removeLast()
  }

  private mutating func note(
    _ kind: ValueDifference.Kind, _ recorded: String, _ actual: String, isEqualInDart: Bool
  ) {
    note(
      ValueDifference(
        at: ValuePath(path), kind, recorded: recorded, actual: actual,
        isEqualInDart: isEqualInDart))
  }
}

/// A map as Dart would have it: of a repeated key the last value counts, at the place of the first.
private struct DartMap {
  struct Entry {
    let key: Value
    /// The key as it was written.
    let shown: Value
    var value: Value
  }

  private(set) var entries: [Entry] = []
  private(set) var repeats = 0
  private var places: [Value: Int] = [:]

  init(_ map: Value.Map) {
    for pair in map {
      let key = pair.key.dartKey
      if let place = places[key] {
        entries[place].value = pair.value
        repeats += 1
      } else {
        places[key] = entries.count
        entries.append(Entry(key: key, shown: pair.key, value: pair.value))
      }
    }
  }

  subscript(key: Value) -> Entry? { places[key].map { entries[$0] } }

  var orderText: String {
    let shown = entries.prefix(6).map { ShortNotation.text(of: $0.shown, limit: 24) }
    return shown.joined(separator: ", ") + (entries.count > 6 ? ", …" : "")
  }
}

extension UInt64 {
  fileprivate var hexText: String { String(self, radix: 16) }
}
