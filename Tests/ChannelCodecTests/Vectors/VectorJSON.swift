import ChannelCodec
import Foundation

/// Typed JSON of a vector, turned into values without the project's own reader.
struct VectorJSON: @unchecked Sendable {
  let any: Any
  let isFill: Bool

  struct Malformed: Error {
    let text: String
  }

  func message() throws -> Value? {
    if any is NSNull { return nil }
    return try isFill ? Self.fill(any) : Self.value(any)
  }

  func call() throws -> MethodCall {
    let members = try Self.members(any)
    if isFill { throw Malformed(text: "a filled call") }
    return MethodCall(
      try Self.text(members["method"] as Any), try Self.value(members["args"] as Any))
  }

  func envelope() throws -> Envelope? {
    if any is NSNull { return nil }
    let members = try Self.members(any)
    if let result = members["success"] { return .success(try Self.value(result)) }
    let error = try Self.members(members["error"] as Any)
    let trace: ErrorEnvelope.StackTrace
    switch error["stacktrace"] {
    case nil: trace = .absent
    case is NSNull: trace = .null
    case .some(let text): trace = .text(try Self.text(text))
    }
    let message = error["message"] is NSNull ? nil : try Self.text(error["message"] as Any)
    return .error(
      ErrorEnvelope(
        code: try Self.text(error["code"] as Any), message: message,
        details: try Self.value(error["details"] as Any), stackTrace: trace))
  }

  // MARK: -

  private static func members(_ any: Any) throws -> [String: Any] {
    guard let members = any as? [String: Any] else { throw Malformed(text: "\(any)") }
    return members
  }

  private static func text(_ any: Any) throws -> Value.Text {
    guard let string = any as? String else { throw Malformed(text: "\(any)") }
    return Value.Text(string)
  }

  static func value(_ any: Any) throws -> Value {
    let members = try members(any)
    guard members.count == 1, let (tag, content) = members.first else {
      throw Malformed(text: "\(any)")
    }
    switch tag {
    case "null": return .null
    case "bool": return .bool(content as? Bool ?? false)
    case "int32": return .int32(Int32(try integer(content)))
    case "int64": return .int64(try integer(content))
    case "bigint": return .largeInteger(Value.LargeInteger(try text(content)))
    case "float64": return .float64(try double(content))
    case "string": return .string(try text(content))
    case "string_hex":
      return .string(Value.Text(bytes: Vector.decodeHex(content as? String ?? "")))
    case "uint8list":
      return .uint8List(Value.TypedList(Vector.decodeHex(content as? String ?? "")))
    case "int32list":
      return .int32List(Value.TypedList(try array(content).map { Int32(try integer($0)) }))
    case "int64list": return .int64List(Value.TypedList(try array(content).map(integer)))
    case "float32list": return .float32List(Value.TypedList(try array(content).map(float)))
    case "float64list": return .float64List(Value.TypedList(try array(content).map(double)))
    case "list": return .list(Value.List(try array(content).map(value)))
    case "map":
      return .map(
        Value.Map(
          try array(content).map { pair in
            let pair = try array(pair)
            return (key: try value(pair[0]), value: try value(pair[1]))
          }))
    case "custom":
      let custom = try Self.members(content)
      return .custom(UInt8(try integer(custom["type"] as Any)), try value(custom["value"] as Any))
    default: throw Malformed(text: tag)
    }
  }

  private static func fill(_ any: Any) throws -> Value {
    let members = try members(any)
    guard let (tag, content) = members.first else { throw Malformed(text: "\(any)") }
    if tag == "map_int_keys" {
      return .map(
        Value.Map((0..<Int32(try integer(content))).map { (key: .int32($0), value: .null) }))
    }
    let parts = try array(content)
    guard let last = parts.last else { throw Malformed(text: "\(any)") }
    let count = Int(try integer(last))
    func repeated<Element>(_ element: Element) -> [Element] {
      [Element](repeating: element, count: count)
    }
    switch tag {
    case "string": return .string(Value.Text(repeated(parts[0] as? String ?? "").joined()))
    case "uint8list":
      return .uint8List(
        Value.TypedList(repeated(Vector.decodeHex(parts[0] as? String ?? "")).flatMap { $0 }))
    case "int32list": return .int32List(Value.TypedList(repeated(Int32(try integer(parts[0])))))
    case "int64list": return .int64List(Value.TypedList(repeated(try integer(parts[0]))))
    case "float32list": return .float32List(Value.TypedList(repeated(try float(parts[0]))))
    case "float64list": return .float64List(Value.TypedList(repeated(try double(parts[0]))))
    case "list": return .list(Value.List(repeated(try value(parts[0]))))
    case "map":
      let pair = (key: try value(parts[0]), value: try value(parts[1]))
      return .map(Value.Map(repeated(pair)))
    case "nested_list":
      var builder = ValueBuilder()
      for _ in 0..<count { builder.beginList() }
      builder.append(try value(parts[0]))
      for _ in 0..<count { builder.end() }
      return builder.finish()
    default: throw Malformed(text: "fill \(tag)")
    }
  }

  private static func array(_ any: Any) throws -> [Any] {
    guard let array = any as? [Any] else { throw Malformed(text: "\(any)") }
    return array
  }

  private static func integer(_ any: Any) throws -> Int64 {
    if let text = any as? String, let number = Int64(text) { return number }
    guard let number = any as? NSNumber else { throw Malformed(text: "\(any)") }
    return number.int64Value
  }

  private static func double(_ any: Any) throws -> Double {
    guard let text = any as? String else {
      guard let number = any as? NSNumber else { throw Malformed(text: "\(any)") }
      return number.doubleValue
    }
    switch text {
    case "nan": return Double(bitPattern: 0x7ff8_0000_0000_0000)
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "-0.0": return -0.0
    default:
      guard let bits = UInt64(text.dropFirst(2), radix: 16) else { throw Malformed(text: text) }
      return Double(bitPattern: bits)
    }
  }

  private static func float(_ any: Any) throws -> Float {
    guard let text = any as? String else {
      guard let number = any as? NSNumber else { throw Malformed(text: "\(any)") }
      return number.floatValue
    }
    switch text {
    case "nan": return Float(bitPattern: 0x7fc0_0000)
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "-0.0": return -0.0
    default:
      guard let bits = UInt32(text.dropFirst(2), radix: 16) else { throw Malformed(text: text) }
      return Float(bitPattern: bits)
    }
  }
}
