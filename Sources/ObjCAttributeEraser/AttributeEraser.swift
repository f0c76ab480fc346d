/// Blanks the attributes `@objc`, `@objc(name)` and `@objcMembers` in Swift source, which the
/// compiler refuses where there is no Objective-C, and makes the condition `os(iOS)` true, which
/// files that iOS and macOS share begin with.
///
/// Every other byte keeps its line and column, so that diagnostics fit the original. What stands in
/// comments, strings and raw identifiers is left alone; what `\(…)` holds in a string is code again.
public struct AttributeEraser {
  private let source: [UInt8]
  private var result: [UInt8]
  private var position = 0
  /// The open parentheses of each `\(…)` that is being read, the innermost last.
  private var interpolations: [Interpolation] = []

  private struct Interpolation {
    var depth = 0
    let string: Delimiter
  }

  /// How a string literal ends: `"`, `"""`, and as many `#` as it began with.
  private struct Delimiter {
    let quotes: Int
    let pounds: Int
  }

  private init(_ source: [UInt8]) {
    self.source = source
    result = source
  }

  /// `source` without the attributes.
  public static func erase(_ source: [UInt8]) -> [UInt8] {
    var eraser = AttributeEraser(source)
    eraser.readCode()
    return eraser.result
  }

  // MARK: - Code

  private mutating func readCode() {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "`"): skipRawIdentifier()
      case UInt8(ascii: "\""): readString(Delimiter(quotes: quotes(), pounds: 0))
      case UInt8(ascii: "#"): readPounds()
      case UInt8(ascii: "@"): readAttribute()
      case UInt8(ascii: "("):
        if !interpolations.isEmpty { interpolations[interpolations.count - 1].depth += 1 }
        position += 1
      case UInt8(ascii: ")"): closeParenthesis()
      default: position += 1
      }
    }
  }

  private mutating func closeParenthesis() {
    position += 1
    guard let last = interpolations.last else { return }
    if last.depth > 0 {
      interpolations[interpolations.count - 1].depth -= 1
    } else {
      interpolations.removeLast()
      continueString(last.string)
    }
  }

  private mutating func skipLine() {
    while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while peek() != nil {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
  }

  private mutating func skipRawIdentifier() {
    position += 1
    while let byte = peek(), byte != UInt8(ascii: "\n") {
      position += 1
      if byte == UInt8(ascii: "`") { return }
    }
  }

  /// `#"…"#`, `#/…/#`, or something like `#if`.
  private mutating func readPounds() {
    var pounds = 0
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    switch peek(pounds) {
    case UInt8(ascii: "\""):
      position += pounds
      readString(Delimiter(quotes: quotes(), pounds: pounds))
    case UInt8(ascii: "/"):
      position += pounds + 1
      skipRegularExpression(pounds)
    default:
      position += pounds
      readDirective()
    }
  }

  /// Makes `os(iOS)` true in the condition of an `#if` or `#elseif`.
  private mutating func readDirective() {
    let word = takeIdentifier()
    guard word == "if" || word == "elseif" else { return }
    while let byte = peek(), !isLineEnd(byte), !isComment() {
      if source[position...].starts(with: AttributeEraser.condition) {
        result.replaceSubrange(
          position..<position + AttributeEraser.condition.count, with: AttributeEraser.isTrue)
        position += AttributeEraser.condition.count
      } else {
        position += 1
      }
    }
  }

  private static let condition = Array("os(iOS)".utf8)
  private static let isTrue = Array("true   ".utf8)

  private func isComment() -> Bool {
    peek() == UInt8(ascii: "/") && (peek(1) == UInt8(ascii: "/") || peek(1) == UInt8(ascii: "*"))
  }

  private mutating func skipRegularExpression(_ pounds: Int) {
    while let byte = peek() {
      position += 1
      if byte == UInt8(ascii: "\\") {
        position += 1
      } else if byte == UInt8(ascii: "/"), takePounds(pounds) {
        return
      }
    }
  }

  // MARK: - Strings

  /// How many quotes the literal at this place begins with: one, or three.
  private func quotes() -> Int {
    peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
  }

  private mutating func readString(_ string: Delimiter) {
    position += string.quotes
    continueString(string)
  }

  /// Reads to the end of the literal, or into the code of its next `\(…)`.
  private mutating func continueString(_ string: Delimiter) {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\\"):
        position += 1
        guard takePounds(string.pounds) else { continue }
        if peek() == UInt8(ascii: "(") {
          position += 1
          interpolations.append(Interpolation(string: string))
          return
        }
        position += 1
      case UInt8(ascii: "\"") where isEnd(string):
        position += string.quotes + string.pounds
        return
      // Without its end; the compiler will say so.
      case UInt8(ascii: "\n") where string.quotes == 1: return
      default: position += 1
      }
    }
  }

  private func isEnd(_ string: Delimiter) -> Bool {
    (0..<string.quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
      && (0..<string.pounds).allSatisfy { peek(string.quotes + $0) == UInt8(ascii: "#") }
  }

  private mutating func takePounds(_ count: Int) -> Bool {
    guard (0..<count).allSatisfy({ peek($0) == UInt8(ascii: "#") }) else { return false }
    position += count
    return true
  }

  // MARK: - Attributes

  private mutating func readAttribute() {
    let start = position
    position += 1
    let name = takeIdentifier()
    guard name == "objc" || name == "objcMembers" else { return }
    if name == "objc" { takeArgument() }
    for place in start..<position where !isLineEnd(source[place]) {
      result[place] = UInt8(ascii: " ")
    }
  }

  /// `(name)` or `(name:with:)`, if it follows.
  private mutating func takeArgument() {
    var end = position
    while end < source.count, source[end] == UInt8(ascii: " ") { end += 1 }
    guard end < source.count, source[end] == UInt8(ascii: "(") else { return }
    guard let close = source[end...].firstIndex(of: UInt8(ascii: ")")) else { return }
    position = close + 1
  }

  private mutating func takeIdentifier() -> String {
    let start = position
    while let byte = peek(), isIdentifier(byte) { position += 1 }
    return String(decoding: source[start..<position], as: UTF8.self)
  }

  private func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    let place = position + distance
    return place < source.count ? source[place] : nil
  }
}
