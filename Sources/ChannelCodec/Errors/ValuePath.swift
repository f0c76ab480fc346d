/// The place of a value inside a message: `arguments.content["elapsedSeconds"]`, `[3]`,
/// `details["stack"][0]`.
public struct ValuePath: Sendable, Hashable {
  /// One step inwards.
  public enum Component: Sendable, Hashable {
    /// A part of a method call or envelope: `method`, `arguments`, `result`, `code`, `message`,
    /// `details`, `stacktrace`.
    case part(String)
    /// An element of a list, from 0.
    case element(Int)
    /// The value of a map's key.
    case key(Value)
    /// A map's key itself: which pair it belongs to, from 0.
    case keyOfPair(Int)
    /// The value of a pair whose key is a list or map, from 0.
    case valueOfPair(Int)
    /// This many steps of a long path, left out.
    case elided(Int)
    /// What an extension type byte is followed by.
    case payload(UInt8)
  }

  public var components: [Component]

  public init(_ components: [Component] = []) { self.components = components }

  public var isRoot: Bool { components.isEmpty }
}

extension ValuePath: CustomStringConvertible {
  public var description: String {
    var text = ""
    var follows: Component?
    for component in components {
      switch component {
      case .part(let name): text += name
      case .element(let number): text += "[\(number)]"
      case .key(let key): text += ValuePath.text(of: key, after: follows)
      case .keyOfPair(let number): text += "[key \(number)]"
      case .valueOfPair(let number): text += "[pair \(number)]"
      case .elided(let count): text += "…(\(count) more)…"
      case .payload(let type): text += "<\(type)>"
      }
      follows = component
    }
    return text.isEmpty ? "the value" : text
  }

  /// The keys of a call's arguments are its named arguments, so the first level reads as one:
  /// `arguments.content`. Deeper keys are data.
  private static func text(of key: Value, after before: Component?) -> String {
    guard case .string(let text) = key else { return "[\(key.shortText)]" }
    if before == .part("arguments"), let name = text.string, name.isIdentifier {
      return ".\(name)"
    }
    return "[\(text.quoted)]"
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
      return false
    }
    return utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

extension Value.Text {
  /// The text in quotes, safe for a terminal: controls and ill-formed bytes are escaped, long texts
  /// are cut.
  public var quoted: String {
    var quoted = "\""
    for scalar in description.unicodeScalars.prefix(60) {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default:
        if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
          let hex = String(scalar.value, radix: 16)
          quoted += "\\u{\(hex)}"
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    let isCut = description.unicodeScalars.dropFirst(60).first != nil
    return quoted + (isCut ? "…\"" : "\"")
  }
}

extension Value {
  /// A few words that stand for the value in a path or an error: the value where it is short, its
  /// kind and size where not.
  public var shortText: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    case .largeInteger(let number): "0x\(number.text.quoted.dropFirst().dropLast())"
    case .float64(let number): "\(number)"
    case .string(let text): text.quoted
    case .uint8List(let list): "Uint8List(\(list.count))"
    case .int32List(let list): "Int32List(\(list.count))"
    case .int64List(let list): "Int64List(\(list.count))"
    case .float32List(let list): "Float32List(\(list.count))"
    case .float64List(let list): "Float64List(\(list.count))"
    case .list(let list): "list of \(list.count)"
    case .map(let map): "map of \(map.count)"
    case .custom(let custom): "custom type \(custom.type)"
    }
  }
}
