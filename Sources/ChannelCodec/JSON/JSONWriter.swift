/// Writes values as compact JSON, as one platform's encoder does, without using the stack for
/// nesting. Errors carry no path; ``path(in:)`` finds it for the value that was visited.
struct JSONWriter: ValueVisitor {
  typealias Failure = CodecError

  private struct Container {
    let isMap: Bool
    /// Keys count, too.
    var remaining: Int
    var done = 0
  }

  let rules: JSONRules
  /// The value is part of a method call or envelope.
  var isNested = false
  private(set) var text: [UInt8] = []
  private var open: [Container] = []

  init(rules: JSONRules) { self.rules = rules }

  /// Writes something that is no value: a bracket or name of a call or envelope.
  mutating func put(_ literal: StaticString) {
    text.append(
      contentsOf: UnsafeBufferPointer(
        start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  // MARK: - Leaves

  mutating func visitNull() throws(CodecError) {
    try begin("null")
    put("null")
    end()
  }

  mutating func visit(bool: Bool) throws(CodecError) {
    try begin("a bool")
    put(bool ? "true" : "false")
    end()
  }

  mutating func visit(int32: Int32) throws(CodecError) {
    try begin("an integer")
    appendInteger(Int64(int32))
    end()
  }

  mutating func visit(int64: Int64) throws(CodecError) {
    try begin("an integer")
    try integer(int64)
    end()
  }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(CodecError) {
    try begin("a large integer")
    throw refusal(rules.largeInteger, "a value that JSON has", "a large integer")
  }

  mutating func visit(float64Bits: UInt64) throws(CodecError) {
    try begin("a double")
    try double(Double(bitPattern: float64Bits))
    end()
  }

  mutating func visit(
    string: UnsafeRawBufferPointer, isValidUTF8: Bool
  ) throws(CodecError) {
    try begin(nil)
    try self.string(string, isValidUTF8: isValidUTF8)
    end()
  }

  mutating func visit(
    typedList: UnsafeRawBufferPointer, kind: TypedListKind
  ) throws(CodecError) {
    try begin(kind.name)
    if let oddity = rules.refusedTypedLists[kind] {
      throw refusal(oddity, "a value that the platform has", kind.name)
    }
    switch rules.typedLists {
    case .refuse(let oddity): throw refusal(oddity, "a value that JSON has", kind.name)
    case .numbers(let areBytesSigned):
      try numbers(typedList, kind, areBytesSigned: areBytesSigned)
    }
    end()
  }

  private mutating func numbers(
    _ bytes: UnsafeRawBufferPointer, _ kind: TypedListKind, areBytesSigned: Bool
  ) throws(CodecError) {
    let isAlone = !isNested
    isNested = true
    defer { isNested = !isAlone }
    put("[")
    for offset in stride(from: 0, to: bytes.count, by: kind.width) {
      if offset > 0 { put(",") }
      switch kind {
      case .uint8:
        appendInteger(
          areBytesSigned ? Int64(Int8(bitPattern: bytes[offset])) : Int64(bytes[offset]))
      case .int32:
        appendInteger(Int64(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
      case .int64: try integer(bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
      case .float64: try double(bytes.loadUnaligned(fromByteOffset: offset, as: Double.self))
      case .float32: try float(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
      }
    }
    put("]")
  }

  // MARK: - Containers

  mutating func visit(listCount: Int) throws(CodecError) {
    try begin("a list")
    put("[")
    open.append(Container(isMap: false, remaining: listCount))
    close()
  }

  mutating func visit(mapCount: Int) throws(CodecError) {
    try begin("a map")
    put("{")
    open.append(Container(isMap: true, remaining: mapCount * 2))
    close()
  }

  mutating func visit(
    customType: UInt8, payload: () -> Value
  ) throws(CodecError) -> Bool {
    try begin("custom type \(customType)")
    throw refusal(rules.custom, "a value that JSON has", "custom type \(customType)")
  }

  /// What stands before a value. `kind` is nil for a string, which alone may be a key.
  private mutating func begin(_ kind: @autoclosure () -> String?) throws(CodecError) {
    guard let container = open.last else { return }
    if container.isMap && !container.done.isMultiple(of: 2) {
      put(":")
      return
    }
    if container.done > 0 { put(",") }
    if container.isMap, let kind = kind() {
      throw refusal(rules.keyNotString, "a string as key", kind)
    }
  }

  private mutating func end() {
    guard let last = open.indices.last else { return }
    open[last].done += 1
    open[last].remaining -= 1
    close()
  }

  private mutating func close() {
    while let last = open.indices.last, open[last].remaining == 0 {
      put(open[last].isMap ? "}" : "]")
      open.removeLast()
      guard let outer = open.indices.last else { return }
      open[outer].done += 1
      open[outer].remaining -= 1
    }
  }

  // MARK: - Numbers

  private mutating func integer(_ number: Int64) throws(CodecError) {
    guard let platformError = rules.refusesInexactIntegers else { return appendInteger(number) }
    guard let double = Double(exactly: number) else {
      throw refusal(
        .refuse(platformError), "a number that JavaScript has", "\(number)")
    }
    NumberText(style: rules.style, isAlone: false).append(double, to: &text)
  }

  private mutating func appendInteger(_ number: Int64) {
    text.append(contentsOf: "\(number)".utf8)
  }

  private mutating func double(_ number: Double) throws(CodecError) {
    let isAlone = rules.printsLoneDoubles && !isNested && open.isEmpty
    guard number.isFinite else {
      if isAlone {
        put(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
      } else if !rules.nonFinite.isAccepted {
        throw refusal(rules.nonFinite, "a finite number", "\(number)")
      }
      return
    }
    NumberText(style: rules.style, isAlone: isAlone).append(number, to: &text)
  }

  private mutating func float(_ number: Float) throws(CodecError) {
    guard number.isFinite, case .java = rules.style, NumberText.javaLong(Double(number)) == nil
    else { return try double(Double(number)) }
    // Java prints a float with the digits that tell it from other floats.
    NumberText(style: rules.style, isAlone: true)
      .append(DecimalDigits(description: "\(number.magnitude)"), of: Double(number), to: &text)
  }

  // MARK: - Strings

  /// Writes a string as a value or name.
  mutating func string(
    _ utf8: UnsafeRawBufferPointer, isValidUTF8: Bool
  ) throws(CodecError) {
    var utf8 = utf8
    if rules.cutsAtNUL, let end = utf8.firstIndex(of: 0) {
      utf8 = UnsafeRawBufferPointer(rebasing: utf8[..<end])
    }
    put("\"")
    if isValidUTF8 || UTF8Check.firstError(in: utf8) == nil {
      escape(utf8)
    } else {
      try oddString(utf8)
    }
    put("\"")
  }

  /// Writes the string of a call or envelope.
  mutating func string(_ string: Value.Text) throws(CodecError) {
    let isValidUTF8 = string.isValidUTF8
    try string.withUTF8 { (utf8) throws(CodecError) in
      try self.string(utf8, isValidUTF8: isValidUTF8)
    }
  }

  private mutating func escape(_ utf8: UnsafeRawBufferPointer) {
    var start = 0
    for (position, byte) in utf8.enumerated() {
      let isPlain =
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && !(byte == UInt8(ascii: "/") && rules.escapesSolidus)
      if isPlain { continue }
      text.append(contentsOf: utf8[start..<position])
      start = position + 1
      text.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x08: text.append(UInt8(ascii: "b"))
      case 0x09: text.append(UInt8(ascii: "t"))
      case 0x0a: text.append(UInt8(ascii: "n"))
      case 0x0c: text.append(UInt8(ascii: "f"))
      case 0x0d: text.append(UInt8(ascii: "r"))
      case 0..<0x20:
        put("u00")
        text.append(contentsOf: hex(byte))
      default: text.append(byte)
      }
    }
    text.append(contentsOf: utf8[start...])
  }

  private func hex(_ byte: UInt8) -> String.UTF8View {
    let hex = String(byte, radix: 16, uppercase: rules.escapesInUpperCase)
    return (byte < 0x10 ? "0\(hex)" : hex).utf8
  }

  /// Writes a string with lone surrogates, or bytes that are no text at all.
  private mutating func oddString(_ utf8: UnsafeRawBufferPointer) throws(CodecError) {
    if case .keepBytes = rules.surrogates { return escape(utf8) }
    var position = 0
    while position < utf8.count {
      if let length = UTF8Check.sequenceLength(in: utf8, at: position) {
        escape(UnsafeRawBufferPointer(rebasing: utf8[position..<position + length]))
        position += length
        continue
      }
      try surrogate(utf8, at: position)
      position += 3
    }
  }

  private mutating func surrogate(
    _ utf8: UnsafeRawBufferPointer, at position: Int
  ) throws(CodecError) {
    let found = "the byte \(Hexadecimal.byte(utf8[position])) at byte \(position) of the string"
    let isSurrogate =
      utf8[position] == 0xed && position + 2 < utf8.count
      && 0xa0...0xbf ~= utf8[position + 1] && 0x80...0xbf ~= utf8[position + 2]
    guard isSurrogate else { throw refusal(rules.illFormedText, "UTF-8", found, .invalidUTF8) }
    switch rules.surrogates {
    case .refuse: throw refusal(.refuse(nil), "UTF-8", found, .invalidUTF8)
    case .unspecified(let text):
      throw refusal(.unspecified(text), "no lone surrogates", found, .invalidUTF8)
    case .keepBytes, .escape:
      put("\\ud")
      let unit = UInt16(utf8[position + 1] & 0x3f) << 6 | UInt16(utf8[position + 2] & 0x3f)
      text.append(contentsOf: String(unit, radix: 16).utf8)
    }
  }

  // MARK: - Errors

  private func refusal(
    _ oddity: DecodingRules.Oddity, _ expected: String, _ found: String,
    _ code: CodecError.Code = .unsupportedValue
  ) -> CodecError {
    JSONRules.blame(oddity, CodecError(code, expected: expected, found: found))
  }

  /// Where in `value`, the last to be visited, the writer stands.
  func path(in value: Value) -> ValuePath {
    var path = ValuePath()
    var value = value
    for container in open {
      switch value {
      case .list(let list):
        path.components.append(.element(container.done))
        guard let element = list[container.done] else { return path }
        value = element
      case .map(let map):
        guard let pair = map.dropFirst(container.done / 2).first else { return path }
        if container.done.isMultiple(of: 2) {
          path.components.append(.keyOfPair(container.done / 2))
          value = pair.key
        } else {
          path.components.append(.key(pair.key))
          value = pair.value
        }
      default: return path
      }
    }
    return path
  }
}
