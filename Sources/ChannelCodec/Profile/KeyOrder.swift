/// Puts keys in order as a platform's map sees them. Keys that come out equal are one key there.
///
/// Containers are compared step by step and only up to the first difference: a signature of all
/// they contain, made anew at every level, would take the square of a message's size.
struct KeyOrder: Sendable {
  let equality: KeyEquality
  /// Strings are compared as Dart decodes them.
  var dropsByteOrderMark = false

  enum Comparison {
    case less, equal, greater
  }

  /// Where a key stands, and how the maps inside it are ordered.
  struct Place {
    let source: MessageSource
    let node: Int
    let orders: PairOrders
  }

  func signature(of node: Int, in source: MessageSource) -> KeySignature {
    KeySignature(
      of: source.value(at: node), equality: equality, dropsByteOrderMark: dropsByteOrderMark)
  }

  func compare(_ left: Place, _ right: Place) -> Comparison {
    var leftWalk = OrderedWalker(source: left.source, root: left.node, orders: left.orders)
    var rightWalk = OrderedWalker(source: right.source, root: right.node, orders: right.orders)
    while let leftStep = leftWalk.next(), let rightStep = rightWalk.next() {
      switch (leftStep, rightStep) {
      case (.begin(let leftNode), .begin(let rightNode)):
        let leftBytes = signature(of: leftNode, in: left.source).bytes
        let rightBytes = signature(of: rightNode, in: right.source).bytes
        if leftBytes == rightBytes { continue }
        return leftBytes.lexicographicallyPrecedes(rightBytes) ? .less : .greater
      case (.end, .element): return .less
      case (.element, .end): return .greater
      case (.element, .element), (.end, .end): continue
      default: preconditionFailure("values with equal beginnings are walked in step")
      }
    }
    return .equal
  }
}

extension Value {
  /// Whether a Dart program that decodes both would see the same: integers by value whatever their
  /// width, type 5 as a string, a leading byte order mark dropped, maps without regard to order and
  /// with repeated keys merged, `0.0 == -0.0`, NaN like NaN. An int and a double differ, since a
  /// cast tells them apart.
  public func isEqualInDart(to other: Value) -> Bool {
    let order = KeyOrder(equality: .dartView, dropsByteOrderMark: true)
    return order.compare(dartView(order), other.dartView(order)) == .equal
  }

  private func dartView(_ order: KeyOrder) -> KeyOrder.Place {
    var builder = ValueBuilder()
    builder.append(self)
    let source = builder.finishSource()
    let orders = PairOrders(
      of: source, node: 0, merging: KeyOrder(equality: .dart, dropsByteOrderMark: true),
      repeated: .lastValue, sorting: .always(order))
    return KeyOrder.Place(source: source, node: 0, orders: orders)
  }
}
