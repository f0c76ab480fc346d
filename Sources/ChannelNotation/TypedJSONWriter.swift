import ChannelCodec

/// Prints values for ``TypedJSON``.
struct TypedJSONWriter: ValueVisitor {
  private struct Container {
    enum Kind { case list, map, custom }
    let kind: Kind
    /// Keys count, too.
    var remaining: Int
    var done = 0
  }

  private var bytes: [UInt8] = []
  private var open: [Container] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: - Leaves

  mutating func visitNull() { leaf { $0.put(#"{"null":null}"#) } }
  mutating func visit(bool: Bool) { leaf { $0.put("{\"bool\":\(bool)}") } }
  mutating func visit(int32: Int32) { leaf { $0.put("{\"int32\":\(int32)}") } }
  mutating func visit(int64: Int64) { leaf { $0.put("{\"int64\":\"\(int64)\"}") } }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) {
    leaf { $0.object("bigint", text) }
  }

  mutating func visit(float64Bits: UInt64) {
    leaf {
      $0.put("{\"float64\":")
      $0.float64(float64Bits)
      $0.put("}")
    }
  }

  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) {
    leaf { $0.object("string", string) }
  }

  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) {
    leaf {
      switch kind {
      case .uint8: $0.put("{\"uint8list\":\"\(Hex.text(of: typedList))\"}")
      case .int32:
        $0.list("int32list", typedList, Int32.self) { $0.put("\($1)") }
      case .int64:
        $0.list("int64list", typedList, Int64.self) { $0.put("\"\($1)\"") }
      case .float32: $0.list("float32list", typedList, UInt32.self) { $0.float32($1) }
      case .float64: $0.list("float64list", typedList, UInt64.self) { $0.float64($1) }
      }
    }
  }

  private mutating func leaf(_ body: (inout TypedJSONWriter) -> Void) {
    begin()
    body(&self)
    end()
  }

  private mutating func object(_ tag: String, _ utf8: UnsafeRawBufferPointer) {
    put("{")
    member(tag, Value.Text(bytes: utf8))
    put("}")
  }

  private mutating func list<Element: BitwiseCopyable>(
    _ tag: String, _ bytes: UnsafeRawBufferPointer, _ type: Element.Type,
    _ put: (inout TypedJSONWriter, Element) -> Void
  ) {
    self.put("{\"\(tag)\":[")
    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.size) {
      if offset > 0 { self.put(",") }
      put(&self, bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
    self.put("]}")
  }

  // MARK: - Containers

  mutating func visit(listCount: Int) {
    begin()
    put(#"{"list":["#)
    open.append(Container(kind: .list, remaining: listCount))
    close()
  }

  mutating func visit(mapCount: Int) {
    begin()
    put(#"{"map":["#)
    open.append(Container(kind: .map, remaining: mapCount * 2))
    close()
  }

  mutating func visit(customType: UInt8, payload: () -> Value) -> Bool {
    begin()
    put("{\"custom\":{\"type\":\(customType),\"value\":")
    open.append(Container(kind: .custom, remaining: 1))
    return true
  }

  private mutating func begin() {
    guard let container = open.last else { return }
    if container.done > 0 { put(",") }
    if container.kind == .map && container.done.isMultiple(of: 2) { put("[") }
  }

  private mutating func end() {
    guard let last = open.indices.last else { return }
    open[last].done += 1
    open[last].remaining -= 1
    if open[last].kind == .map && open[last].done.isMultiple(of: 2) { put("]") }
    close()
  }

  private mutating func close() {
    guard let container = open.last, container.remaining == 0 else { return }
    var finished = container
    while finished.remaining == 0 {
      put(finished.kind == .custom ? "}}" : "]}")
      open.removeLast()
      guard let outer = open.indices.last else { return }
      open[outer].done += 1
      open[outer].remaining -= 1
      if open[outer].kind == .map && open[outer].done.isMultiple(of: 2) { put("]") }
      finished = open[outer]
    }
  }

  // MARK: - Numbers

  private mutating func float64(_ bits: UInt64) {
    let number = Double(bitPattern: bits)
    if number.isNaN {
      special(bits == 0x7ff8_0000_0000_0000 ? "nan" : TypedJSONWriter.hex(bits, digits: 16))
    } else if number.isInfinite || bits == 1 << 63 {
      special(number.isInfinite ? (number < 0 ? "-inf" : "inf") : "-0.0")
    } else {
      decimal("\(number.magnitude)", isNegative: number.sign == .minus)
    }
  }

  private mutating func float32(_ bits: UInt32) {
    let number = Float(bitPattern: bits)
    if number.isNaN {
      special(bits == 0x7fc0_0000 ? "nan" : TypedJSONWriter.hex(UInt64(bits), digits: 8))
    } else if number.isInfinite || bits == 1 << 31 {
      special(number.isInfinite ? (number < 0 ? "-inf" : "inf") : "-0.0")
    } else {
      decimal("\(number.magnitude)", isNegative: number.sign == .minus)
    }
  }

  private mutating func special(_ text: String) { put("\"\(text)\"") }

  /// A number as Dart prints it.
  private mutating func decimal(_ description: String, isNegative: Bool) {
    if isNegative { put("-") }
    DecimalDigits(description: description).appendAsDart(to: &bytes)
  }

  private static func hex(_ bits: UInt64, digits: Int) -> String {
    let text = String(bits, radix: 16)
    return "0x\(String(repeating: "0", count: digits - text.utf8.count))\(text)"
  }

  // MARK: - Text

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes `"name":"text"`, or `"name_hex":"…"` for bytes that are not UTF-8.
  mutating func member(_ name: String, _ text: Value.Text) {
    guard text.isValidUTF8 else {
      return put("\"\(name)_hex\":\"\(Hex.text(of: text.utf8))\"")
    }
    put("\"\(name)\":\"")
    text.withUTF8 { escape($0) }
    put("\"")
  }

  private mutating func escape(_ utf8: UnsafeRawBufferPointer) {
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case 0x08: put("\\b")
      case 0x09: put("\\t")
      case 0x0a: put("\\n")
      case 0x0c: put("\\f")
      case 0x0d: put("\\r")
      case 0..<0x20, 0x7f: put("\\u00\(Hex.text(of: CollectionOfOne(byte)))")
      default: bytes.append(byte)
      }
    }
  }
}
