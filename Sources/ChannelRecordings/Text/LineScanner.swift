import ChannelCodec
import ChannelRouter

/// Why a line is refused; the reader adds the number of the line.
struct LineFault: Error {
  var problem: RecordingProblem
  /// In the line, counted from 0.
  var offset: Int?
  var text: String

  init(_ problem: RecordingProblem, at offset: Int?, _ text: String) {
    self.problem = problem
    self.offset = offset
    self.text = text
  }
}

/// Walks over the members of the one JSON object that a line is. Borrows the line's bytes.
struct LineScanner {
  let line: UnsafeRawBufferPointer
  var position = 0

  init(_ line: UnsafeRawBufferPointer) { self.line = line }

  // MARK: - Structure

  @inline(__always)
  var byte: UInt8? { position < line.count ? line[position] : nil }

  @inline(__always)
  mutating func skipSpace() {
    while position < line.count {
      let byte = line[position]
      guard byte == 0x20 || byte == 0x09 || byte == 0x0d else { return }
      position &+= 1
    }
  }

  /// Goes past `text` if it stands here.
  @inline(__always)
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard line.count &- position >= count else { return false }
    let wanted = text.utf8Start
    for index in 0..<count where line[position &+ index] != wanted[index] { return false }
    position &+= count
    return true
  }

  mutating func beginObject() throws(LineFault) {
    skipSpace()
    guard take("{") else { throw unexpected("one JSON object a line, which begins with {") }
    skipSpace()
  }

  /// Between members: true with the next member's name ahead, false past the closing brace.
  mutating func nextMember(isFirst: Bool) throws(LineFault) -> Bool {
    skipSpace()
    if take("}") {
      skipSpace()
      if position < line.count { throw unexpected("nothing behind the object") }
      return false
    }
    if isFirst { return true }
    guard take(",") else { throw unexpected("\",\" or \"}\"") }
    skipSpace()
    return true
  }

  /// The bytes of a member's name as they are written; the value is ahead then.
  mutating func name() throws(LineFault) -> Range<Int> {
    guard byte == UInt8(ascii: "\"") else { throw unexpected("a member's name in quotes") }
    let range = try plainString()
    skipSpace()
    guard take(":") else { throw unexpected("\":\"") }
    skipSpace()
    return range
  }

  // MARK: - Values

  /// A string without its quotes, escapes as they are written.
  @inline(__always)
  mutating func plainString() throws(LineFault) -> Range<Int> {
    let start = position &+ 1
    var index = start
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: "\"") {
        position = index &+ 1
        return start..<index
      }
      if byte == UInt8(ascii: "\\") { index &+= 1 }
      if byte < 0x20 {
        position = index
        throw LineFault(
          .invalidJSON, at: index,
          "a control character (\(byte)) in a string; JSON has it as an escape")
      }
      index &+= 1
    }
    throw LineFault(.invalidJSON, at: start &- 1, "a string without its closing quote")
  }

  /// A whole number from 0 to the largest of 64 bits.
  @inline(__always)
  mutating func unsigned(_ field: StaticString) throws(LineFault) -> UInt64 {
    let start = position
    var number: UInt64 = 0
    while position < line.count {
      let digit = line[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      // Up to 19 digits cannot overflow.
      if position &- start < 19 {
        number = number &* 10 &+ UInt64(digit)
      } else {
        let (product, isOver) = number.multipliedReportingOverflow(by: 10)
        let (sum, isCarry) = product.addingReportingOverflow(UInt64(digit))
        if isOver || isCarry {
          throw LineFault(.numberTooLarge, at: start, "\"\(field)\" does not fit in 64 bits")
        }
        number = sum
      }
      position &+= 1
    }
    let count = position &- start
    guard count > 0, count == 1 || line[start] != UInt8(ascii: "0"), !isNumberGoingOn else {
      throw invalidNumber(field, start, "a whole number from 0 to 18446744073709551615")
    }
    return number
  }

  /// A whole number of 64 bits with sign.
  @inline(__always)
  mutating func signed(_ field: StaticString) throws(LineFault) -> Int64 {
    let start = position
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    guard let digit = byte, digit &- UInt8(ascii: "0") <= 9 else {
      throw invalidNumber(field, start, "a whole number")
    }
    let magnitude = try unsigned(field)
    if isNegative, magnitude <= 1 << 63 { return Int64(truncatingIfNeeded: 0 &- magnitude) }
    guard !isNegative, let number = Int64(exactly: magnitude) else {
      throw LineFault(.numberTooLarge, at: start, "\"\(field)\" does not fit in 64 bits")
    }
    return number
  }

  private var isNumberGoingOn: Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
  }

  private func invalidNumber(
    _ field: StaticString, _ start: Int, _ expected: String
  ) -> LineFault {
    LineFault(
      .fieldInvalid, at: start, "\"\(field)\" is \(found(at: start)); it has to be \(expected)")
  }

  mutating func bool(_ field: StaticString) throws(LineFault) -> Bool {
    if take("true") { return true }
    if take("false") { return false }
    throw LineFault(
      .fieldInvalid, at: position,
      "\"\(field)\" is \(found(at: position)); it has to be true or false")
  }

  /// Passes over any value, checked to be JSON; its bytes as they are written.
  mutating func anyValue() throws(LineFault) -> Range<Int> {
    let start = position
    // Most are strings without escapes, which need no full reader.
    if byte == UInt8(ascii: "\""), let end = plainEnd() {
      position = end
      return start..<end
    }
    var reader = JSONReader(
      line, options: .init(maximumDepth: 100_000, loneSurrogates: .kept), handler: NoHandler())
    do throws(CodecError) {
      try reader.read(from: start, endsAtValue: true)
    } catch {
      throw Self.fault(error, start)
    }
    position = reader.position
    return start..<position
  }

  /// Behind a string of printable ASCII without escapes; nil for others.
  private func plainEnd() -> Int? {
    var index = position &+ 1
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: "\"") { return index &+ 1 }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return nil }
      index &+= 1
    }
    return nil
  }

  /// A string with its escapes resolved, in UTF-8.
  mutating func text(_ field: StaticString) throws(LineFault) -> [UInt8] {
    guard byte == UInt8(ascii: "\"") else {
      throw LineFault(
        .fieldInvalid, at: position,
        "\"\(field)\" is \(found(at: position)); it has to be a string")
    }
    let start = position
    var reader = JSONReader(line, options: .init(), handler: TextHandler())
    do throws(CodecError) {
      try reader.read(from: start, endsAtValue: true)
    } catch {
      throw Self.fault(error, start)
    }
    position = reader.position
    return reader.handler.bytes
  }

  // MARK: - Words

  private static func fault(_ error: CodecError, _ start: Int) -> LineFault {
    LineFault(
      .invalidJSON, at: error.offset ?? start, "expected \(error.expected), found \(error.found)")
  }

  func unexpected(_ expected: String) -> LineFault {
    LineFault(
      .invalidJSON, at: position, "expected \(expected), found \(found(at: position))")
  }

  /// What stands at `offset`, short enough for a message.
  func found(at offset: Int) -> String {
    guard offset < line.count else { return "the end of the line" }
    let rest = line[offset...]
    if rest.first == 0 { return "a NUL byte" }
    var shown = rest.prefix(24)
    if rest.first == UInt8(ascii: "\"") {
      if let end = shown.dropFirst().firstIndex(of: UInt8(ascii: "\"")) { shown = rest[...end] }
    } else if let end = shown.dropFirst().firstIndex(where: { ",}] ".utf8.contains($0) }) {
      shown = rest[..<end]
    }
    let text = String(decoding: shown.map { $0 < 0x20 || $0 == 0x7f ? 0x3f : $0 }, as: UTF8.self)
    return shown.count == 24 ? text + "…" : text
  }
}

/// Hears nothing: for values that only have to be well-formed.
struct NoHandler: JSONHandler {
  mutating func null(at offset: Int) {}
  mutating func bool(_ bool: Bool, at offset: Int) {}
  mutating func number(_ number: JSONNumber, at offset: Int) {}
  mutating func string(_ text: JSONText, at offset: Int) {}
  mutating func name(_ text: JSONText, at offset: Int) {}
  mutating func beginList(at offset: Int) {}
  mutating func beginMap(at offset: Int) {}
  mutating func end(at offset: Int) {}
}

/// Keeps the bytes of a string.
struct TextHandler: JSONHandler {
  var bytes: [UInt8] = []
  mutating func null(at offset: Int) {}
  mutating func bool(_ bool: Bool, at offset: Int) {}
  mutating func number(_ number: JSONNumber, at offset: Int) {}
  mutating func string(_ text: JSONText, at offset: Int) { bytes = Array(text.bytes) }
  mutating func name(_ text: JSONText, at offset: Int) {}
  mutating func beginList(at offset: Int) {}
  mutating func beginMap(at offset: Int) {}
  mutating func end(at offset: Int) {}
}
