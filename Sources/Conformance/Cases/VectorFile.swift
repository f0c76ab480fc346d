import ChannelCodec
import ChannelNotation

/// Reads a file of `Protocol/vectors`.
struct VectorFile {
  /// Bytes that the repetitions of a file may add up to: some notes of a few bytes stand for many.
  static let mostExpanded = 256 << 20

  private let name: String
  private let tree: JSONTree
  private let expansion: Expansion
  private let area: String
  private let flags: [String: BugClass]

  /// The vectors of a file.
  static func vectors(
    of text: VectorText, mostExpanded: Int = VectorFile.mostExpanded
  ) throws(VectorFailure) -> [Vector] {
    let tree: JSONTree
    do throws(CodecError) {
      tree = try JSONTree(text.bytes)
    } catch {
      throw VectorFailure("\(text.name).json: \(error)")
    }
    return try VectorFile(name: text.name, tree: tree, Expansion(mostExpanded)).vectors()
  }

  private init(name: String, tree: JSONTree, _ expansion: Expansion) {
    (self.name, self.tree, self.expansion) = (name, tree, expansion)
    area = tree.string(tree.member("area", of: tree.root)) ?? name
    var flags: [String: BugClass] = [:]
    for (flag, node) in tree.members(tree.member("flags", of: tree.root)) ?? [] {
      flags[flag] = BugClass(
        name: tree.string(tree.member("bugClass", of: node)) ?? "",
        effect: tree.string(tree.member("effect", of: node)) ?? "")
    }
    self.flags = flags
  }

  private func vectors() throws(VectorFailure) -> [Vector] {
    var vectors: [Vector] = []
    for node in tree.elements(tree.member("vectors", of: tree.root)) {
      vectors.append(try vector(node))
    }
    if vectors.isEmpty { throw VectorFailure("\(name).json: no vectors in it") }
    return vectors
  }

  private func vector(_ node: Int) throws(VectorFailure) -> Vector {
    guard let id = tree.string(tree.member("id", of: node)) else {
      throw VectorFailure("\(name).json: a vector without an id")
    }
    guard let codec = NamedCodec.Name(rawValue: tree.string(tree.member("codec", of: node)) ?? "")
    else { throw VectorFailure("\(name).json: \(id): no codec of this name") }
    let direction = tree.string(tree.member("direction", of: node)) ?? ""
    let parts = Parts(
      tree: tree, codec: codec, origin: "\(name).json: \(id)", expansion: expansion)
    var reactions: [Profile: Vector.Reaction] = [:]
    for (platform, directions) in tree.members(tree.member("profiles", of: node)) ?? [] {
      guard let profile = Profile(rawValue: platform) else {
        throw VectorFailure("\(name).json: \(id): no profile \(platform)")
      }
      reactions[profile] = Vector.Reaction(
        decode: try parts.decoding(tree.member("decode", of: directions)),
        encode: try parts.encoding(tree.member("encode", of: directions)),
        isUnverified: parts.isUnverified(directions))
    }
    return Vector(
      id: id, area: area, comment: tree.string(tree.member("comment", of: node)) ?? "",
      bugs: tree.elements(tree.member("flags", of: node)).compactMap { flag in
        tree.string(flag).flatMap { flags[$0] }
      },
      codec: codec, decodes: direction != "encode", encodes: direction != "decode",
      extensions: tree.elements(tree.member("extensions", of: node)).compactMap { type in
        tree.integer(type).flatMap { UInt8(exactly: $0) }.flatMap { $0 > 14 ? $0 : nil }
      },
      payload: try parts.payload(node), content: try parts.content(node),
      refusal: tree.member("error", of: node).flatMap { tree.string(tree.member("code", of: $0)) },
      reactions: reactions)
  }
}

/// What may still be added by repetitions.
private final class Expansion {
  let limit: Int
  private var left: Int

  init(_ limit: Int) { (self.limit, left) = (limit, limit) }

  /// False when it would be too much. What is empty counts as a byte, for it takes time as well.
  func takes(_ count: Int, of size: Int) -> Bool {
    guard count <= left / max(1, size) else { return false }
    left -= count * max(1, size)
    return true
  }
}

/// The payloads and values that a vector notes.
private struct Parts {
  let tree: JSONTree
  let codec: NamedCodec.Name
  let origin: String
  let expansion: Expansion

  func decoding(_ node: Int?) throws(VectorFailure) -> Expectation? {
    guard let node else { return nil }
    if let other = other(node) { return other }
    return try content(node).map { .content($0, comparison(node)) } ?? .unspecified
  }

  func encoding(_ node: Int?) throws(VectorFailure) -> Expectation? {
    guard let node else { return nil }
    if let other = other(node) { return other }
    // Not behind `??`: an error thrown there was lost in optimized code (Swift 6.3.1), which then
    // read from nowhere.
    return .bytes(try payload(node), comparison(node))
  }

  func isUnverified(_ directions: Int) -> Bool {
    (tree.members(directions) ?? []).contains {
      tree.string(tree.member("note", of: $0.node)) == "unverified"
    }
  }

  private func other(_ node: Int) -> Expectation? {
    if let text = tree.string(tree.member("error", of: node)) { return .refusal(text) }
    if let text = tree.string(tree.member("crash", of: node)) { return .crash(text) }
    return tree.member("unspecified", of: node).map { _ in .unspecified }
  }

  private func comparison(_ node: Int) -> Comparison {
    tree.string(tree.member("note", of: node)) == "map order unspecified" ? .anyOrder : .exact
  }

  func payload(_ node: Int) throws(VectorFailure) -> [UInt8]? {
    if let hex = tree.string(tree.member("hex", of: node)) { return try bytes(hex) }
    guard let parts = tree.member("hex_parts", of: node) else { return nil }
    var payload: [UInt8] = []
    for part in tree.elements(parts) {
      let pair = tree.elements(part)
      guard pair.count == 2, let hex = tree.string(pair[0]) else { throw broken("hex_parts") }
      let piece = try bytes(hex)
      for _ in 0..<(try count(pair[1], of: piece.count)) { payload += piece }
    }
    return payload
  }

  func content(_ node: Int) throws(VectorFailure) -> Content? {
    if let value = tree.member("value", of: node) {
      do throws(CodecError) {
        return try Content(tree.source(value), codec)
      } catch {
        throw VectorFailure("\(origin): \(error)")
      }
    }
    guard let fill = tree.member("value_fill", of: node) else { return nil }
    return .message(try self.fill(fill))
  }

  private func bytes(_ hex: String) throws(VectorFailure) -> [UInt8] {
    do throws(HexError) { return try Hex.bytes(of: hex) } catch {
      throw VectorFailure("\(origin): \(error)")
    }
  }

  private func broken(_ what: String) -> VectorFailure { VectorFailure("\(origin): bad \(what)") }

  /// How often something of a size comes.
  private func count(_ node: Int, of size: Int) throws(VectorFailure) -> Int {
    guard let count = tree.integer(node).flatMap({ Int(exactly: $0) }), count >= 0 else {
      throw broken("count")
    }
    guard expansion.takes(count, of: size) else {
      throw VectorFailure(
        "\(origin): repetitions come to more than \(expansion.limit) bytes in one file")
    }
    return count
  }

  /// A big value: an item and how often it comes.
  private func fill(_ node: Int) throws(VectorFailure) -> Value {
    guard let (tag, content) = tree.members(node)?.first else { throw broken("value_fill") }
    var builder = ValueBuilder()
    if tag == "map_int_keys" {
      builder.beginMap()
      for key in 0..<Int32(clamping: try count(content, of: 16)) {
        builder.append(.int32(key))
        builder.append(.null)
      }
      builder.end()
      return builder.finish()
    }
    let parts = tree.elements(content)
    guard let last = parts.last, parts.count == (tag == "map" ? 3 : 2) else {
      throw broken("value_fill")
    }
    let items = parts.dropLast().reduce(0) { $0 + tree.source($1).count }
    let count = try count(last, of: max(16, items))
    switch tag {
    case "list":
      let element = try value(parts[0])
      builder.beginList()
      for _ in 0..<count { builder.append(element) }
      builder.end()
    case "map":
      let (key, value) = (try value(parts[0]), try value(parts[1]))
      builder.beginMap()
      for _ in 0..<count {
        builder.append(key)
        builder.append(value)
      }
      builder.end()
    case "nested_list":
      for _ in 0..<count { builder.beginList() }
      builder.append(try value(parts[0]))
      for _ in 0..<count { builder.end() }
    case "string":
      let text = [[UInt8]](repeating: Array(tree.bytes(parts[0]) ?? []), count: count)
      return .string(Value.Text(bytes: text.joined()))
    case "uint8list":
      let piece = try bytes(tree.string(parts[0]) ?? "")
      return .uint8List(Value.TypedList([[UInt8]](repeating: piece, count: count).flatMap { $0 }))
    default:
      // A typed list of equal numbers is noted as typed JSON and read as such.
      var number = tree.source(parts[0])
      number.append(UInt8(ascii: ","))
      var text = Array("{\"\(tag)\":[".utf8)
      for _ in 0..<count { text += number }
      if count > 0 { text.removeLast() }
      return try value(text + Array("]}".utf8))
    }
    return builder.finish()
  }

  private func value(_ node: Int) throws(VectorFailure) -> Value {
    try value(tree.source(node))
  }

  private func value(_ text: [UInt8]) throws(VectorFailure) -> Value {
    let value: Value?
    do throws(CodecError) { value = try TypedJSON.value(text) } catch {
      throw VectorFailure("\(origin): \(error)")
    }
    guard let value else { throw broken("value") }
    return value
  }
}
