import ChannelCodec

/// Makes an input that fails smaller for as long as it still fails.
struct Shrinker {
  /// Inputs that may be tried.
  var tries: Int

  /// - Parameter fails: asks the testee; nil when it cannot be asked any more.
  mutating func smallest(
    _ source: GeneratedCase.Source, fails: (GeneratedCase.Source) -> Bool?
  ) -> GeneratedCase.Source {
    var best = source
    while tries > 0 {
      var better: GeneratedCase.Source?
      for candidate in Self.candidates(best) {
        guard tries > 0 else { break }
        tries -= 1
        guard let isFailing = fails(candidate) else { return best }
        if isFailing {
          better = candidate
          break
        }
      }
      guard let better else { return best }
      best = better
    }
    return best
  }

  /// Smaller inputs, the boldest first.
  private static func candidates(_ source: GeneratedCase.Source) -> [GeneratedCase.Source] {
    switch source {
    case .bytes(let bytes): return self.bytes(bytes).map { .bytes($0) }
    case .content(let content): return contents(content).map { .content($0) }
    }
  }

  private static func bytes(_ bytes: [UInt8]) -> [[UInt8]] {
    var candidates: [[UInt8]] = []
    var length = bytes.count / 2
    while length > 0 {
      for start in stride(from: 0, to: bytes.count - length + 1, by: length) {
        candidates.append(Array(bytes[..<start] + bytes[(start + length)...]))
      }
      length /= 2
    }
    for place in bytes.indices where bytes[place] > 0 {
      for smaller in Set([0, bytes[place] / 2, bytes[place] - 1]).sorted() {
        var candidate = bytes
        candidate[place] = smaller
        candidates.append(candidate)
      }
    }
    return candidates
  }

  private static func contents(_ content: Content) -> [Content] {
    switch content {
    case .message(let value): return value.map { values($0).map { .message($0) } } ?? []
    case .call(let call):
      return values(call.arguments).map { .call(MethodCall(call.method, $0)) }
        + texts(call.method).map { .call(MethodCall($0, call.arguments)) }
    case .envelope(.success(let value)): return values(value).map { .envelope(.success($0)) }
    case .envelope(.error(let error)):
      func with(_ change: (inout ErrorEnvelope) -> Void) -> Content {
        var changed = error
        change(&changed)
        return .envelope(.error(changed))
      }
      var candidates = values(error.details).map { value in with { $0.details = value } }
      candidates += texts(error.code).map { text in with { $0.code = text } }
      if let message = error.message {
        candidates.append(with { $0.message = nil })
        candidates += texts(message).map { text in with { $0.message = text } }
      }
      return candidates
    case .envelope(nil): return []
    }
  }

  private static func texts(_ text: Value.Text) -> [Value.Text] {
    let bytes = text.utf8
    var candidates = pieces(bytes).map { Value.Text(bytes: $0) }
    let plain = bytes.map { _ in UInt8(ascii: "a") }
    if plain != bytes { candidates.append(Value.Text(bytes: plain)) }
    return candidates.filter { $0.isValidUTF8 || !text.isValidUTF8 }
  }

  /// None, halves, and all but one.
  private static func pieces<Element>(_ elements: [Element]) -> [[Element]] {
    guard !elements.isEmpty else { return [] }
    if elements.count == 1 { return [[]] }
    let middle = elements.count / 2
    return [
      [], Array(elements[..<middle]), Array(elements[middle...]), Array(elements.dropLast()),
      Array(elements.dropFirst()),
    ]
  }

  private static func values(_ value: Value) -> [Value] {
    switch value {
    case .null: return []
    case .bool, .largeInteger: return [.null]
    case .int32(let number):
      return number == 0 ? [.null] : [.null, 0, .int32(number / 2)]
    case .int64(let number):
      return [.null, .int64(number / 2), .int64(1 << 40)].filter { $0 != value }
    case .float64: return [.null, 1.0].filter { $0 != value }
    case .string(let text): return [.null] + texts(text).map { .string($0) }
    case .uint8List(let list): return typed(list) { .uint8List($0) }
    case .int32List(let list): return typed(list) { .int32List($0) }
    case .int64List(let list): return typed(list) { .int64List($0) }
    case .float32List(let list): return typed(list) { .float32List($0) }
    case .float64List(let list): return typed(list) { .float64List($0) }
    case .list(let list):
      let elements = Array(list)
      return elements + pieces(elements).map { .list(Value.List($0)) }
        + without(elements).map { .list(Value.List($0)) }
        + inner(elements, values).map { .list(Value.List($0)) }
    case .map(let map):
      let pairs = Array(map)
      return pairs.map(\.value) + pieces(pairs).map { .map(Value.Map($0)) }
        + without(pairs).map { .map(Value.Map($0)) }
        + inner(pairs) { pair in values(pair.value).map { (key: pair.key, value: $0) } }
        .map { .map(Value.Map($0)) }
        + inner(pairs) { pair in values(pair.key).map { (key: $0, value: pair.value) } }
        .map { .map(Value.Map($0)) }
    case .custom(let custom): return [custom.payload]
    }
  }

  private static func typed<Element: TypedListElement>(
    _ list: Value.TypedList<Element>, _ make: (Value.TypedList<Element>) -> Value
  ) -> [Value] {
    [.null] + pieces(Array(list)).map { make(Value.TypedList($0)) }
  }

  private static func without<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 2 else { return [] }
    return elements.indices.map { index in
      var rest = elements
      rest.remove(at: index)
      return rest
    }
  }

  private static func inner<Element>(
    _ elements: [Element], _ smaller: (Element) -> [Element]
  ) -> [[Element]] {
    elements.indices.flatMap { index in
      smaller(elements[index]).map { element in
        var changed = elements
        changed[index] = element
        return changed
      }
    }
  }
}
