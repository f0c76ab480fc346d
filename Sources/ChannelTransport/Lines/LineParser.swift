import ChannelRouter
import TerminalSafety

/// Takes one line apart.
///
/// ```
/// line    = [blanks] [request | "#" anything]
/// request = (name | "<") blanks payload [blanks]
/// name    = a JSON string, or characters without blanks that do not begin with " # < > !
/// payload = "-" for none, "\"\"" for an empty one, or hexadecimal digits, blanks allowed
/// ```
struct LineParser {
  private let bytes: UnsafeRawBufferPointer
  private let number: Int
  private let limits: FrameLimits
  private var position = 0

  /// - Parameter bytes: the line without its line end.
  init(_ bytes: UnsafeRawBufferPointer, number: Int, limits: FrameLimits) {
    self.bytes = bytes
    self.number = number
    self.limits = limits
  }

  /// nil for a line that asks for nothing.
  mutating func parse() throws(LineError) -> LineRequest? {
    skipBlanks()
    guard let first = current, first != UInt8(ascii: "#") else { return nil }
    switch first {
    case UInt8(ascii: "<"):
      position += 1
      guard current.map(Self.isBlank) ?? true else {
        throw refusal("a blank belongs behind '<'; a channel name that begins with it is quoted")
      }
      return .answer(payload: try payload())
    case UInt8(ascii: ">"), UInt8(ascii: "!"):
      let mark = String(Unicode.Scalar(first))
      throw refusal("'\(mark)' begins a line of output; as a channel name it is quoted")
    default:
      let start = position
      let name = try channelName(first)
      guard name.utf8.count <= limits.maximumChannelName else {
        position = start
        throw refusal(
          "a channel name of \(name.utf8.count) bytes; at most \(limits.maximumChannelName)")
      }
      return .message(channel: name, payload: try payload())
    }
  }

  // MARK: Parts

  private mutating func channelName(_ first: UInt8) throws(LineError) -> ChannelName {
    let start = position
    let name: [UInt8]
    if first == UInt8(ascii: "\"") {
      name = try quoted()
      guard current.map(Self.isBlank) ?? true else {
        throw refusal("a blank belongs between channel name and payload")
      }
    } else {
      while let byte = current, !Self.isBlank(byte) { position += 1 }
      name = Array(bytes[start..<position])
    }
    let end = position
    position = start
    if name.isEmpty { throw refusal("the channel name is empty") }
    guard let channel = ChannelName(validating: name) else {
      throw refusal("the channel name is not UTF-8, or has a NUL in it")
    }
    position = end
    return channel
  }

  private mutating func payload() throws(LineError) -> [UInt8]? {
    skipBlanks()
    guard let first = current else {
      throw refusal(
        #"the payload is missing: hexadecimal digits, - for none or "" for an empty one"#)
    }
    if first == UInt8(ascii: "-") {
      position += 1
      try end(after: "-")
      return nil
    }
    if first == UInt8(ascii: "\"") {
      guard position + 1 < bytes.count, bytes[position + 1] == first else {
        throw refusal(#"a payload is hexadecimal; only "" may stand there in quotes"#)
      }
      position += 2
      try end(after: #""""#)
      return []
    }
    return try hexadecimal()
  }

  private mutating func hexadecimal() throws(LineError) -> [UInt8] {
    let start = position
    var payload: [UInt8] = []
    payload.reserveCapacity((bytes.count - position) / 2)
    var high: UInt8?
    while let byte = current {
      if let digit = Self.digit(byte) {
        if let first = high {
          payload.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      } else if !Self.isBlank(byte) {
        throw refusal("no hexadecimal digit: \(character())")
      }
      position += 1
    }
    if high != nil { throw refusal("the last byte lacks its second digit") }
    if payload.count > limits.maximumPayload {
      position = start
      throw refusal("a payload of \(payload.count) bytes; at most \(limits.maximumPayload)")
    }
    return payload
  }

  private mutating func end(after mark: String) throws(LineError) {
    skipBlanks()
    if current != nil { throw refusal("nothing belongs behind \(mark)") }
  }

  // MARK: Quoted names

  /// A JSON string, from its first quotation mark to behind its last.
  private mutating func quoted() throws(LineError) -> [UInt8] {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return text
      case UInt8(ascii: "\\"):
        let scalar = try escape()
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      case 0..<0x20: throw refusal("a control character in quotes is written \\u00XX")
      default:
        text.append(byte)
        position += 1
      }
    }
    position = start
    throw refusal("the quoted channel name has no end")
  }

  private mutating func escape() throws(LineError) -> Unicode.Scalar {
    let start = position
    guard position + 1 < bytes.count else { throw refusal("the escape has no end") }
    let letter = bytes[position + 1]
    if letter != UInt8(ascii: "u") {
      guard let scalar = Self.escapes[letter] else { throw refusal("JSON has no such escape") }
      position += 2
      return scalar
    }
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let isPair =
      unit < 0xdc00 && position + 1 < bytes.count && bytes[position] == UInt8(ascii: "\\")
      && bytes[position + 1] == UInt8(ascii: "u")
    if isPair {
      let low = try fourDigits()
      if (0xdc00...0xdfff).contains(low) {
        let value = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    position = start
    throw refusal("half of a surrogate pair is no character")
  }

  /// The number behind `\u`.
  private mutating func fourDigits() throws(LineError) -> UInt32 {
    let digits = bytes[min(position + 2, bytes.count)...].prefix(4).compactMap(Self.digit)
    guard digits.count == 4 else { throw refusal("four hexadecimal digits belong behind \\u") }
    position += 6
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  // MARK: Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = current, Self.isBlank(byte) { position += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// The character at the position, fit to be shown.
  private func character() -> String {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    return "'" + (text.unicodeScalars.first.map { String($0).safeForTerminal } ?? "") + "'"
  }

  private func refusal(_ text: String) -> LineError {
    LineError(line: number, column: Self.column(bytes, position), text)
  }

  /// Characters are counted by the bytes that begin one.
  private static func column(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
    bytes.prefix(position).reduce(1) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
  }
}
