import Foundation

/// The payloads of the vectors: starting points that somebody has thought about.
enum Vectors {
  /// All payloads in the JSON files of a folder, found without parsing: `"hex": "…"` and no more.
  static func payloads(in folder: String) throws -> [[UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var payloads: [[UInt8]] = []
    for name in names where name.hasSuffix(".json") && name != "schema.json" {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      payloads += scan([UInt8](data))
    }
    return payloads
  }

  private static func scan(_ text: [UInt8]) -> [[UInt8]] {
    let name = Array("\"hex\"".utf8)
    var found: [[UInt8]] = []
    var position = 0
    while let start = text[position...].firstIndex(of: name[0]) {
      position = start + 1
      guard text[start...].starts(with: name) else { continue }
      let rest = text[(start + name.count)...].drop { [0x20, 0x3a].contains($0) }
      guard rest.first == name[0] else { continue }
      let digits = rest.dropFirst().prefix { $0 != name[0] }
      position = digits.endIndex
      if let bytes = Hex.bytes(String(decoding: digits, as: UTF8.self)), bytes.count < 2000 {
        found.append(bytes)
      }
    }
    return found
  }
}

enum Hex {
  static func text(_ bytes: some Collection<UInt8>, limit: Int = 4096) -> String {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = ""
    for byte in bytes.prefix(limit) {
      text.unicodeScalars.append(digits[Int(byte >> 4)])
      text.unicodeScalars.append(digits[Int(byte & 15)])
    }
    return bytes.count > limit ? text + "… (\(bytes.count) bytes)" : text
  }

  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text where character != " " {
      guard let digit = character.hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }
}
