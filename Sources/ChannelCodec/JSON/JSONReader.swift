/// Reads JSON as RFC 8259 has it, in one pass and without using the stack for nesting, and tells a
/// handler what it finds. Nothing beyond the grammar is accepted: no comments, no trailing commas,
/// no other quotes; every byte after the value must be white space.
///
/// Errors are ``CodecError`` with `invalidJSON` at the byte that does not fit, `invalidUTF8` at the
/// first byte of an ill-formed character, `depthExceeded` at a bracket too many.
package struct JSONReader<Handler: JSONHandler> {
  /// What a reader may be told to allow.
  package struct Options: Sendable {
    package var maximumDepth: Int
    package var loneSurrogates: JSONLoneSurrogates
    /// A string ends where an escape puts a NUL into it.
    package var cutsAtNUL: Bool

    package init(
      maximumDepth: Int = 512, loneSurrogates: JSONLoneSurrogates = .refused,
      cutsAtNUL: Bool = false
    ) {
      self.maximumDepth = maximumDepth
      self.loneSurrogates = loneSurrogates
      self.cutsAtNUL = cutsAtNUL
    }
  }

  private struct Container {
    let isMap: Bool
    var done = 0
    /// Where the name of the member at hand starts; nil while there is none.
    var name: Int?
  }

  package private(set) var handler: Handler
  package private(set) var position = 0
  let bytes: UnsafeRawBufferPointer
  let options: Options
  var scratch: [UInt8] = []
  private var open: [Container] = []

  package init(_ bytes: UnsafeRawBufferPointer, options: Options, handler: Handler) {
    self.bytes = bytes
    self.options = options
    self.handler = handler
  }

  /// Reads the whole text from `start`, which must be one value with nothing but space around it.
  /// With `endsAtValue` the reader stops behind the value instead.
  package mutating func read(
    from start: Int = 0, endsAtValue: Bool = false
  ) throws(CodecError) {
    position = start
    do throws(CodecError) {
      try value()
      if endsAtValue { return }
      skipSpace()
      if position < bytes.count { throw fault(expected: "the end of the text") }
    } catch {
      guard error.path.isRoot else { throw error }
      var located = error
      located.path = path
      throw located
    }
  }

  // MARK: - Values

  private mutating func value() throws(CodecError) {
    repeat {
      skipSpace()
      switch peek {
      case UInt8(ascii: "["):
        try begin(isMap: false)
        if peek != UInt8(ascii: "]") { continue }
        try end()
      case UInt8(ascii: "{"):
        try begin(isMap: true)
        if peek != UInt8(ascii: "}") {
          try name(orEnd: "a member's name or \"}\"")
          continue
        }
        try end()
      default:
        try scalar()
      }
      try separators()
    } while !open.isEmpty
  }

  /// What stands between a value and the next: closing brackets, then a comma, then perhaps a name.
  private mutating func separators() throws(CodecError) {
    while let last = open.indices.last {
      open[last].done += 1
      skipSpace()
      let isMap = open[last].isMap
      switch peek {
      case UInt8(ascii: ","):
        position += 1
        guard isMap else { return }
        open[last].name = nil
        skipSpace()
        return try name(orEnd: "a member's name")
      case UInt8(ascii: "]") where !isMap, UInt8(ascii: "}") where isMap:
        try end()
      default:
        throw fault(expected: isMap ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
    }
  }

  private mutating func begin(isMap: Bool) throws(CodecError) {
    guard open.count < options.maximumDepth else {
      throw CodecError(
        .depthExceeded, offset: position,
        expected: "at most \(options.maximumDepth) nested lists and maps", found: "one more")
    }
    if isMap {
      try handler.beginMap(at: position)
    } else {
      try handler.beginList(at: position)
    }
    open.append(Container(isMap: isMap))
    position += 1
    skipSpace()
  }

  private mutating func end() throws(CodecError) {
    open.removeLast()
    try handler.end(at: position)
    position += 1
  }

  private mutating func name(orEnd expected: String) throws(CodecError) {
    guard peek == UInt8(ascii: "\"") else { throw fault(expected: expected) }
    let start = position
    try text { (handler, text) throws(CodecError) in try handler.name(text, at: start) }
    open[open.count - 1].name = start
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw fault(expected: "\":\"") }
    position += 1
  }

  private mutating func scalar() throws(CodecError) {
    let start = position
    switch peek {
    case UInt8(ascii: "\""):
      try text { (handler, text) throws(CodecError) in try handler.string(text, at: start) }
    case UInt8(ascii: "-"): try number()
    case let byte? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: try number()
    case UInt8(ascii: "n"):
      try word("null")
      try handler.null(at: start)
    case UInt8(ascii: "t"):
      try word("true")
      try handler.bool(true, at: start)
    case UInt8(ascii: "f"):
      try word("false")
      try handler.bool(false, at: start)
    default:
      let isFirstElement = open.last.map { !$0.isMap && $0.done == 0 } ?? false
      throw fault(expected: isFirstElement ? "a value or \"]\"" : "a value")
    }
  }

  private mutating func word(_ word: StaticString) throws(CodecError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard peek == word.utf8Start[offset] else { throw fault(expected: "\"\(word)\"") }
      position += 1
    }
  }

  private mutating func number() throws(CodecError) {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    var isWhole = true
    if peek == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { position += 1 }
      try digits()
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    try handler.number(JSONNumber(text: text, isWhole: isWhole), at: start)
  }

  private mutating func digits() throws(CodecError) {
    let start = position
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    if position == start { throw fault(expected: "a digit") }
  }

  private mutating func text(
    _ tell: (inout Handler, JSONText) throws(CodecError) -> Void
  ) throws(CodecError) {
    var scanner = JSONStringScanner(
      bytes: bytes, position: position, loneSurrogates: options.loneSurrogates,
      scratch: scratch)
    scratch = []
    defer { scratch = scanner.scratch }
    let range = try scanner.scan()
    position = scanner.position
    let isValidUTF8 = scanner.isValidUTF8
    if let range {
      try tell(
        &handler,
        JSONText(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), isValidUTF8: true))
      return
    }
    // The buffer pointer's closure keeps the type of what it throws; that of raw bytes does not.
    try scanner.scratch.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      var escaped = UnsafeRawBufferPointer(buffer)
      if options.cutsAtNUL, let end = escaped.firstIndex(of: 0) {
        escaped = UnsafeRawBufferPointer(rebasing: escaped[..<end])
      }
      try tell(&handler, JSONText(bytes: escaped, isValidUTF8: isValidUTF8))
    }
  }

  // MARK: -

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0a, 0x0d, 0x09: position += 1
      default: return
      }
    }
  }

  private func fault(expected: String) -> CodecError {
    JSONFault.error(in: bytes, at: position, expected: expected)
  }

  /// The path of the value at hand.
  private var path: ValuePath {
    var path = ValuePath()
    for container in open {
      if !container.isMap {
        path.components.append(.element(container.done))
      } else if let start = container.name {
        var scanner = JSONStringScanner(
          bytes: bytes, position: start, loneSurrogates: .kept, scratch: [])
        // The name has been read once: it cannot fail now.
        let range: Range<Int>?
        do throws(CodecError) { range = try scanner.scan() } catch { continue }
        let name = range.map { Array(bytes[$0]) } ?? scanner.scratch
        path.components.append(.key(.string(Value.Text(bytes: name))))
      } else {
        path.components.append(.keyOfPair(container.done))
      }
    }
    return path
  }
}

/// Escapes for half a surrogate pair, which no Unicode text has. They are kept as their three-byte
/// form (`ed a0 80` …).
package enum JSONLoneSurrogates: Sendable {
  case refused
  /// A second half alone passes, a first half must be followed by a second.
  case keptIfLow
  case kept
}

/// Errors of JSON text, in words.
enum JSONFault {
  static func error(
    in bytes: UnsafeRawBufferPointer, at position: Int, expected: String
  ) -> CodecError {
    CodecError(
      .invalidJSON, offset: position, expected: expected, found: describe(bytes, at: position))
  }

  private static func describe(_ bytes: UnsafeRawBufferPointer, at position: Int) -> String {
    guard position < bytes.count else { return "the end of the text" }
    if bytes[position...].starts(with: [0xef, 0xbb, 0xbf]) { return "a byte order mark" }
    guard let length = UTF8Check.sequenceLength(in: bytes, at: position) else {
      return "the byte \(String(bytes[position], radix: 16))"
    }
    return Value.Text(bytes: bytes[position..<position + length]).quoted
  }
}
