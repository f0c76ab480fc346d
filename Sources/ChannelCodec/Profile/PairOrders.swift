/// Which pairs of each map survive on a platform, and in what order: what merging repeated keys and
/// sorting leave. Maps that stay as they are have no entry.
struct PairOrders {
  /// When pairs are put into the order of their keys.
  enum Sorting {
    case always(KeyOrder)
    /// Only in maps that are part of a key: their order must not matter to equality.
    case insideKeys
  }

  struct Pair {
    var key: Int
    var value: Int
  }

  private var emitted: [Int: [Pair]] = [:]
  /// For comparison only.
  private var compared: [Int: [Pair]] = [:]

  var isEmpty: Bool { emitted.isEmpty }

  /// The pairs of the map at `node`, or nil for all of them as written.
  func pairs(of node: Int, forComparison: Bool) -> [Pair]? {
    if forComparison, let pairs = compared[node] { return pairs }
    return emitted[node]
  }

  /// Settles the maps in the value at `node`, from the last to the first, so that the maps inside a
  /// key are done before it is compared.
  init(
    of source: MessageSource, node: Int, merging order: KeyOrder,
    repeated: DecodingRules.RepeatedKeys, sorting: Sorting
  ) {
    let survey = MapSurvey(of: source, node: node, order: order)
    for map in survey.maps.reversed() {
      var settling = Settling(source: source, order: order, uniqueKeys: survey.uniqueKeys)
      settling.read(map.node, orders: self)
      var pairs = settling.merge(repeated)
      var isChanged = pairs.count < source.count(of: map.node)
      switch sorting {
      case .always(let order):
        let keys = pairs.map(\.key)
        settling.sort(&pairs, by: order, orders: self)
        if pairs.map(\.key) != keys { isChanged = true }
      case .insideKeys where map.isInsideKey:
        var sorted = pairs
        settling.sort(&sorted, by: order, orders: self)
        compared[map.node] = sorted
      case .insideKeys: break
      }
      if isChanged { emitted[map.node] = pairs }
    }
  }
}

/// The keys of one map while it is settled.
private struct Settling {
  let source: MessageSource
  let order: KeyOrder
  let uniqueKeys: Set<Int>
  private var pairs: [PairOrders.Pair] = []
  /// For each pair, the first pair with an equal key.
  private var first: [Int] = []

  init(source: MessageSource, order: KeyOrder, uniqueKeys: Set<Int>) {
    self.source = source
    self.order = order
    self.uniqueKeys = uniqueKeys
  }

  mutating func read(_ map: Int, orders: PairOrders) {
    var leaves: [[UInt8]: Int] = [:]
    var containers: [Int] = []
    var key = source.firstChild(of: map)
    for number in 0..<source.count(of: map) {
      let value = source.next(after: key)
      pairs.append(PairOrders.Pair(key: key, value: value))
      first.append(number)
      if MessageSource.isContainer(type: source.type(of: key)) {
        if !uniqueKeys.contains(key) { containers.append(number) }
      } else {
        let signature = order.signature(of: key, in: source)
        if !signature.isUnique {
          first[number] = leaves[signature.bytes] ?? number
          if first[number] == number { leaves[signature.bytes] = number }
        }
      }
      key = source.next(after: value)
    }
    groupEqual(containers, orders: orders)
  }

  private mutating func groupEqual(_ containers: [Int], orders: PairOrders) {
    guard containers.count > 1 else { return }
    let sorted = containers.sorted { left, right in
      switch compare(pairs[left].key, pairs[right].key, by: order, orders: orders) {
      case .less: true
      case .equal: left < right
      case .greater: false
      }
    }
    for (before, number) in zip(sorted, sorted.dropFirst())
    where compare(pairs[before].key, pairs[number].key, by: order, orders: orders) == .equal {
      first[number] = first[before]
    }
  }

  func merge(_ repeated: DecodingRules.RepeatedKeys) -> [PairOrders.Pair] {
    if case .keepAll = repeated { return pairs }
    var merged: [PairOrders.Pair] = []
    var places: [Int: Int] = [:]
    for (number, pair) in pairs.enumerated() {
      guard first[number] < number, let place = places[first[number]] else {
        places[number] = merged.count
        merged.append(pair)
        continue
      }
      switch repeated {
      case .keepAll, .firstPair: break
      case .lastValue: merged[place].value = pair.value
      case .lastPair: merged[place] = pair
      }
    }
    return merged
  }

  /// Stable, for keys that a platform cannot order.
  func sort(_ pairs: inout [PairOrders.Pair], by order: KeyOrder, orders: PairOrders) {
    let beginnings = pairs.map { order.signature(of: $0.key, in: source).bytes }
    let numbers = pairs.indices.sorted { left, right in
      if beginnings[left] != beginnings[right] {
        return beginnings[left].lexicographicallyPrecedes(beginnings[right])
      }
      switch compare(pairs[left].key, pairs[right].key, by: order, orders: orders) {
      case .less: return true
      case .equal: return left < right
      case .greater: return false
      }
    }
    pairs = numbers.map { pairs[$0] }
  }

  private func compare(
    _ left: Int, _ right: Int, by order: KeyOrder, orders: PairOrders
  ) -> KeyOrder.Comparison {
    order.compare(
      KeyOrder.Place(source: source, node: left, orders: orders),
      KeyOrder.Place(source: source, node: right, orders: orders))
  }
}

/// The maps of more than one pair in a value, and the keys that equal nothing because of what they
/// contain. One pass, whatever the nesting.
private struct MapSurvey {
  private(set) var maps: [(node: Int, isInsideKey: Bool)] = []
  private(set) var uniqueKeys: Set<Int> = []

  private struct Frame {
    let node: Int
    let isMap: Bool
    /// It is a key or part of one.
    let isInsideKey: Bool
    let isKey: Bool
    var remaining: Int
    var isUnique: Bool

    /// The next value is the key of a pair.
    var isAtKey: Bool { isMap && remaining.isMultiple(of: 2) }
  }

  init(of source: MessageSource, node: Int, order: KeyOrder) {
    var position = node
    var frames: [Frame] = []
    repeat {
      let type = source.type(of: position)
      let isKey = frames.last?.isAtKey ?? false
      let isInsideKey = isKey || frames.last?.isInsideKey == true
      if !frames.isEmpty { frames[frames.count - 1].remaining -= 1 }
      // What stands outside keys is never compared here.
      let isUnique = isInsideKey && order.signature(of: position, in: source).isUnique
      if MessageSource.isContainer(type: type) {
        let isMap = type == WireType.map.rawValue
        let count = source.count(of: position)
        if isMap && count > 1 { maps.append((position, isInsideKey)) }
        frames.append(
          Frame(
            node: position, isMap: isMap, isInsideKey: isInsideKey, isKey: isKey,
            remaining: isMap ? count * 2 : count, isUnique: isUnique))
        position = source.firstChild(of: position)
      } else {
        if isUnique && !frames.isEmpty { frames[frames.count - 1].isUnique = true }
        position = source.next(after: position)
      }
      while let frame = frames.last, frame.remaining == 0 {
        frames.removeLast()
        guard frame.isUnique else { continue }
        if frame.isKey { uniqueKeys.insert(frame.node) }
        if frame.isInsideKey && !frames.isEmpty { frames[frames.count - 1].isUnique = true }
      }
    } while !frames.isEmpty
  }
}
