/// Makes a ``Value`` piece by piece, in the order of a message, without knowing counts ahead: how
/// the JSON reader, the profiles' decoders and literals make theirs. Nesting costs no stack.
///
///     var builder = ValueBuilder()
///     builder.beginMap()
///     builder.append("elapsedSeconds")
///     builder.append(5)
///     builder.end()
///     let value = builder.finish()
public struct ValueBuilder {
  private struct Container {
    let word: Int
    var values = 0
  }

  private var writer = WireWriter(sink: ArraySink())
  private var words: [UInt32] = []
  private var open: [Container] = []
  private var isValidUTF8 = true

  public init() {}

  /// Lists, maps and extension values begun and not ended.
  public var depth: Int { open.count }

  /// Bytes that the value takes so far; what bounds a value built from input.
  public var byteCount: Int { writer.sink.bytes.count }

  public mutating func beginList() { begin(type: WireType.list.rawValue, isCounted: true) }
  public mutating func beginMap() { begin(type: WireType.map.rawValue, isCounted: true) }

  /// Begins an extension value; exactly one value must follow before its `end`.
  public mutating func beginCustom(_ type: UInt8) { begin(type: type, isCounted: false) }

  /// Ends the innermost container.
  public mutating func end() {
    guard let container = open.popLast() else {
      preconditionFailure("end() without a begun list, map or extension value")
    }
    let offset = Int(words[container.word])
    words[container.word + 1] = UInt32(words.count)
    switch writer.sink.bytes[offset] {
    case WireType.list.rawValue: patch(count: container.values, at: container.word)
    case WireType.map.rawValue:
      precondition(container.values.isMultiple(of: 2), "a map needs a value for its last key")
      patch(count: container.values / 2, at: container.word)
    default: precondition(container.values == 1, "an extension value holds exactly one value")
    }
  }

  /// Adds `value` with all it contains.
  public mutating func append(_ value: Value) {
    switch value {
    case .list(let list): append(list.node, of: list.index)
    case .map(let map): append(map.node, of: map.index)
    case .custom(let custom): append(custom.node, of: custom.index)
    default:
      beginValue()
      words.append(UInt32(writer.sink.bytes.count))
      if case .string(let text) = value, !text.isValidUTF8 { isValidUTF8 = false }
      value.visit(with: &writer)
    }
  }

  /// Adds a string by its bytes.
  public mutating func append(utf8: UnsafeRawBufferPointer, isValid: Bool = true) {
    beginValue()
    words.append(UInt32(writer.sink.bytes.count))
    if !isValid { isValidUTF8 = false }
    writer.visit(string: utf8, isValidUTF8: true)
  }

  /// The value; begins and ends must match and there must be one value.
  public consuming func finish() -> Value {
    finishIndex().value(at: 0)
  }

  consuming func finishIndex() -> MessageIndex {
    precondition(open.isEmpty && !words.isEmpty, "finish() before the value was complete")
    return words.withUnsafeBufferPointer {
      MessageIndex.make(bytes: writer.sink.bytes, words: $0, isValidUTF8: isValidUTF8)
    }
  }

  // MARK: -

  private mutating func beginValue() {
    precondition(writer.sink.bytes.count < Int(UInt32.max) / 2, "a value of more than 2 GiB")
    if open.isEmpty {
      precondition(words.isEmpty, "a second value outside any list or map")
    } else {
      open[open.count - 1].values += 1
    }
  }

  private mutating func begin(type: UInt8, isCounted: Bool) {
    beginValue()
    open.append(Container(word: words.count))
    words.append(UInt32(writer.sink.bytes.count))
    words.append(0)
    words.append(1)
    writer.sink.put(type)
    // The count is not known yet: the four-byte form leaves room for any.
    if isCounted { writer.sink.putSize(Int(UInt32.max)) }
  }

  private mutating func patch(count: Int, at word: Int) {
    words[word + 2] = UInt32(count)
    writer.sink.overwrite(UInt32(count), at: Int(words[word]) + 2)
  }

  /// Adds a container of another message: its words move by a constant, its bytes are written anew
  /// because the alignment may differ.
  private mutating func append(_ node: Int, of source: MessageIndex) {
    beginValue()
    isValidUTF8 = isValidUTF8 && source.isValidUTF8
    let end = source.next(after: node)
    let shift = words.count - node
    var mover = Mover(writer: writer, words: words, source: source, node: node, shift: shift)
    writer = WireWriter(sink: ArraySink())
    words = []
    source.visit(from: node, with: &mover)
    precondition(mover.node == end)
    writer = mover.writer
    words = mover.words
  }

  /// Writes the values of another message and notes where each lands.
  private struct Mover: ValueVisitor {
    var writer: WireWriter<ArraySink>
    var words: [UInt32]
    let source: MessageIndex
    var node: Int
    let shift: Int

    private mutating func leaf() {
      words.append(UInt32(writer.sink.bytes.count))
      node += 1
    }

    private mutating func container() {
      words.append(UInt32(writer.sink.bytes.count))
      words.append(UInt32(source.word(node + 1) + shift))
      words.append(UInt32(source.word(node + 2)))
      node += MessageIndex.containerWords
    }

    mutating func visitNull() {
      leaf()
      writer.visitNull()
    }
    mutating func visit(bool: Bool) {
      leaf()
      writer.visit(bool: bool)
    }
    mutating func visit(int32: Int32) {
      leaf()
      writer.visit(int32: int32)
    }
    mutating func visit(int64: Int64) {
      leaf()
      writer.visit(int64: int64)
    }
    mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
      leaf()
      writer.visit(largeInteger: text)
    }
    mutating func visit(float64Bits: UInt64) {
      leaf()
      writer.visit(float64Bits: float64Bits)
    }
    mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
      leaf()
      writer.visit(string: string, isValidUTF8: true)
    }
    mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
      leaf()
      writer.visit(typedList: typedList, kind: kind)
    }
    mutating func visit(listCount: Int) {
      container()
      writer.visit(listCount: listCount)
    }
    mutating func visit(mapCount: Int) {
      container()
      writer.visit(mapCount: mapCount)
    }
    mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
      container()
      writer.sink.put(customType)
      return true
    }
  }
}
