/// Makes a ``Value`` of JSON text as one platform's decoder does.
struct JSONValueReader {
  let rules: JSONRules
  let maximumDepth: Int

  /// What ``read(_:)`` gives besides the value: where the elements of an outermost list stand, for
  /// errors about them.
  struct Output {
    var value: Value
    var elementOffsets: [Int]
  }

  /// Reads a message that is there; `strict` and most platforms refuse an empty one.
  func read(_ message: [UInt8]) throws(CodecError) -> Output {
    guard message.count <= ProfileDecoder.largestMessage else {
      throw CodecError(
        .messageTooLarge, offset: 0, expected: "at most \(ProfileDecoder.largestMessage) bytes",
        found: "\(message.count)")
    }
    guard !message.isEmpty else {
      if rules.emptyMessage.isAccepted { return Output(value: .null, elementOffsets: []) }
      throw JSONRules.blame(
        rules.emptyMessage,
        CodecError(.emptyMessage, offset: 0, expected: "JSON text", found: "no bytes"))
    }
    return try message.withUnsafeBufferPointer { (bytes) throws(CodecError) in
      try read(text: UnsafeRawBufferPointer(bytes))
    }
  }

  private func read(text bytes: UnsafeRawBufferPointer) throws(CodecError) -> Output {
    if rules.checksUTF8First { try checkUTF8(bytes) }
    var start = 0
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      guard rules.byteOrderMark.isAccepted else {
        throw JSONRules.blame(
          rules.byteOrderMark, JSONFault.error(in: bytes, at: 0, expected: "a value"))
      }
      start = 3
    }
    var reader = JSONReader(
      bytes,
      options: .init(
        maximumDepth: maximumDepth, loneSurrogates: rules.loneSurrogates,
        cutsAtNUL: rules.cutsAtNUL),
      handler: JSONValueHandler(rules: rules))
    do {
      try reader.read(from: start, endsAtValue: true)
    } catch {
      throw rules.blame(error)
    }
    try checkEnd(bytes, reader.position)
    return try reader.handler.finish()
  }

  private func checkUTF8(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var fault = UTF8Check.firstError(in: bytes)
    if rules.isNULIllFormed, let nul = bytes.firstIndex(of: 0) { fault = min(nul, fault ?? nul) }
    guard let fault else { return }
    throw JSONRules.blame(
      rules.illFormedUTF8,
      CodecError(
        .invalidUTF8, offset: fault, expected: "UTF-8",
        found: "the byte \(Hexadecimal.byte(bytes[fault]))"))
  }

  private func checkEnd(_ bytes: UnsafeRawBufferPointer, _ end: Int) throws(CodecError) {
    guard end < bytes.count else { return }
    let text = bytes[end...].firstIndex { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }
    var oddity = text == nil ? rules.trailingSpace : rules.trailingText
    if text == end && isPartOfWord(bytes, end) { oddity = rules.malformed }
    if oddity.isAccepted { return }
    throw JSONRules.blame(
      oddity, JSONFault.error(in: bytes, at: text ?? end, expected: "the end of the text"))
  }
}

extension JSONValueReader {
  /// Whether a number or word before `end` goes on there for a parser that knows where words end
  /// but not what they are, as Android's does.
  private func isPartOfWord(_ bytes: UnsafeRawBufferPointer, _ end: Int) -> Bool {
    let closers = "\"]}".utf8
    let delimiters = "{}[]/\\:,=;# \t\u{c}\r\n".utf8
    return end > 0 && !closers.contains(bytes[end - 1]) && !delimiters.contains(bytes[end])
  }
}

/// Puts what a ``JSONReader`` finds into a ``ValueBuilder``.
struct JSONValueHandler: JSONHandler {
  let rules: JSONRules
  private let watchesNames: Bool
  private var builder = ValueBuilder()
  private var names = RepeatedNames()
  private var elementOffsets: [Int] = []

  init(rules: JSONRules) {
    self.rules = rules
    if case .keepAll = rules.repeatedNames {
      watchesNames = false
    } else {
      watchesNames = true
    }
  }

  consuming func finish() throws(CodecError) -> JSONValueReader.Output {
    let mayRepeat = names.mayRepeat
    let offsets = elementOffsets
    let rule = rules.repeatedNames
    var value = builder.finish()
    if mayRepeat {
      let merged = value.settlingMaps(equality: .dart, repeated: .lastValue, sorts: false)
      if case .unspecified(let text) = rule, merged != value {
        throw JSONRules.blame(
          .unspecified(text),
          CodecError(.invalidJSON, offset: 0, expected: "names once each", found: "a name again"))
      }
      value = merged
    }
    return JSONValueReader.Output(value: value, elementOffsets: offsets)
  }

  private mutating func note(_ offset: Int) {
    // An envelope has four elements at most.
    if builder.depth == 1 && elementOffsets.count < 4 { elementOffsets.append(offset) }
  }

  mutating func null(at offset: Int) {
    note(offset)
    builder.append(.null)
  }

  mutating func bool(_ bool: Bool, at offset: Int) {
    note(offset)
    builder.append(.bool(bool))
  }

  mutating func number(_ number: JSONNumber, at offset: Int) throws(CodecError) {
    note(offset)
    builder.append(try value(of: number, at: offset))
  }

  private func value(of number: JSONNumber, at offset: Int) throws(CodecError) -> Value {
    if let integer = number.integer {
      let isMinusZero = integer == 0 && number.text.first == UInt8(ascii: "-")
      if isMinusZero && rules.readsMinusZeroAsDouble { return .float64(-0.0) }
      if let oddity = rules.inexactInteger, Double(exactly: integer) == nil {
        throw JSONRules.blame(
          oddity,
          CodecError(
            .unsupportedValue, offset: offset, expected: "an integer that a double holds",
            found: number.string))
      }
      let isLarge = integer > UInt32.max && integer < .max
      if isLarge && rules.readsLargePositivesAsDoubles { return .float64(Double(integer)) }
      return .integer(integer)
    }
    let double: Double? =
      switch rules.numbers {
      case .nearest: number.double
      case .rapidjson: RapidJSONNumber.double(number)
      }
    guard let double else { throw hugeNumber(number, offset) }
    if double.isInfinite && !rules.hugeNumber.isAccepted { throw hugeNumber(number, offset) }
    return .float64(double)
  }

  private func hugeNumber(_ number: JSONNumber, _ offset: Int) -> CodecError {
    JSONRules.blame(
      rules.hugeNumber,
      CodecError(
        .invalidJSON, offset: offset, expected: "a number that a double can hold",
        found: Value.Text(bytes: number.text).quoted))
  }

  mutating func string(_ text: JSONText, at offset: Int) {
    note(offset)
    builder.append(utf8: text.bytes)
  }

  mutating func name(_ text: JSONText, at offset: Int) {
    if watchesNames { names.add(text.bytes) }
    builder.append(utf8: text.bytes)
  }

  mutating func beginList(at offset: Int) {
    note(offset)
    if watchesNames { names.begin() }
    builder.beginList()
  }

  mutating func beginMap(at offset: Int) {
    note(offset)
    if watchesNames { names.begin() }
    builder.beginMap()
  }

  mutating func end(at offset: Int) {
    if watchesNames { names.end() }
    builder.end()
  }
}
