import ChannelCodec
import TerminalSafety

/// A value in one short line: `{elapsedSeconds: 0, name: 'run'}`. What is long is cut. Quotes are
/// single ones as Dart prefers them, which JSON need not escape.
struct ShownValue: ValueVisitor {
  /// The text has as many bytes as it may have.
  struct Full: Error {}
  typealias Failure = Full

  private struct Container {
    var isMap: Bool
    var end: StaticString
    /// Keys count, too.
    var remaining: Int
    var done = 0
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var open: [Container] = []

  private init(limit: Int) { self.limit = limit }

  static func text(of value: Value, limit: Int) -> String {
    var shown = ShownValue(limit: limit)
    do throws(Full) {
      try value.visit(with: &shown)
    } catch {
      shown.put("…")
    }
    return String(decoding: shown.bytes, as: UTF8.self)
  }

  /// A method's name, in quotes where it is more than a word.
  static func name(_ text: Value.Text) -> String {
    var shown = ShownValue(limit: 120)
    text.withUTF8 { shown.putName($0) }
    return String(decoding: shown.bytes, as: UTF8.self)
  }

  // MARK: - Values

  mutating func visitNull() throws(Full) { try leaf { $0.put("null") } }
  mutating func visit(bool: Bool) throws(Full) { try leaf { $0.put(bool ? "true" : "false") } }
  mutating func visit(int32: Int32) throws(Full) { try leaf { $0.put("\(int32)") } }
  mutating func visit(int64: Int64) throws(Full) { try leaf { $0.put("\(int64)") } }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(Full) {
    try leaf { shown in
      shown.put("0x")
      shown.putQuoted(text)
    }
  }

  mutating func visit(float64Bits: UInt64) throws(Full) {
    try leaf { $0.put("\(Double(bitPattern: float64Bits))") }
  }

  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(Full) {
    try leaf { shown in
      if let last = shown.open.last, last.isMap, last.done.isMultiple(of: 2) {
        shown.putName(string)
      } else {
        shown.putQuoted(string)
      }
    }
  }

  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) throws(Full) {
    try leaf { $0.put("<\(typedList.count) bytes of \(kind)>") }
  }

  mutating func visit(listCount: Int) throws(Full) { try begin("[", "]", listCount, isMap: false) }

  mutating func visit(mapCount: Int) throws(Full) {
    try begin("{", "}", mapCount * 2, isMap: true)
  }

  mutating func visit(customType: UInt8, payload: () -> Value) throws(Full) -> Bool {
    try begin("#\(customType)(", ")", 1, isMap: false)
    return true
  }

  // MARK: -

  private mutating func begin(
    _ start: String, _ end: StaticString, _ count: Int, isMap: Bool
  ) throws(Full) {
    try separate()
    put(start)
    open.append(Container(isMap: isMap, end: end, remaining: count))
    close()
  }

  private mutating func leaf(_ body: (inout ShownValue) -> Void) throws(Full) {
    try separate()
    body(&self)
    finishOne()
    close()
  }

  private mutating func separate() throws(Full) {
    if let last = open.last, last.done > 0 {
      put(last.isMap && !last.done.isMultiple(of: 2) ? ": " : ", ")
    }
    if bytes.count >= limit { throw Full() }
  }

  private mutating func finishOne() {
    guard let last = open.indices.last else { return }
    open[last].done += 1
    open[last].remaining -= 1
  }

  private mutating func close() {
    while let last = open.last, last.remaining == 0 {
      // Deep nesting ends in many brackets; past the limit they say nothing.
      if bytes.count < limit * 2 { put("\(last.end)") }
      open.removeLast()
      finishOne()
    }
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  private mutating func putName(_ utf8: UnsafeRawBufferPointer) {
    let isWord = utf8.allSatisfy { byte in
      byte == 0x5f || byte == 0x2e || byte == 0x2f || byte == 0x2d
        || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte)
    }
    if isWord, !utf8.isEmpty, utf8.count <= 80 { bytes += utf8 } else { putQuoted(utf8) }
  }

  /// In quotes, cut at the room that is left but never within a character.
  private mutating func putQuoted(_ utf8: UnsafeRawBufferPointer) {
    let room = max(limit - bytes.count, 16)
    var shown = utf8.prefix(room)
    if shown.count < utf8.count {
      while let last = shown.last, last & 0xc0 == 0x80 { shown.removeLast() }
      if let last = shown.last, last >= 0xc0 { shown.removeLast() }
    }
    put("'")
    for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "'": put("\\'")
      case "\\": put("\\\\")
      case "\n": put("\\n")
      case _ where scalar.isSafeForTerminal: put(String(scalar))
      default: put("\\u{\(String(scalar.value, radix: 16))}")
      }
    }
    put(shown.count < utf8.count ? "…'" : "'")
  }
}
