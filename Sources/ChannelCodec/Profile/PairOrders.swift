/// Which pairs of each map survive on a platform, and in what order: what merging repeated keys and
/// sorting leave. Maps that stay as they are have no entry.
struct PairOrders {
  /// When pairs are put into the order of their keys' signatures.
  enum Sorting {
    case never
    case always
    /// Only maps that are part of a key: their order must not matter to equality.
    case insideKeys
  }

  struct Pair {
    var key: Int
    var value: Int
  }

  private(set) var emitted: [Int: [Pair]] = [:]
  /// For signatures only.
  private var compared: [Int: [Pair]] = [:]

  var isEmpty: Bool { emitted.isEmpty }

  /// The pairs of the map at `node` for a signature, or nil for all of them as written.
  func pairs(of node: Int, isForSignature: Bool) -> [Pair]? {
    if isForSignature, let pairs = compared[node] { return pairs }
    return emitted[node]
  }

  /// Maps are settled from the last to the first, so that the maps inside a key are done before it
  /// is compared.
  static func make(
    for index: MessageIndex, node: Int, equality: KeyEquality,
    repeated: DecodingRules.RepeatedKeys, sorts: Sorting
  ) -> PairOrders {
    var orders = PairOrders()
    var maps: [Int] = []
    var position = node
    let end = index.next(after: node)
    while position < end {
      let type = index.type(of: position)
      if type == WireType.map.rawValue && index.count(of: position) > 1 { maps.append(position) }
      position += MessageIndex.isContainer(type: type) ? MessageIndex.containerWords : 1
    }
    for map in maps.reversed() {
      orders.settle(map, index, equality: equality, repeated: repeated, sorts: sorts)
    }
    return orders
  }

  private mutating func settle(
    _ map: Int, _ index: MessageIndex, equality: KeyEquality,
    repeated: DecodingRules.RepeatedKeys, sorts: Sorting
  ) {
    struct Entry {
      var pair: Pair
      var signature: [UInt8]
    }
    var entries: [Entry] = []
    var places: [[UInt8]: Int] = [:]
    var isChanged = false
    var key = map + MessageIndex.containerWords
    for _ in 0..<index.count(of: map) {
      let value = index.next(after: key)
      let signature = KeySignature.of(key, in: index, equality: equality, orders: self)
      if repeated != .keepAll, let signature, let place = places[signature] {
        isChanged = true
        switch repeated {
        case .keepAll, .firstPair: break
        case .lastValue: entries[place].pair.value = value
        case .lastPair: entries[place].pair = Pair(key: key, value: value)
        }
      } else {
        if let signature { places[signature] = entries.count }
        entries.append(Entry(pair: Pair(key: key, value: value), signature: signature ?? []))
      }
      key = index.next(after: value)
    }
    if sorts == .insideKeys {
      compared[map] =
        entries.sorted { $0.signature.lexicographicallyPrecedes($1.signature) }.map(\.pair)
    }
    if sorts == .always {
      let keys = entries.map(\.pair.key)
      // Stable for keys without a signature, which no platform orders.
      entries = entries.enumerated().sorted { left, right in
        if left.element.signature == right.element.signature { return left.offset < right.offset }
        return left.element.signature.lexicographicallyPrecedes(right.element.signature)
      }.map(\.element)
      if entries.map(\.pair.key) != keys { isChanged = true }
    }
    if isChanged { emitted[map] = entries.map(\.pair) }
  }
}

/// Walks a value with its maps' pairs in settled order, without using the stack for nesting.
struct OrderedWalker {
  enum Step {
    case begin(Int)
    /// An element, or a pair's key, follows. Told inside containers only.
    case element
    case end
  }

  private enum Frame {
    case values(next: Int, end: Int)
    case pairs([PairOrders.Pair], next: Int, isValueDue: Bool)
  }

  private let index: MessageIndex
  private let orders: PairOrders
  private let isForSignature: Bool
  private var pending: Int?
  private var announced = false
  private var frames: [Frame] = []

  init(index: MessageIndex, root: Int, orders: PairOrders, isForSignature: Bool = true) {
    self.index = index
    self.orders = orders
    self.isForSignature = isForSignature
    pending = root
  }

  mutating func next() -> Step? {
    if let node = pending {
      pending = nil
      open(node)
      return .begin(node)
    }
    guard let frame = frames.popLast() else { return nil }
    switch frame {
    case .values(let next, let end):
      guard next < end else { return .end }
      frames.append(.values(next: index.next(after: next), end: end))
      pending = next
    case .pairs(let pairs, let next, let isValueDue):
      guard next < pairs.count else { return .end }
      pending = isValueDue ? pairs[next].value : pairs[next].key
      frames.append(
        .pairs(pairs, next: isValueDue ? next + 1 : next, isValueDue: !isValueDue))
    }
    return .element
  }

  private mutating func open(_ node: Int) {
    guard index.isContainer(node) else { return }
    if let pairs = orders.pairs(of: node, isForSignature: isForSignature) {
      frames.append(.pairs(pairs, next: 0, isValueDue: false))
    } else {
      let first = node + MessageIndex.containerWords
      frames.append(.values(next: first, end: index.next(after: node)))
    }
  }
}

extension Value {
  /// Whether there is a map in it whose order can be told.
  var hasMapOrder: Bool {
    let source: (index: MessageIndex, node: Int)
    switch self {
    case .list(let list): source = (list.index, list.node)
    case .map(let map): source = (map.index, map.node)
    case .custom(let custom): source = (custom.index, custom.node)
    default: return false
    }
    var position = source.node
    let end = source.index.next(after: position)
    while position < end {
      let type = source.index.type(of: position)
      if type == WireType.map.rawValue && source.index.count(of: position) > 1 { return true }
      position += MessageIndex.isContainer(type: type) ? MessageIndex.containerWords : 1
    }
    return false
  }

  /// The value with its maps as a platform holds them, and itself where nothing changes.
  func settlingMaps(
    equality: KeyEquality, repeated: DecodingRules.RepeatedKeys, sorts: Bool
  ) -> Value {
    let source: (index: MessageIndex, node: Int)
    switch self {
    case .list(let list): source = (list.index, list.node)
    case .map(let map): source = (map.index, map.node)
    case .custom(let custom): source = (custom.index, custom.node)
    default: return self
    }
    if repeated == .keepAll && !sorts { return self }
    let orders = PairOrders.make(
      for: source.index, node: source.node, equality: equality, repeated: repeated,
      sorts: sorts ? .always : .insideKeys)
    if orders.isEmpty { return self }
    var builder = ValueBuilder()
    var walker = OrderedWalker(
      index: source.index, root: source.node, orders: orders, isForSignature: false)
    while let step = walker.next() {
      switch step {
      case .element: break
      case .end: builder.end()
      case .begin(let node):
        let type = source.index.type(of: node)
        switch type {
        case WireType.list.rawValue: builder.beginList()
        case WireType.map.rawValue: builder.beginMap()
        case let type where MessageIndex.isContainer(type: type): builder.beginCustom(type)
        default: builder.append(source.index.value(at: node))
        }
      }
    }
    return builder.finish()
  }
}
