/// The text that hello, error, log and bye carry: lines `name=value`, each with a newline at its
/// end. In values `\n`, `\r`, `\0` and `\\` stand for newline, carriage return, NUL and backslash.
public struct Fields: Equatable, Sendable {
  /// One line.
  public struct Field: Hashable, Sendable {
    /// Lower-case ASCII letters, digits, `-` and `.`.
    public var name: String
    /// Any text, without its escapes.
    public var value: String
  }

  /// In the order in which they came; names may repeat.
  public private(set) var all: [Field] = []

  /// No fields.
  public init() {}

  /// - Parameter fields: names of lower-case ASCII letters, digits, `-` and `.`.
  public init(_ fields: [(name: String, value: String)]) {
    for field in fields { append(field.name, field.value) }
  }

  /// Adds a field behind the others. Characters that a name cannot have become `-`.
  public mutating func append(_ name: String, _ value: String) {
    let fitting = name.utf8.map { Self.isNameByte($0) ? $0 : UInt8(ascii: "-") }
    all.append(Field(name: String(decoding: fitting, as: UTF8.self), value: value))
  }

  /// The value of the last field with that name.
  public subscript(name: String) -> String? {
    all.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The bytes of the payload.
  public var encoded: [UInt8] { encoded(upTo: .max) }

  /// The bytes of the payload, with values cut where they do not fit.
  func encoded(upTo limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in all {
      guard bytes.count + field.name.utf8.count + 2 <= limit else { break }
      bytes += field.name.utf8
      bytes.append(UInt8(ascii: "="))
      for scalar in field.value.unicodeScalars {
        let escaped = Self.escaped(scalar)
        guard bytes.count + escaped.count < limit else { break }
        bytes += escaped
      }
      bytes.append(0x0a)
    }
    return bytes
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar {
    case "\n": Array(#"\n"#.utf8)
    case "\r": Array(#"\r"#.utf8)
    case "\0": Array(#"\0"#.utf8)
    case "\\": Array(#"\\"#.utf8)
    default: Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// Reads a payload.
  ///
  /// - Throws: ``FrameProblem/fieldsMalformed`` with the offset in the payload.
  public init(parsing payload: [UInt8]) throws(FrameError) {
    var line = 1
    var position = 0
    while position < payload.count {
      guard let end = payload[position...].firstIndex(of: 0x0a) else {
        throw Self.malformed(line, payload.count, "the last line lacks its newline")
      }
      let name = payload[position..<end].prefix { $0 != UInt8(ascii: "=") }
      guard name.endIndex < end else {
        throw Self.malformed(line, position, "there is no '='; every line is name=value")
      }
      guard !name.isEmpty else {
        throw Self.malformed(line, position, "there is no name before '='")
      }
      if let wrong = name.firstIndex(where: { !Self.isNameByte($0) }) {
        let text = "a name has lower-case letters, digits, '-' and '.' only"
        throw Self.malformed(line, wrong, text)
      }
      let value = try Self.unescaped(payload[(name.endIndex + 1)..<end], line: line)
      all.append(Field(name: String(decoding: name, as: UTF8.self), value: value))
      position = end + 1
      line += 1
    }
  }

  private static func unescaped(
    _ text: ArraySlice<UInt8>, line: Int
  ) throws(FrameError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      if byte == 0x0d {
        throw malformed(line, position, #"a carriage return is written \r; lines end in \n alone"#)
      }
      if byte == 0 { throw malformed(line, position, #"NUL is written \0"#) }
      if byte == UInt8(ascii: "\\") {
        let next = position + 1 < text.endIndex ? text[position + 1] : 0
        switch next {
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        case UInt8(ascii: "0"): bytes.append(0)
        case UInt8(ascii: "\\"): bytes.append(next)
        default: throw malformed(line, position, #"after a backslash comes n, r, 0 or \"#)
        }
        position += 2
      } else {
        bytes.append(byte)
        position += 1
      }
    }
    guard let value = String(validating: bytes, as: UTF8.self) else {
      throw malformed(line, text.startIndex, "the value is not UTF-8")
    }
    return value
  }

  private static func malformed(_ line: Int, _ offset: Int, _ text: String) -> FrameError {
    FrameError(.fieldsMalformed, "line \(line) of the fields: \(text)", offset: UInt64(offset))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
