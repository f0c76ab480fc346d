import ChannelCodec
import CommandLineFlags
import TerminalSafety

/// Values in one short line for people: `{elapsedSeconds: 0, name: "run"}`. Types are not told
/// apart where that would only be noise, and what is long is cut.
struct CompactNotation: ValueVisitor {
  /// The text has as many bytes as it may have.
  struct Full: Error {}
  typealias Failure = Full

  private struct Container {
    let isMap: Bool
    let closing: StaticString
    /// Keys count, too.
    let total: Int
    var done = 0
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var open: [Container] = []

  private init(limit: Int) { self.limit = limit }

  /// - Parameter limit: about how many bytes the text may have.
  static func text(of value: Value, limit: Int = 200) -> String {
    var notation = CompactNotation(limit: limit)
    do throws(Full) {
      try value.visit(with: &notation)
    } catch {
      notation.put("…")
    }
    return String(decoding: notation.bytes, as: UTF8.self)
  }

  /// A string in quotation marks, cut where it is long.
  static func quoted(_ text: Value.Text, limit: Int = 200) -> String {
    var notation = CompactNotation(limit: limit)
    text.withUTF8 { notation.put(quoted: $0) }
    return String(decoding: notation.bytes, as: UTF8.self)
  }

  // MARK: - Leaves

  mutating func visitNull() throws(Full) { try leaf("null") }
  mutating func visit(bool: Bool) throws(Full) { try leaf(bool ? "true" : "false") }
  mutating func visit(int32: Int32) throws(Full) { try leaf("\(int32)") }
  mutating func visit(int64: Int64) throws(Full) { try leaf("\(int64)") }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(Full) {
    try begin()
    put("BigInteger ")
    put(quoted: text)
    try end()
  }

  mutating func visit(float64Bits: UInt64) throws(Full) {
    try leaf("\(Double(bitPattern: float64Bits))")
  }

  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(Full) {
    try begin()
    if isKey, CompactNotation.isName(string) { bytes += string } else { put(quoted: string) }
    try end()
  }

  mutating func visit(typedList: UnsafeRawBufferPointer, kind: TypedListKind) throws(Full) {
    try begin()
    switch kind {
    case .uint8: try put("Uint8List", typedList, UInt8.self)
    case .int32: try put("Int32List", typedList, Int32.self)
    case .int64: try put("Int64List", typedList, Int64.self)
    case .float32: try put("Float32List", typedList, Float.self)
    case .float64: try put("Float64List", typedList, Double.self)
    }
    try end()
  }

  // MARK: - Containers

  mutating func visit(listCount: Int) throws(Full) { try beginContainer("[", "]", listCount) }

  mutating func visit(mapCount: Int) throws(Full) {
    try beginContainer("{", "}", mapCount * 2, isMap: true)
  }

  mutating func visit(customType: UInt8, payload: () -> Value) throws(Full) -> Bool {
    try beginContainer("type \(customType)(", ")", 1)
    return true
  }

  private mutating func beginContainer(
    _ opening: String, _ closing: StaticString, _ total: Int, isMap: Bool = false
  ) throws(Full) {
    try begin()
    put(opening)
    open.append(Container(isMap: isMap, closing: closing, total: total))
    try closeFinished()
  }

  // MARK: -

  private var isKey: Bool { open.last.map { $0.isMap && $0.done.isMultiple(of: 2) } ?? false }

  private mutating func leaf(_ text: String) throws(Full) {
    try begin()
    put(text)
    try end()
  }

  private mutating func begin() throws(Full) {
    if let container = open.last, container.done > 0 {
      put(container.isMap && !container.done.isMultiple(of: 2) ? ": " : ", ")
    }
    if bytes.count >= limit { throw Full() }
  }

  private mutating func end() throws(Full) {
    guard !open.isEmpty else { return }
    open[open.count - 1].done += 1
    try closeFinished()
  }

  private mutating func closeFinished() throws(Full) {
    while let container = open.last, container.done == container.total {
      put("\(container.closing)")
      open.removeLast()
      if !open.isEmpty { open[open.count - 1].done += 1 }
      if bytes.count >= limit * 2 { throw Full() }
    }
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }

  private mutating func put<Element: BitwiseCopyable & CustomStringConvertible>(
    _ name: String, _ list: UnsafeRawBufferPointer, _: Element.Type
  ) throws(Full) {
    put("\(name)[")
    let width = MemoryLayout<Element>.size
    for offset in stride(from: 0, to: list.count, by: width) {
      if offset > 0 { put(", ") }
      guard bytes.count < limit else {
        put("… of \(list.count / width)]")
        throw Full()
      }
      put("\(list.loadUnaligned(fromByteOffset: offset, as: Element.self))")
    }
    put("]")
  }

  private mutating func put(quoted utf8: UnsafeRawBufferPointer) {
    let room = max(limit - bytes.count, 16)
    var shown = utf8.prefix(room)
    if shown.count < utf8.count {
      // Not in the middle of a character.
      while let last = shown.last, last & 0xc0 == 0x80 { shown = shown.dropLast() }
      if let last = shown.last, last >= 0xc0 { shown = shown.dropLast() }
    }
    bytes.append(UInt8(ascii: "\""))
    if shown.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
      bytes += shown
    } else {
      for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars { put(scalar) }
    }
    put(shown.count < utf8.count ? "…\"" : "\"")
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": put("\\\(scalar)")
    case "\n": put("\\n")
    case "\r": put("\\r")
    case "\t": put("\\t")
    default:
      put(scalar.isSafeForTerminal ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}")
    }
  }

  /// A key that needs no quotation marks.
  private static func isName(_ utf8: UnsafeRawBufferPointer) -> Bool {
    guard let first = utf8.first, utf8.count <= 64 else { return false }
    func isLetter(_ byte: UInt8) -> Bool {
      (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte == 0x24
    }
    return isLetter(first)
      && utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
  }
}
