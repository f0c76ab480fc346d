extension Value {
  /// The elements of a list, viewed in an indexed message.
  ///
  /// Reaching an element by its number walks over those before it; to visit many, iterate, or make
  /// an `Array` of it first.
  public struct List: Sendable {
    @usableFromInline let source: MessageSource
    @usableFromInline let node: Int

    init(source: MessageSource, node: Int) {
      self.source = source
      self.node = node
    }

    public init(_ elements: some Sequence<Value>) {
      var builder = ValueBuilder()
      builder.beginList()
      for element in elements { builder.append(element) }
      builder.end()
      (source, node) = (builder.finishSource(), 0)
    }
  }

  /// The pairs of a map in the order of the message, viewed in an indexed message. Repeated keys
  /// are all there; ``subscript(_:)-(Value)`` answers with the last, as Dart would.
  public struct Map: Sendable {
    @usableFromInline let source: MessageSource
    @usableFromInline let node: Int

    init(source: MessageSource, node: Int) {
      self.source = source
      self.node = node
    }

    public init(_ pairs: some Sequence<(key: Value, value: Value)>) {
      var builder = ValueBuilder()
      builder.beginMap()
      for pair in pairs {
        builder.append(pair.key)
        builder.append(pair.value)
      }
      builder.end()
      (source, node) = (builder.finishSource(), 0)
    }
  }

  /// An extension value: its type byte and what its reader has read.
  public struct Custom: Sendable {
    @usableFromInline let source: MessageSource
    @usableFromInline let node: Int

    init(source: MessageSource, node: Int) {
      self.source = source
      self.node = node
    }

    /// `type` is 15 to 255; 0 to 14 are Flutter's own.
    public init(type: UInt8, payload: Value) {
      precondition(type > 14, "type bytes 0 to 14 belong to the standard codec")
      var builder = ValueBuilder()
      builder.beginCustom(type)
      builder.append(payload)
      builder.end()
      (source, node) = (builder.finishSource(), 0)
    }

    public var type: UInt8 { source.type(of: node) }
    public var payload: Value { source.value(at: source.firstChild(of: node)) }
  }
}

extension Value {
  /// The map that is all of a small message which the caller has written by the rules of the
  /// format: it is not checked again.
  package static func wellFormedMap(_ message: [UInt8]) -> Value {
    precondition(message.count <= MessageSource.largestSmall && message.first == 13)
    assert((try? StandardMessageCodec().decode(message))?.isMap ?? false)
    return .map(Map(source: .small(message), node: 0))
  }
}

extension Value.List: Collection {
  /// A place in a list: how many elements stand before it.
  public struct Index: Comparable, Sendable {
    let node: Int
    let ordinal: Int
    public static func < (left: Index, right: Index) -> Bool { left.ordinal < right.ordinal }
    public static func == (left: Index, right: Index) -> Bool { left.ordinal == right.ordinal }
  }

  public var count: Int { source.count(of: node) }
  public var isEmpty: Bool { count == 0 }
  public var startIndex: Index { Index(node: source.firstChild(of: node), ordinal: 0) }
  public var endIndex: Index { Index(node: node, ordinal: count) }

  public func index(after position: Index) -> Index {
    Index(node: source.next(after: position.node), ordinal: position.ordinal + 1)
  }

  public subscript(position: Index) -> Value {
    precondition(position.ordinal < count, "list index out of range")
    return source.value(at: position.node)
  }

  /// The element with this number, or nil past the end. Walks over the elements before it.
  public subscript(number: Int) -> Value? {
    guard number >= 0, number < count else { return nil }
    var element = source.firstChild(of: node)
    if case .indexed = source, source.next(after: node) - element == count {
      // Leaves take one word each: a list of nothing else can be addressed at once.
      return source.value(at: element + number)
    }
    for _ in 0..<number { element = source.next(after: element) }
    return source.value(at: element)
  }
}

extension Value.Map: Collection {
  public typealias Index = Value.List.Index

  public var count: Int { source.count(of: node) }
  public var isEmpty: Bool { count == 0 }
  public var startIndex: Index { Index(node: source.firstChild(of: node), ordinal: 0) }
  public var endIndex: Index { Index(node: node, ordinal: count) }

  public func index(after position: Index) -> Index {
    let value = source.next(after: position.node)
    return Index(node: source.next(after: value), ordinal: position.ordinal + 1)
  }

  public subscript(position: Index) -> (key: Value, value: Value) {
    precondition(position.ordinal < count, "map index out of range")
    let key = position.node
    return (source.value(at: key), source.value(at: source.next(after: key)))
  }

  /// The value of the last pair with exactly this key, or nil.
  public subscript(key: Value) -> Value? {
    if case .string(let text) = key { return text.withUTF8 { self[utf8: $0] } }
    var found: Value?
    for pair in self where pair.key == key { found = pair.value }
    return found
  }

  /// The value of the last pair whose key is this string, compared by bytes; nil if there is none.
  public subscript(key: String) -> Value? {
    var key = key
    return key.withUTF8 { self[utf8: UnsafeRawBufferPointer($0)] }
  }

  private subscript(utf8 name: UnsafeRawBufferPointer) -> Value? {
    var found: Int?
    var key = source.firstChild(of: node)
    for _ in 0..<count {
      let value = source.next(after: key)
      let offset = source.offset(of: key)
      let isMatch = source.bytes.withUnsafeBytes { bytes in
        guard bytes[offset] == WireType.string.rawValue else { return false }
        let size = WireSize.read(bytes, at: offset + 1)
        guard size.value == name.count else { return false }
        return bytes[size.end..<size.end + size.value].elementsEqual(name)
      }
      if isMatch { found = value }
      key = source.next(after: value)
    }
    return found.map(source.value(at:))
  }
}

extension Value.List: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) { self.init(elements) }
}

extension Value.Map: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral pairs: (Value, Value)...) {
    self.init(pairs.lazy.map { (key: $0.0, value: $0.1) })
  }
}
