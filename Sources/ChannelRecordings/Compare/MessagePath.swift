import ChannelCodec

/// Paths as JSONPath writes them, from `$`: what reports print and `--ignore` takes.
public enum MessagePath {
  /// `$.content["the key"][3]`.
  public static func text(of path: ValuePath) -> String {
    var text = "$"
    for component in path.components {
      switch component {
      case .part(let name): text += ".\(name)"
      case .element(let number): text += "[\(number)]"
      case .key(.string(let key)):
        if let name = key.string, isName(name) {
          text += ".\(name)"
        } else {
          text += "[\(key.quoted)]"
        }
      case .key(let key): text += "[\(key.shortText)]"
      case .keyOfPair(let number): text += "[key \(number)]"
      case .valueOfPair(let number): text += "[pair \(number)]"
      case .elided(let count): text += "…(\(count) more)…"
      case .payload(let type): text += "<\(type)>"
      }
    }
    return text
  }

  /// Whether a key can stand behind a dot.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64, !isDigit(first), first != 0x2d else {
      return false
    }
    return text.utf8.allSatisfy { isNameByte($0) }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: isDigit(byte) || byte >= 0x80
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
