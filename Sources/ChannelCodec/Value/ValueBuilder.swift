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
    let offset: Int
    var values = 0
  }

  static let largestValue = Int(Int32.max)

  private var writer = WireWriter(sink: ArraySink())
  private var open: [Container] = []
  private var isComplete = false

  public init() {}

  /// Lists, maps and extension values begun and not ended.
  public var depth: Int { open.count }

  /// Bytes that the value takes so far; what bounds a value built from input.
  public var byteCount: Int { writer.sink.bytes.count }

  public mutating func beginList() { begin(type: WireType.list.rawValue, isCounted: true) }
  public mutating func beginMap() { begin(type: WireType.map.rawValue, isCounted: true) }

  /// Begins an extension value; exactly one value must follow before its `end`.
  public mutating func beginCustom(_ type: UInt8) {
    precondition(type > 14, "type bytes 0 to 14 belong to the standard codec")
    begin(type: type, isCounted: false)
  }

  /// Ends the innermost container.
  public mutating func end() {
    guard let container = open.popLast() else {
      preconditionFailure("end() without a begun list, map or extension value")
    }
    switch writer.sink.bytes[container.offset] {
    case WireType.list.rawValue: patch(count: container.values, of: container)
    case WireType.map.rawValue:
      precondition(container.values.isMultiple(of: 2), "a map needs a value for its last key")
      patch(count: container.values / 2, of: container)
    default: precondition(container.values == 1, "an extension value holds exactly one value")
    }
  }

  /// Adds `value` with all it contains.
  public mutating func append(_ value: Value) {
    beginValue()
    value.visit(with: &writer)
  }

  /// Adds a string by its bytes, UTF-8 or not.
  public mutating func append(utf8: UnsafeRawBufferPointer) {
    beginValue()
    writer.visit(string: utf8, isValidUTF8: false)
  }

  /// The value; begins and ends must match and there must be one value.
  public consuming func finish() -> Value {
    finishSource().value(at: 0)
  }

  consuming func finishSource() -> MessageSource {
    precondition(open.isEmpty && isComplete, "finish() before the value was complete")
    return MessageIndexer.source(ofWellFormed: writer.sink.bytes)
  }

  // MARK: -

  private mutating func beginValue() {
    precondition(
      writer.sink.bytes.count < ValueBuilder.largestValue, "a value of more than 2 GiB")
    if open.isEmpty {
      precondition(!isComplete, "a second value outside any list or map")
      isComplete = true
    } else {
      open[open.count - 1].values += 1
    }
  }

  private mutating func begin(type: UInt8, isCounted: Bool) {
    beginValue()
    open.append(Container(offset: writer.sink.bytes.count))
    writer.sink.put(type)
    // The count is not known yet: the four-byte form leaves room for any.
    if isCounted { writer.sink.putSize(Int(UInt32.max)) }
  }

  private mutating func patch(count: Int, of container: Container) {
    writer.sink.overwrite(UInt32(count), at: container.offset + 2)
  }
}
