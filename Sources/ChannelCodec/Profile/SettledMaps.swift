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
    guard let (source, node) = container else { return false }
    var position = node
    var remaining = 1
    while remaining > 0 {
      remaining -= 1
      let type = source.type(of: position)
      guard MessageSource.isContainer(type: type) else {
        position = source.next(after: position)
        continue
      }
      let count = source.count(of: position)
      let isMap = type == WireType.map.rawValue
      if isMap && count > 1 { return true }
      remaining += isMap ? count * 2 : count
      position = source.firstChild(of: position)
    }
    return false
  }

  /// The value with its maps as a platform holds them, and itself where nothing changes.
  func settlingMaps(
    equality: KeyEquality, repeated: DecodingRules.RepeatedKeys, sorts: Bool
  ) -> Value {
    guard let (source, node) = container, repeated != .keepAll || sorts else { return self }
    let order = KeyOrder(equality: equality)
    let orders = PairOrders(
      of: source, node: node, merging: order, repeated: repeated,
      sorting: sorts ? .always(order) : .insideKeys)
    if orders.isEmpty { return self }
    var builder = ValueBuilder()
    var walker = OrderedWalker(source: source, root: node, orders: orders, forComparison: false)
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
