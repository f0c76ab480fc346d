import ChannelCodec

/// Makes values of the nodes of a ``TypedJSON`` text.
struct TypedJSONReader {
  let document: JSONDocument

  private enum Task {
    case value(Int)
    case end
  }

  // MARK: - Values

  /// The value at `node`. A list of what is left to do takes the place of the stack.
  func value(at node: Int) throws(CodecError) -> Value {
    var builder = ValueBuilder()
    var tasks: [Task] = [.value(node)]
    while let task = tasks.popLast() {
      guard case .value(let node) = task else {
        builder.end()
        continue
      }
      switch try form(of: node) {
      case .leaf(let value): builder.append(value)
      case .list(let elements):
        builder.beginList()
        tasks.append(.end)
        tasks.append(contentsOf: elements.reversed().map { .value($0) })
      case .map(let keysAndValues):
        builder.beginMap()
        tasks.append(.end)
        tasks.append(contentsOf: keysAndValues.reversed().map { .value($0) })
      case .custom(let type, let payload):
        builder.beginCustom(type)
        tasks += [.end, .value(payload)]
      }
    }
    return builder.finish()
  }

  private enum Form {
    case leaf(Value)
    case list([Int])
    /// Keys and values in turn.
    case map([Int])
    case custom(UInt8, payload: Int)
  }

  private func form(of node: Int) throws(CodecError) -> Form {
    switch document.nodes[node].kind {
    case .null: return .leaf(.null)
    case .bool(let bool): return .leaf(.bool(bool))
    case .string(let range): return .leaf(.string(Value.Text(bytes: document.bytes(range))))
    case .number(let range, let isWhole):
      if isWhole, let integer = Int64(document.digits(range)) { return .leaf(.integer(integer)) }
      return .leaf(.float64(try TypedJSONNumber(document).float64(node, "a number")))
    case .list: return .list(document.children(of: node))
    case .map(_, let count):
      if count == 1, let tag = document.string(at: node + 1),
        let form = try typedForm(tag, content: node + 2)
      {
        return form
      }
      return .map(document.children(of: node))
    }
  }

  /// What an object with the one member `tag` is, or nil for a plain map: the name is no tag, or
  /// its content is of another form.
  private func typedForm(_ tag: String, content: Int) throws(CodecError) -> Form? {
    let numbers = TypedJSONNumber(document)
    switch (tag, document.nodes[content].kind) {
    case ("null", .null): return .leaf(.null)
    case ("bool", .bool(let bool)): return .leaf(.bool(bool))
    case ("int32", .number):
      return .leaf(.int32(try numbers.integer(content, "int32")))
    case ("int64", .number), ("int64", .string):
      return .leaf(.int64(try numbers.integer(content, "int64")))
    case ("float64", .number), ("float64", .string):
      return .leaf(.float64(try numbers.float64(content, "float64")))
    case ("bigint", .string(let range)):
      return .leaf(.largeInteger(Value.LargeInteger(Value.Text(bytes: document.bytes(range)))))
    case ("bigint_hex", .string):
      return .leaf(.largeInteger(Value.LargeInteger(Value.Text(bytes: try hex(content, tag)))))
    case ("string", .string(let range)):
      return .leaf(.string(Value.Text(bytes: document.bytes(range))))
    case ("string_hex", .string):
      return .leaf(.string(Value.Text(bytes: try hex(content, tag))))
    case ("uint8list", .string):
      return .leaf(.uint8List(Value.TypedList(try hex(content, tag))))
    case ("list", .list): return .list(document.children(of: content))
    case ("map", .list): return pairs(content).map { .map($0) }
    case ("custom", .map): return try custom(content)
    case (_, .list): return try typedList(tag, content)
    default: return nil
    }
  }

  /// The keys and values of a list of pairs, or nil where it holds something else.
  private func pairs(_ node: Int) -> [Int]? {
    var nodes: [Int] = []
    for pair in document.children(of: node) {
      guard case .list(_, count: 2) = document.nodes[pair].kind else { return nil }
      nodes += [pair + 1, document.next(after: pair + 1)]
    }
    return nodes
  }

  private func custom(_ node: Int) throws(CodecError) -> Form? {
    let children = document.children(of: node)
    guard children.count == 4 else { return nil }
    let names = [document.string(at: children[0]), document.string(at: children[2])]
    let (type, value): (Int, Int)
    switch names {
    case ["type", "value"]: (type, value) = (children[1], children[3])
    case ["value", "type"]: (type, value) = (children[3], children[1])
    default: return nil
    }
    guard case .number = document.nodes[type].kind else { return nil }
    let byte: UInt8 = try TypedJSONNumber(document).integer(type, "the type of a custom value")
    guard byte > 14 else {
      throw document.error(type, "a type from 15 to 255 for a custom value")
    }
    return .custom(byte, payload: value)
  }

  private func typedList(_ tag: String, _ node: Int) throws(CodecError) -> Form? {
    let numbers = TypedJSONNumber(document)
    let elements = document.children(of: node)
    let isOfNumbers = elements.allSatisfy { element in
      switch (document.nodes[element].kind, tag) {
      case (.number, _): true
      case (.string, "int64list"), (.string, "float32list"), (.string, "float64list"): true
      default: false
      }
    }
    guard isOfNumbers else { return nil }
    switch tag {
    case "uint8list":
      return .leaf(.uint8List(Value.TypedList(try numbers.integers(elements, "a uint8list"))))
    case "int32list":
      return .leaf(.int32List(Value.TypedList(try numbers.integers(elements, "an int32list"))))
    case "int64list":
      return .leaf(.int64List(Value.TypedList(try numbers.integers(elements, "an int64list"))))
    case "float32list":
      return .leaf(.float32List(Value.TypedList(try numbers.float32s(elements, "a float32list"))))
    case "float64list":
      return .leaf(.float64List(Value.TypedList(try numbers.float64s(elements, "a float64list"))))
    default: return nil
    }
  }

  private func hex(_ node: Int, _ tag: String) throws(CodecError) -> [UInt8] {
    guard case .string(let range) = document.nodes[node].kind else { return [] }
    do throws(HexError) {
      return try Hex.bytes(ofUTF8: Array(document.bytes(range)))
    } catch {
      // The digits start behind the quote; an escape before the fault would move it.
      throw CodecError(
        .invalidJSON, offset: document.nodes[node].offset + 1 + error.offset,
        expected: "\(tag) as an even number of hexadecimal digits",
        found: error.character.map { Value.Text(String($0)).quoted } ?? "an odd number of them")
    }
  }

  // MARK: - Calls and envelopes

  struct Member {
    var name: String
    var node: Int
  }

  /// The members of an object that may have only these: `texts` as they are or with `_hex`, and
  /// `others`. `thing` names the object in errors.
  func members(
    at node: Int, of thing: String, texts: [String], others: [String]
  ) throws(CodecError) -> [Member] {
    let known = texts + texts.map { "\($0)_hex" } + others
    let list = (texts + others).map { "\"\($0)\"" }.joined(separator: ", ")
    guard case .map = document.nodes[node].kind else {
      throw document.error(node, "\(thing) as an object of \(list)")
    }
    let children = document.children(of: node)
    var members: [Member] = []
    for place in stride(from: 0, to: children.count, by: 2) {
      let name = document.string(at: children[place]) ?? ""
      guard known.contains(name) else {
        throw document.error(children[place], "one of \(list) in \(thing)")
      }
      let plainName = name.hasSuffix("_hex") ? String(name.dropLast(4)) : name
      let isRepeated = members.contains {
        $0.name == plainName || $0.name == "\(plainName)_hex"
      }
      if isRepeated { throw document.error(children[place], "each member of \(thing) once") }
      members.append(Member(name: name, node: children[place + 1]))
    }
    return members
  }

  /// The text of the member `name`, or nil where it is null or missing.
  func text(_ name: String, of members: [Member]) throws(CodecError) -> Value.Text? {
    if let member = members.first(where: { $0.name == "\(name)_hex" }) {
      guard case .string = document.nodes[member.node].kind else {
        throw document.error(member.node, "\(name)_hex as a string")
      }
      return Value.Text(bytes: try hex(member.node, "\(name)_hex"))
    }
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    switch document.nodes[member.node].kind {
    case .null: return nil
    case .string(let range): return Value.Text(bytes: document.bytes(range))
    default: throw document.error(member.node, "\(name) as a string")
    }
  }

  /// The value of the member `name`; null where it is missing.
  func value(_ name: String, of members: [Member]) throws(CodecError) -> Value {
    guard let member = members.first(where: { $0.name == name }) else { return .null }
    return try value(at: member.node)
  }

  func missing(_ name: String, at node: Int) -> CodecError {
    document.error(node, "\(name) as a string")
  }
}
