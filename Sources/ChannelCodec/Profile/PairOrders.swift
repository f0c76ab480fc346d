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
    for source: MessageSource, node: Int, equality: KeyEquality,
    repeated: DecodingRules.RepeatedKeys, sorts: Sorting
  ) -> PairOrders {
    var orders = PairOrders()
    let maps = source.maps(from: node)
    for map in maps.reversed() {
      orders.settle(map, source, equality: equality, repeated: repeated, sorts: sorts)
    }
    return orders
  }

  private mutating func settle(
    _ map: Int, _ source: MessageSource, equality: KeyEquality,
    repeated: DecodingRules.RepeatedKeys, sorts: Sorting
  ) {
    struct Entry {
      var pair: Pair
      var signature: [UInt8]
    }
    var entries: [Entry] = []
    var places: [[UInt8]: Int] = [:]
    var isChanged = false
    var key = source.firstChild(of: map)
    for _ in 0..<source.count(of: map) {
      let value = source.next(after: key)
      let signature = KeySignature.of(key, in: source, equality: equality, orders: self)
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
      key = source.next(after: value)
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
    /// Values as written; the next starts where the one before it ended.
    case values(remaining: Int)
    case pairs([PairOrders.Pair], next: Int, isValueDue: Bool, after: Int)
  }

  private let source: MessageSource
  private let orders: PairOrders
  private let isForSignature: Bool
  /// Where the next value as written stands.
  private var node: Int
  private var isPending = true
  private var frames: [Frame] = []

  init(source: MessageSource, root: Int, orders: PairOrders, isForSignature: Bool = true) {
    self.source = source
    self.orders = orders
    self.isForSignature = isForSignature
    node = root
  }

  mutating func next() -> Step? {
    if isPending {
      isPending = false
      return .begin(open())
    }
    guard let frame = frames.popLast() else { return nil }
    switch frame {
    case .values(let remaining):
      guard remaining > 0 else { return .end }
      frames.append(.values(remaining: remaining - 1))
    case .pairs(let pairs, let next, let isValueDue, let after):
      guard next < pairs.count else {
        node = after
        return .end
      }
      node = isValueDue ? pairs[next].value : pairs[next].key
      frames.append(
        .pairs(
          pairs, next: isValueDue ? next + 1 : next, isValueDue: !isValueDue, after: after))
    }
    isPending = true
    return .element
  }

  /// Steps into the value at `node` and answers with its node.
  private mutating func open() -> Int {
    let opened = node
    let type = source.type(of: opened)
    guard MessageSource.isContainer(type: type) else {
      node = source.next(after: opened)
      return opened
    }
    if let pairs = orders.pairs(of: opened, isForSignature: isForSignature) {
      let after = source.next(after: opened)
      frames.append(.pairs(pairs, next: 0, isValueDue: false, after: after))
    } else {
      let count = source.count(of: opened)
      frames.append(.values(remaining: type == WireType.map.rawValue ? count * 2 : count))
      node = source.firstChild(of: opened)
    }
    return opened
  }
}

extension MessageSource {
  /// The maps of more than one pair in the value at `node`, in the order of the message.
  fileprivate func maps(from node: Int) -> [Int] {
    var maps: [Int] = []
    var position = node
    var remaining = 1
    while remaining > 0 {
      remaining -= 1
      let type = type(of: position)
      guard MessageSource.isContainer(type: type) else {
        position = next(after: position)
        continue
      }
      let count = count(of: position)
      let isMap = type == WireType.map.rawValue
      if isMap && count > 1 { maps.append(position) }
      remaining += isMap ? count * 2 : count
      position = firstChild(of: position)
    }
    return maps
  }
}

extension Value {
  private var container: (source: MessageSource, node: Int)? {
    switch self {
    case .list(let list): (list.source, list.node)
    case .map(let map): (map.source, map.node)
    case .custom(let custom): (custom.source, custom.node)
    default: nil
    }
  }

  /// Whether there is a map in it whose order can be told.
  var hasMapOrder: Bool {
    container.map { !$0.source.maps(from: $0.node).isEmpty } ?? false
  }

  /// The value with its maps as a platform holds them, and itself where nothing changes.
  func settlingMaps(
    equality: KeyEquality, repeated: DecodingRules.RepeatedKeys, sorts: Bool
  ) -> Value {
    guard let (source, node) = container, repeated != .keepAll || sorts else { return self }
    let orders = PairOrders.make(
      for: source, node: node, equality: equality, repeated: repeated,
      sorts: sorts ? .always : .insideKeys)
    if orders.isEmpty { return self }
    var builder = ValueBuilder()
    var walker = OrderedWalker(source: source, root: node, orders: orders, isForSignature: false)
    while let step = walker.next() {
      switch step {
      case .element: break
      case .end: builder.end()
      case .begin(let node):
        switch source.type(of: node) {
        case WireType.list.rawValue: builder.beginList()
        case WireType.map.rawValue: builder.beginMap()
        case let type where MessageSource.isContainer(type: type): builder.beginCustom(type)
        default: builder.append(source.value(at: node))
        }
      }
    }
    return builder.finish()
  }
}
