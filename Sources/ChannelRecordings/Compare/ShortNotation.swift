import ChannelCodec

/// Values in a few words for reports: `{elapsedSeconds: 0, name: "run"}`, cut where it is long.
enum ShortNotation {
  /// - Parameter limit: about how many bytes the text may have.
  static func text(of value: Value, limit: Int = 120) -> String {
    switch value {
    case .uint8List(let list): "Uint8List \(hex(list))"
    default: ShownValue.text(of: value, limit: limit)
    }
  }

  /// A text in quotes.
  static func quoted(_ text: Value.Text) -> String { self.text(of: .string(text)) }

  /// The kind of a value, as the codec names it.
  static func type(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .int32: "int32"
    case .int64: "int64"
    case .largeInteger: "a large integer"
    case .float64: "double"
    case .string: "string"
    case .uint8List: "Uint8List"
    case .int32List: "Int32List"
    case .int64List: "Int64List"
    case .float32List: "Float32List"
    case .float64List: "Float64List"
    case .list: "list"
    case .map: "map"
    case .custom(let custom): "type \(custom.type)"
    }
  }

  /// Two texts in quotes; long ones from shortly before they begin to differ.
  static func pair(_ left: Value.Text, _ right: Value.Text) -> (String, String) {
    let one = Array(left.description.unicodeScalars)
    let other = Array(right.description.unicodeScalars)
    var start = 0
    while start < one.count, start < other.count, one[start] == other[start] { start += 1 }
    guard start > 40 else { return (quoted(left), quoted(right)) }
    func shown(_ scalars: [Unicode.Scalar]) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[min(start - 12, scalars.count)...])
      return "…" + quoted(Value.Text(String(text)))
    }
    return (shown(one), "\(shown(other)), from character \(start)")
  }

  /// Bytes in hexadecimal digits, cut where they are many.
  static func hex(_ bytes: some Collection<UInt8>, limit: Int = 32) -> String {
    var text = ""
    for byte in bytes.prefix(limit) {
      text += byte < 16 ? "0" : ""
      text += String(byte, radix: 16)
    }
    if bytes.isEmpty { return "no bytes" }
    return bytes.count > limit ? "\(text)… (\(bytes.count) bytes)" : text
  }

  static func bits<Element: TypedListElement>(of element: Element) -> UInt64 {
    withUnsafeBytes(of: element) { bytes in
      bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    }
  }
}
