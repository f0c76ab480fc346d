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
  private let forComparison: Bool
  /// Where the next value as written stands.
  private var node: Int
  private var isPending = true
  private var frames: [Frame] = []

  init(source: MessageSource, root: Int, orders: PairOrders, forComparison: Bool = true) {
    self.source = source
    self.orders = orders
    self.forComparison = forComparison
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
    if let pairs = orders.pairs(of: opened, forComparison: forComparison) {
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
