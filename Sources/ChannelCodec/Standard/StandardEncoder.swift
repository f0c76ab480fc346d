/// Writes values as a profile's platform does, or refuses with ``CodecError``.
struct StandardEncoder<Sink: WireSink>: ValueVisitor {
  typealias Failure = CodecError

  var writer: WireWriter<Sink>
  /// nil for `strict`, which writes values as they are: the common case takes no detour.
  let platform: Platform?
  let extensions: ExtensionTypes
  private var procedureDepth = 0

  init(sink: Sink, platform: Platform?, extensions: ExtensionTypes) {
    writer = WireWriter(sink: sink)
    self.platform = platform
    self.extensions = extensions
  }

  mutating func visitNull() { writer.visitNull() }
  mutating func visit(bool: Bool) { writer.visit(bool: bool) }

  mutating func visit(int32: Int32) {
    if let rules = platform?.encoding, case .float64 = rules.integers {
      return writer.visit(float64Bits: Double(int32).bitPattern)
    }
    writer.visit(int32: int32)
  }

  mutating func visit(int64: Int64) throws(CodecError) {
    switch platform?.encoding.integers {
    case nil, .asTyped: writer.visit(int64: int64)
    case .byValue:
      if let narrow = Int32(exactly: int64) {
        writer.visit(int32: narrow)
      } else {
        writer.visit(int64: int64)
      }
    case .float64:
      guard let number = Double(exactly: int64) else {
        throw refusal(
          .unsupportedValue, "a number that JavaScript has", "\(int64)", "no such value")
      }
      writer.visit(float64Bits: number.bitPattern)
    }
  }

  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(CodecError) {
    switch platform?.encoding.largeIntegers {
    case nil, .asText: break
    case .asBigInteger:
      guard let number = JDKText.bigInteger(Value.Text(bytes: text)) else { break }
      return number.text.withUTF8 { writer.visit(largeInteger: $0) }
    case .refuse(let platformError):
      throw refusal(
        .unsupportedValue, "a value that the platform has", "a large integer", platformError)
    }
    if Value.LargeInteger.firstError(in: text) != nil {
      throw refusal(
        .invalidLargeInteger, "hexadecimal digits, with - before a negative number",
        Value.Text(bytes: text).quoted, nil)
    }
    writer.visit(largeInteger: text)
  }

  mutating func visit(float64Bits: UInt64) {
    if let rules = platform?.encoding, rules.canonicalNaN, Double(bitPattern: float64Bits).isNaN {
      return writer.visit(float64Bits: 0x7ff8_0000_0000_0000)
    }
    writer.visit(float64Bits: float64Bits)
  }

  mutating func visit(
    string: UnsafeRawBufferPointer, isValidUTF8: Bool
  ) throws(CodecError) {
    if platform == nil && isValidUTF8 {
      return writer.visit(string: string, isValidUTF8: true)
    }
    try visit(oddString: string)
  }

  private mutating func visit(oddString: UnsafeRawBufferPointer) throws(CodecError) {
    var string = oddString
    if let rules = platform?.encoding, rules.cutsAtNUL, let end = string.firstIndex(of: 0) {
      string = UnsafeRawBufferPointer(rebasing: string[..<end])
    }
    let rule = platform?.encoding.loneSurrogates ?? .refuse
    if case .keepBytes = rule { return writer.visit(string: string, isValidUTF8: false) }
    guard let fault = UTF8Check.firstError(in: string) else {
      return writer.visit(string: string, isValidUTF8: true)
    }
    guard let repaired = LoneSurrogates.encode(string, rule) else {
      throw refusal(
        .invalidUTF8, "UTF-8",
        "the byte \(Hexadecimal.byte(string[fault])) at byte \(fault) of the string",
        platform == nil ? nil : "no such value")
    }
    repaired.withUnsafeBytes { writer.visit(string: $0, isValidUTF8: true) }
  }

  mutating func visit(
    typedList: UnsafeRawBufferPointer, kind: TypedListKind
  ) throws(CodecError) {
    guard let rules = platform?.encoding else {
      return writer.visit(typedList: typedList, kind: kind)
    }
    if kind == .int64, let platformError = rules.refusesInt64List {
      throw refusal(
        .unsupportedValue, "a typed list that the platform has", kind.name, platformError)
    }
    if typedList.isEmpty && !rules.padsEmptyTypedLists {
      writer.sink.put(kind.rawValue)
      return writer.sink.putSize(0)
    }
    if rules.canonicalNaN && (kind == .float32 || kind == .float64) {
      let canonical = JDKText.canonicalNaN(typedList, kind)
      return canonical.withUnsafeBytes { writer.visit(typedList: $0, kind: kind) }
    }
    writer.visit(typedList: typedList, kind: kind)
  }

  mutating func visit(listCount: Int) { writer.visit(listCount: listCount) }
  mutating func visit(mapCount: Int) { writer.visit(mapCount: mapCount) }

  mutating func visit(
    customType: UInt8, payload: () -> Value
  ) throws(CodecError) -> Bool {
    if extensions.plain.contains(customType) {
      writer.sink.put(customType)
      return true
    }
    guard case .procedure(_, let write)? = extensions[customType]?.layout else {
      try refuse(unknownExtension: customType)
      writer.visitNull()
      return false
    }
    guard procedureDepth < Platform.deepestProcedure else {
      throw refusal(
        .depthExceeded, "at most \(Platform.deepestProcedure) nested extension writers", "one more",
        nil)
    }
    writer.sink.put(customType)
    var nested = StandardEncoder<ArraySink>(
      sink: ArraySink(origin: writer.sink.position), platform: platform, extensions: extensions)
    nested.procedureDepth = procedureDepth + 1
    var output = StandardWriter(encoder: nested)
    try write(payload(), &output)
    nested = output.encoder
    nested.writer.sink.bytes.withUnsafeBytes { writer.sink.put($0) }
    return false
  }

  private func refuse(unknownExtension type: UInt8) throws(CodecError) {
    var error = refusal(
      .unsupportedValue, "a standard value or a registered extension", "custom type \(type)", nil)
    switch platform?.encoding.unknownExtension ?? .refuse(nil) {
    case .refuse(let platformError): error.platformError = platformError
    case .crash(let what):
      error.consequence = .crash
      error.platformError = what
    case .writeNull: return
    }
    throw error
  }

  private func refusal(
    _ code: CodecError.Code, _ expected: String, _ found: String, _ platformError: String?
  ) -> CodecError {
    CodecError(code, expected: expected, found: found, platformError: platformError)
  }
}
