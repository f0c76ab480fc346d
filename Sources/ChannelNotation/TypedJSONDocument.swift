import ChannelCodec

/// JSON text as a list of nodes in the order of the text: whether an object is typed shows only
/// once its content has been seen. The contents of a list or map follow it; a map has names and
/// values in turn.
struct JSONDocument {
  enum Kind {
    case null
    case bool(Bool)
    /// Where the digits stand in the text.
    case number(Range<Int>, isWhole: Bool)
    /// Where the bytes stand in `strings`.
    case string(Range<Int>)
    /// The node behind the last element, and how many elements there are.
    case list(end: Int, count: Int)
    /// The node behind the last value, and how many members there are.
    case map(end: Int, count: Int)
  }

  struct Node {
    var kind: Kind
    var offset: Int
  }

  let text: [UInt8]
  private(set) var nodes: [Node] = []
  private var strings: [UInt8] = []

  var root: Int { 0 }

  init(_ text: [UInt8]) throws(CodecError) {
    guard text.count <= TypedJSON.longestText else {
      throw CodecError(
        .messageTooLarge, offset: 0, expected: "at most \(TypedJSON.longestText) bytes of text",
        found: "\(text.count)")
    }
    self.text = text
    let builder = try text.withUnsafeBufferPointer { (bytes) throws(CodecError) in
      var reader = JSONReader(
        UnsafeRawBufferPointer(bytes),
        options: .init(maximumDepth: TypedJSON.maximumDepth, loneSurrogates: .kept),
        handler: Builder())
      try reader.read()
      return reader.handler
    }
    (nodes, strings) = (builder.nodes, builder.strings)
  }

  // MARK: - Nodes

  func isNull(_ node: Int) -> Bool {
    if case .null = nodes[node].kind { return true }
    return false
  }

  /// The node after `node` and all it contains.
  func next(after node: Int) -> Int {
    switch nodes[node].kind {
    case .list(let end, _), .map(let end, _): end
    default: node + 1
    }
  }

  /// The nodes of the elements, or of names and values in turn.
  func children(of node: Int) -> [Int] {
    var children: [Int] = []
    var child = node + 1
    let end = next(after: node)
    while child < end {
      children.append(child)
      child = next(after: child)
    }
    return children
  }

  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { strings[range] }

  func string(at node: Int) -> String? {
    guard case .string(let range) = nodes[node].kind else { return nil }
    return String(decoding: strings[range], as: UTF8.self)
  }

  func digits(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  /// The node in words, as the end of "found …".
  func describe(_ node: Int) -> String {
    switch nodes[node].kind {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let range, _):
      range.count > 40 ? "a number of \(range.count) characters" : digits(range)
    case .string(let range): Value.Text(bytes: strings[range]).quoted
    case .list(_, let count): "a list of \(count)"
    case .map(_, let count): "an object of \(count)"
    }
  }

  /// An error about the node.
  func error(_ node: Int, _ expected: String, found: String? = nil) -> CodecError {
    CodecError(
      .invalidJSON, offset: nodes[node].offset, expected: expected,
      found: found ?? describe(node))
  }

  // MARK: -

  private struct Builder: JSONHandler {
    var nodes: [Node] = []
    var strings: [UInt8] = []
    private var open: [(node: Int, count: Int)] = []

    private mutating func add(_ kind: Kind, at offset: Int) {
      if let last = open.indices.last { open[last].count += 1 }
      nodes.append(Node(kind: kind, offset: offset))
    }

    private mutating func string(_ text: JSONText) -> Kind {
      let start = strings.count
      strings.append(contentsOf: text.bytes)
      return .string(start..<strings.count)
    }

    mutating func null(at offset: Int) { add(.null, at: offset) }
    mutating func bool(_ bool: Bool, at offset: Int) { add(.bool(bool), at: offset) }
    mutating func number(_ number: JSONNumber, at offset: Int) {
      add(.number(offset..<offset + number.text.count, isWhole: number.isWhole), at: offset)
    }
    mutating func string(_ text: JSONText, at offset: Int) { add(string(text), at: offset) }
    mutating func name(_ text: JSONText, at offset: Int) {
      nodes.append(Node(kind: string(text), offset: offset))
    }
    mutating func beginList(at offset: Int) {
      add(.list(end: 0, count: 0), at: offset)
      open.append((nodes.count - 1, 0))
    }
    mutating func beginMap(at offset: Int) {
      add(.map(end: 0, count: 0), at: offset)
      open.append((nodes.count - 1, 0))
    }
    mutating func end(at offset: Int) {
      guard let container = open.popLast() else { return }
      switch nodes[container.node].kind {
      case .map: nodes[container.node].kind = .map(end: nodes.count, count: container.count)
      default: nodes[container.node].kind = .list(end: nodes.count, count: container.count)
      }
    }
  }
}
