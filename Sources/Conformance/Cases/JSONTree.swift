import ChannelCodec

/// A JSON text as a list of nodes, each with the place in the text where it stands: typed JSON
/// inside it can be handed on as it is.
///
/// The nodes of a list or an object follow it; an object has names and values in turn.
struct JSONTree {
  enum Kind {
    case null
    case bool(Bool)
    /// nil where the number is not whole, or does not fit 64 bits.
    case number(Int64?)
    /// Where the bytes stand in `strings`.
    case string(Range<Int>)
    case list
    case object
  }

  struct Node {
    var kind: Kind
    /// In `text`.
    var range: Range<Int>
    /// The node behind this one and all it contains.
    var next: Int
  }

  /// As deep as a typed JSON of a message of the greatest depth may be.
  private static let maximumDepth = 400_000

  let text: [UInt8]
  private let nodes: [Node]
  private let strings: [UInt8]

  /// Throws `invalidJSON`, `invalidUTF8` or `depthExceeded` with the offset in the text.
  init(_ text: [UInt8]) throws(CodecError) {
    self.text = text
    let builder = try text.withUnsafeBufferPointer { (bytes) throws(CodecError) in
      let raw = UnsafeRawBufferPointer(bytes)
      var reader = JSONReader(
        raw, options: .init(maximumDepth: Self.maximumDepth, loneSurrogates: .kept),
        handler: Builder(text: raw))
      try reader.read()
      return (reader.handler.nodes, reader.handler.strings)
    }
    (nodes, strings) = builder
  }

  var root: Int { 0 }

  func kind(_ node: Int) -> Kind { nodes[node].kind }

  /// The text of a node.
  func source(_ node: Int) -> [UInt8] { Array(text[nodes[node].range]) }

  func string(_ node: Int?) -> String? {
    guard let node, case .string(let range) = nodes[node].kind else { return nil }
    return String(decoding: strings[range], as: UTF8.self)
  }

  /// The bytes of a string, escapes resolved.
  func bytes(_ node: Int?) -> ArraySlice<UInt8>? {
    guard let node, case .string(let range) = nodes[node].kind else { return nil }
    return strings[range]
  }

  func integer(_ node: Int?) -> Int64? {
    guard let node, case .number(let number) = nodes[node].kind else { return nil }
    return number
  }

  func isNull(_ node: Int) -> Bool {
    if case .null = nodes[node].kind { return true }
    return false
  }

  /// The elements of a list; empty for anything else.
  func elements(_ node: Int?) -> [Int] {
    guard let node, case .list = nodes[node].kind else { return [] }
    return children(node)
  }

  /// The members of an object in the order of the text; nil for anything else.
  func members(_ node: Int?) -> [(name: String, node: Int)]? {
    guard let node, case .object = nodes[node].kind else { return nil }
    let children = children(node)
    return stride(from: 0, to: children.count - 1, by: 2).map { index in
      (string(children[index]) ?? "", children[index + 1])
    }
  }

  /// The member with this name; nil where there is none, or no object.
  func member(_ name: String, of node: Int?) -> Int? {
    members(node)?.first { $0.name == name }?.node
  }

  private func children(_ node: Int) -> [Int] {
    var children: [Int] = []
    var child = node + 1
    while child < nodes[node].next {
      children.append(child)
      child = nodes[child].next
    }
    return children
  }

  // MARK: -

  private struct Builder: JSONHandler {
    let text: UnsafeRawBufferPointer
    var nodes: [Node] = []
    var strings: [UInt8] = []
    private var open: [Int] = []

    init(text: UnsafeRawBufferPointer) { self.text = text }

    private mutating func add(_ kind: Kind, _ range: Range<Int>) {
      nodes.append(Node(kind: kind, range: range, next: nodes.count + 1))
    }

    private mutating func add(_ string: JSONText, at offset: Int) {
      let start = strings.count
      strings.append(contentsOf: string.bytes)
      // The reader has found the closing quote; escapes are skipped in pairs.
      var end = offset + 1
      while end < text.count, text[end] != UInt8(ascii: "\"") {
        end += text[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      add(.string(start..<strings.count), offset..<min(end + 1, text.count))
    }

    mutating func null(at offset: Int) { add(.null, offset..<offset + 4) }
    mutating func bool(_ bool: Bool, at offset: Int) {
      add(.bool(bool), offset..<offset + (bool ? 4 : 5))
    }
    mutating func number(_ number: JSONNumber, at offset: Int) {
      add(.number(number.integer), offset..<offset + number.text.count)
    }
    mutating func string(_ text: JSONText, at offset: Int) { add(text, at: offset) }
    mutating func name(_ text: JSONText, at offset: Int) { add(text, at: offset) }
    mutating func beginList(at offset: Int) {
      open.append(nodes.count)
      add(.list, offset..<offset + 1)
    }
    mutating func beginMap(at offset: Int) {
      open.append(nodes.count)
      add(.object, offset..<offset + 1)
    }
    mutating func end(at offset: Int) {
      guard let node = open.popLast() else { return }
      nodes[node].next = nodes.count
      nodes[node].range = nodes[node].range.lowerBound..<offset + 1
    }
  }
}
