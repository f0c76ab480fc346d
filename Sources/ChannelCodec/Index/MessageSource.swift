/// The well-formed message that a container is a view of, and how its values are found in it.
///
/// A small message is walked: allocating an index for it would cost more than the walk. A larger
/// one has a ``MessageIndex``, so that a value can be passed over whatever it contains. A node is the
/// offset of a type byte in the first case and a position in the index in the second.
@usableFromInline
enum MessageSource: @unchecked Sendable {
  /// At most ``largestSmall`` bytes, with every string UTF-8.
  case small([UInt8])
  case indexed(MessageIndex)

  static let largestSmall = 512

  @inlinable var bytes: [UInt8] {
    switch self {
    case .small(let bytes): bytes
    case .indexed(let index): index.bytes
    }
  }

  /// Every string was found to be UTF-8.
  @inlinable var isValidUTF8: Bool {
    switch self {
    case .small: true
    case .indexed(let index): index.isValidUTF8
    }
  }

  /// Where the type byte of the value at `node` stands.
  @inlinable
  func offset(of node: Int) -> Int {
    switch self {
    case .small: node
    case .indexed(let index): index.word(node)
    }
  }

  @inlinable
  func type(of node: Int) -> UInt8 { bytes[offset(of: node)] }

  @inlinable
  static func isContainer(type: UInt8) -> Bool {
    type == WireType.list.rawValue || type == WireType.map.rawValue
      || type > WireType.float32List.rawValue
  }

  /// The node of a container's first element, key or payload.
  func firstChild(of container: Int) -> Int {
    switch self {
    case .small(let bytes): bytes.withUnsafeBytes { $0.firstChild(at: container).start }
    case .indexed: container + MessageIndex.containerWords
    }
  }

  /// Elements of a list, pairs of a map, 1 for an extension value.
  func count(of container: Int) -> Int {
    switch self {
    case .small(let bytes):
      bytes.withUnsafeBytes { bytes in
        let values = bytes.firstChild(at: container).values
        return bytes[container] == WireType.map.rawValue ? values / 2 : values
      }
    case .indexed(let index): index.word(container + 2)
    }
  }

  /// The node after `node` and all it contains.
  func next(after node: Int) -> Int {
    switch self {
    case .small(let bytes): bytes.withUnsafeBytes { $0.end(ofValueAt: node) }
    case .indexed(let index): index.next(after: node)
    }
  }

  /// The value at `node`; containers come as views.
  @usableFromInline
  func value(at node: Int) -> Value {
    switch type(of: node) {
    case WireType.list.rawValue: .list(Value.List(source: self, node: node))
    case WireType.map.rawValue: .map(Value.Map(source: self, node: node))
    case 15...: .custom(Value.Custom(source: self, node: node))
    default: Value.leaf(at: offset(of: node), in: bytes, isValidUTF8: isValidUTF8)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Where the contents of the container at `offset` begin, and how many values they are.
  @usableFromInline
  func firstChild(at offset: Int) -> (start: Int, values: Int) {
    guard self[offset] <= WireType.map.rawValue else { return (offset + 1, 1) }
    let size = WireSize.read(self, at: offset + 1)
    let isMap = self[offset] == WireType.map.rawValue
    return (size.end, isMap ? size.value * 2 : size.value)
  }

  /// The offset behind the value at `offset` and all it contains.
  @usableFromInline
  func end(ofValueAt offset: Int) -> Int {
    var position = offset
    var remaining = 1
    while remaining > 0 {
      remaining -= 1
      let type = self[position]
      if MessageSource.isContainer(type: type) {
        let contents = firstChild(at: position)
        position = contents.start
        remaining += contents.values
      } else {
        position = end(ofLeafAt: position, type: type)
      }
    }
    return position
  }

  @inlinable
  func end(ofLeafAt offset: Int, type: UInt8) -> Int {
    switch type {
    case 0, 1, 2: return offset + 1
    case 3: return offset + 5
    case 4: return offset + 9
    case 6: return (offset + 1).aligned(to: 8) + 8
    default:
      let width = TypedListKind(rawValue: type)?.width ?? 1
      let size = WireSize.read(self, at: offset + 1)
      return size.end.aligned(to: width) + size.value * width
    }
  }
}
