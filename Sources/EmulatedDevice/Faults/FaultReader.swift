import ChannelCodec

/// Reads `CHANNEL[.METHOD][#CALLS]: ACTION`.
struct FaultReader {
  static let actions = [
    "delay", "no-reply", "double-reply", "error", "not-implemented", "corrupt", "close",
  ]

  private let text: [UInt8]
  private var offset = 0

  private init(_ text: [UInt8]) { self.text = text }

  static func rule(_ text: some StringProtocol) throws(FaultSyntaxError) -> FaultRule {
    var reader = FaultReader(Array(text.utf8))
    do throws(FaultSyntaxError) {
      return try reader.rule()
    } catch {
      throw FaultSyntaxError("fault \(NearMiss.quoted(text)): \(error.text)")
    }
  }

  /// Bytes that need no quotation marks in a name.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...32, 127, UInt8(ascii: "\""), UInt8(ascii: "."), UInt8(ascii: "#"),
      UInt8(ascii: ":"), UInt8(ascii: ";"):
      false
    default: true
    }
  }

  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text != "null"
      && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") }
  }

  // MARK: -

  private mutating func rule() throws(FaultSyntaxError) -> FaultRule {
    skipSpace()
    let names = try names()
    let calls = try selection()
    skipSpace()
    guard take(":") else {
      throw FaultSyntaxError("expected CHANNEL.METHOD#CALLS: FAULT, found no colon")
    }
    let action = try action()
    skipSpace()
    guard offset == text.count else {
      throw FaultSyntaxError("nothing may follow the fault; found \(NearMiss.quoted(rest))")
    }
    return FaultRule(channel: names.channel, method: names.method, calls: calls, action: action)
  }

  private mutating func names() throws(FaultSyntaxError) -> (channel: String, method: String?) {
    var parts: [String] = []
    repeat {
      if offset < text.count, text[offset] == UInt8(ascii: "\"") {
        parts.append(try quoted("a name"))
      } else {
        let start = offset
        while offset < text.count, FaultReader.isPlain(text[offset]) { offset += 1 }
        parts.append(String(decoding: text[start..<offset], as: UTF8.self))
      }
    } while take(".")
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw FaultSyntaxError("expected a channel's name, or * for all")
    }
    guard parts.count <= 2 else {
      let channel = parts.dropLast().joined(separator: ".")
      throw FaultSyntaxError(
        "a channel with a dot in its name needs quotation marks: "
          + "\(JSONText.quoted(channel)).\(parts[parts.count - 1])")
    }
    return (parts[0], parts.count == 2 ? parts[1] : nil)
  }

  private mutating func selection() throws(FaultSyntaxError) -> FaultRule.Selection {
    guard take("#") else { return .every }
    let start = offset
    while offset < text.count, text[offset] != UInt8(ascii: ":"), text[offset] > 32 { offset += 1 }
    let text = String(decoding: text[start..<offset], as: UTF8.self)
    guard let selection = FaultReader.selection(text) else {
      throw FaultSyntaxError(
        "expected the calls as #3, #1-3, #3- or #%4, found \(NearMiss.quoted(text))")
    }
    return selection
  }

  /// `3`, `1-3`, `3-`, `%4`, `*`.
  static func selection(_ text: String) -> FaultRule.Selection? {
    if text == "*" { return .every }
    if text.hasPrefix("%") {
      guard let step = Int(text.dropFirst()), step > 0 else { return nil }
      return .everyNth(step)
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = Int(parts[0]), first > 0 else { return nil }
    if parts.count == 1 { return .range(first: first, last: first) }
    if parts[1].isEmpty { return .range(first: first, last: .max) }
    guard let last = Int(parts[1]), last >= first else { return nil }
    return .range(first: first, last: last)
  }

  private mutating func action() throws(FaultSyntaxError) -> FaultRule.Action {
    skipSpace()
    let name = word()
    skipSpace()
    switch name {
    case "delay":
      let text = word()
      guard let span = TimeText.span(text) else {
        throw FaultSyntaxError("delay needs a time such as 200ms, found \(NearMiss.quoted(text))")
      }
      return .delay(span)
    case "no-reply": return .noReply
    case "double-reply": return .doubleReply
    case "not-implemented": return .notImplemented
    case "close": return .closeConnection
    case "corrupt":
      let text = rest
      guard let bytes = HexText.bytes(text) else {
        throw FaultSyntaxError(
          "corrupt needs bytes as hexadecimal digits, found \(NearMiss.quoted(text))")
      }
      offset = self.text.count
      return .corruptReply(bytes)
    case "error": return .error(try error())
    case "":
      throw FaultSyntaxError("expected a fault" + NearMiss.hint(for: "", among: Self.actions))
    default:
      throw FaultSyntaxError(
        "no fault \(NearMiss.quoted(name))" + NearMiss.hint(for: name, among: Self.actions))
    }
  }

  /// `CODE ["message"|null [details]]`.
  private mutating func error() throws(FaultSyntaxError) -> ErrorEnvelope {
    guard offset < text.count else { throw FaultSyntaxError("error needs a code") }
    var error = ErrorEnvelope(code: "", message: nil)
    let isQuoted = text[offset] == UInt8(ascii: "\"")
    error.code = Value.Text(isQuoted ? try quoted("the code") : word())
    skipSpace()
    guard offset < text.count else { return error }
    if text[offset] == UInt8(ascii: "\"") {
      error.message = Value.Text(try quoted("the message"))
    } else {
      let found = word()
      guard found == "null" else {
        throw FaultSyntaxError(
          "the message must be null or stand in quotation marks, found \(NearMiss.quoted(found))")
      }
    }
    skipSpace()
    guard offset < text.count else { return error }
    do throws(CodecError) {
      error.details = try JSONMessageCodec().decode(Array(text[offset...])) ?? .null
    } catch {
      throw FaultSyntaxError("the details are not JSON: \(error)")
    }
    offset = text.count
    return error
  }

  // MARK: -

  private var rest: String { String(decoding: text[offset...], as: UTF8.self) }

  private mutating func skipSpace() {
    while offset < text.count, text[offset] <= 32 { offset += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func word() -> String {
    let start = offset
    while offset < text.count, text[offset] > 32 { offset += 1 }
    return String(decoding: text[start..<offset], as: UTF8.self)
  }

  /// A JSON string.
  private mutating func quoted(_ what: String) throws(FaultSyntaxError) -> String {
    let start = offset
    offset += 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < text.count else { throw FaultSyntaxError("\(what) lacks its closing mark") }
    offset += 1
    guard let value = try? JSONMessageCodec().decode(Array(text[start..<offset])),
      let string = value.string
    else { throw FaultSyntaxError("\(what) is not a JSON string") }
    return string
  }
}
