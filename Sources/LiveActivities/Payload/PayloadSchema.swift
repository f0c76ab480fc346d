import ChannelCodec

/// The fields of a Swift struct as Foundation's `JSONDecoder` with default strategies reads them.
/// Fields that the struct does not have are passed over, as the decoder does.
public struct PayloadSchema: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The type of a field.
  public indirect enum Field: Sendable, Hashable {
    /// Whole numbers of 64 bits; `1.0` is one, `1.5`, `"7"` and `true` are not.
    case int
    case double
    case bool
    case string
    /// Seconds since 2001-01-01 as a number.
    case date
    /// Base64 text.
    case data
    /// Anything that JSON has, `AnyCodable` for instance.
    case any
    /// The key may be missing or null.
    case optional(Field)
    case array(Field)
    /// `[String: …]`.
    case dictionary(Field)
    case object(PayloadSchema)
  }

  /// In the order in which they are decoded: the first that does not fit is reported.
  public var fields: [(name: String, type: Field)] { storage.map { ($0.name, $0.type) } }

  private struct Entry: Sendable, Hashable {
    var name: String
    var type: Field
  }

  private var storage: [Entry]

  public init(dictionaryLiteral fields: (String, Field)...) { self.init(fields) }

  public init(_ fields: [(String, Field)]) {
    storage = fields.map { Entry(name: $0.0, type: $0.1) }
  }

  /// Why `value` would not decode, or nil. `root` begins the path.
  public func problem(in value: Value, root: String) -> DecodingProblem? {
    guard case .map(let map) = value else {
      return DecodingProblem(path: root, expected: "an object", found: value.jsonName)
    }
    for entry in storage {
      let path = "\(root).\(entry.name)"
      guard let value = map[entry.name] else {
        if case .optional = entry.type { continue }
        return DecodingProblem(path: path, expected: entry.type.name, found: nil)
      }
      if let problem = entry.type.problem(in: value, path: path) { return problem }
    }
    return nil
  }
}

extension PayloadSchema.Field {
  /// As Swift writes the type.
  var name: String {
    switch self {
    case .int: "Int"
    case .double: "Double"
    case .bool: "Bool"
    case .string: "String"
    case .date: "Date (seconds since 2001-01-01)"
    case .data: "Data (base64)"
    case .any: "a value"
    case .optional(let field): "\(field.name)?"
    case .array(let field): "[\(field.name)]"
    case .dictionary(let field): "[String: \(field.name)]"
    case .object: "an object"
    }
  }

  func problem(in value: Value, path: String) -> DecodingProblem? {
    switch (self, value) {
    case (.optional, .null), (.any, _): return nil
    case (.optional(let field), _): return field.problem(in: value, path: path)
    case (.int, .int32), (.int, .int64): return nil
    case (.int, .float64(let number)) where Int64(exactly: number) != nil: return nil
    case (.double, .int32), (.double, .int64), (.double, .float64): return nil
    case (.date, .int32), (.date, .int64), (.date, .float64): return nil
    case (.bool, .bool), (.string, .string): return nil
    case (.data, .string(let text)) where text.isBase64: return nil
    case (.array(let field), .list(let list)):
      for (number, element) in list.enumerated() {
        if let problem = field.problem(in: element, path: "\(path)[\(number)]") { return problem }
      }
      return nil
    case (.dictionary(let field), .map(let map)):
      for pair in map {
        let place = "\(path).\(pair.key.string ?? pair.key.shortText)"
        if let problem = field.problem(in: pair.value, path: place) { return problem }
      }
      return nil
    case (.object(let schema), .map): return schema.problem(in: value, root: path)
    default: return DecodingProblem(path: path, expected: name, found: value.jsonName)
    }
  }
}

extension Value {
  /// The value in an error, in JSON's words.
  var jsonName: String {
    switch self {
    case .list(let list): "a list of \(list.count)"
    case .map(let map): "an object of \(map.count)"
    default: shortText
    }
  }
}

extension Value.Text {
  /// Base64 with padding and without line breaks, as `JSONDecoder` wants it.
  fileprivate var isBase64: Bool {
    withUTF8 { bytes in
      guard bytes.count.isMultiple(of: 4) else { return false }
      let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
      return bytes.dropLast(padding).allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
    }
  }
}
