/// A whole message of the standard codec: what stands at byte 0 and is written in one go, so that
/// alignment counts from there.
enum StandardMessage {
  case value(Value)
  case call(MethodCall)
  case envelope(Envelope)

  static let successFlag: UInt8 = 0
  static let errorFlag: UInt8 = 1

  func encoded(
    profile: Profile, extensions: ExtensionTypes
  ) throws(CodecError) -> [UInt8] {
    let platform = profile == .strict ? nil : Platform.of(profile)
    let message = platform == nil ? self : settlingMaps(as: profile)
    do throws(CodecError) {
      if extensions.hasProcedures {
        // An extension's writer may not be asked twice: it could answer differently.
        var encoder = StandardEncoder(sink: ArraySink(), platform: platform, extensions: extensions)
        try message.write(to: &encoder)
        return encoder.writer.sink.bytes
      }
      var counter = StandardEncoder(
        sink: CountingSink(), platform: platform, extensions: extensions)
      try message.write(to: &counter)
      let size = counter.writer.sink.position
      var failure: CodecError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
        let sink = MemorySink(UnsafeMutableRawBufferPointer(memory))
        var encoder = StandardEncoder(sink: sink, platform: platform, extensions: extensions)
        do throws(CodecError) { try message.write(to: &encoder) } catch { failure = error }
        count = encoder.writer.sink.position
      }
      if let failure { throw failure }
      return bytes
    } catch {
      throw PathFindingEncoder.locate(
        error, in: message, platform: platform, extensions: extensions)
    }
  }

  /// Writes the message with whatever visits its values: an encoder, or one that keeps the path.
  func write<Encoder: MessageEncoder>(to encoder: inout Encoder) throws(CodecError) {
    switch self {
    case .value(let value): try encoder.encode(value, part: nil)
    case .call(let call):
      try encoder.encode(.string(call.method), part: "method")
      try encoder.encode(call.arguments, part: "arguments")
    case .envelope(.success(let result)):
      encoder.put(flag: StandardMessage.successFlag)
      try encoder.encode(result, part: "result")
    case .envelope(.error(let error)):
      encoder.put(flag: StandardMessage.errorFlag)
      try encoder.encode(.string(error.code), part: "code")
      try encoder.encode(encoder.written(message: error.message), part: "message")
      try encoder.encode(error.details, part: "details")
      try encoder.encode(error.stackTrace)
    }
  }

  private func settlingMaps(as profile: Profile) -> StandardMessage {
    let rules = DecodingRules.of(profile)
    func settled(_ value: Value) -> Value {
      value.settlingMaps(
        equality: rules.keys, repeated: rules.repeatedKeys, sorts: rules.mapOrder.isSorted)
    }
    switch self {
    case .value(let value): return .value(settled(value))
    case .call(let call): return .call(MethodCall(call.method, settled(call.arguments)))
    case .envelope(.success(let result)): return .envelope(.success(settled(result)))
    case .envelope(.error(var error)):
      error.details = settled(error.details)
      return .envelope(.error(error))
    }
  }
}

/// What a ``StandardMessage`` is written to.
protocol MessageEncoder {
  var platform: Platform? { get }
  mutating func put(flag: UInt8)
  mutating func encode(_ value: Value, part: String?) throws(CodecError)
}

extension MessageEncoder {
  fileprivate func written(message: Value.Text?) -> Value {
    guard let message else { return .null }
    let isNull = message.utf8Count == 0 && platform?.encoding.writesEmptyErrorMessageAsNull == true
    return isNull ? .null : .string(message)
  }

  fileprivate mutating func encode(_ trace: ErrorEnvelope.StackTrace) throws(CodecError) {
    let value: Value
    switch trace {
    case .absent: return
    case .null: value = .null
    case .text(let text): value = .string(text)
    }
    if let platformError = platform?.encoding.refusesStackTrace {
      throw CodecError(
        .unsupportedValue, path: ValuePath([.part("stacktrace")]),
        expected: "an envelope of three fields", found: "a stack trace",
        platformError: platformError)
    }
    try encode(value, part: "stacktrace")
  }
}

extension StandardEncoder: MessageEncoder {
  mutating func put(flag: UInt8) { writer.sink.put(flag) }
  mutating func encode(_ value: Value, part: String?) throws(CodecError) {
    try value.visit(with: &self)
  }
}

/// Encodes once more after a refusal, this time keeping count of where it is. The encoder proper
/// does not, so that success costs nothing extra.
private struct PathFindingEncoder: MessageEncoder, ValueVisitor {
  typealias Failure = CodecError

  private var encoder: StandardEncoder<CountingSink>
  private var tracker = PathTracker()

  static func locate(
    _ error: CodecError, in message: StandardMessage, platform: Platform?,
    extensions: ExtensionTypes
  ) -> CodecError {
    guard error.path.isRoot else { return error }
    var finder = PathFindingEncoder(platform: platform, extensions: extensions)
    do throws(CodecError) {
      try message.write(to: &finder)
      return error
    } catch {
      var located = error
      if located.path.isRoot { located.path = finder.tracker.path }
      return located
    }
  }

  private init(platform: Platform?, extensions: ExtensionTypes) {
    encoder = StandardEncoder(sink: CountingSink(), platform: platform, extensions: extensions)
  }

  var platform: Platform? { encoder.platform }
  mutating func put(flag: UInt8) { encoder.put(flag: flag) }
  mutating func encode(_ value: Value, part: String?) throws(CodecError) {
    tracker = PathTracker(base: ValuePath(part.map { [.part($0)] } ?? []))
    try value.visit(with: &self)
  }

  private mutating func leaf(_ value: Value) {
    tracker.leaf(value)
    _ = tracker.endFinished()
  }

  mutating func visitNull() {
    encoder.visitNull()
    leaf(.null)
  }
  mutating func visit(bool: Bool) {
    encoder.visit(bool: bool)
    leaf(.bool(bool))
  }
  mutating func visit(int32: Int32) {
    encoder.visit(int32: int32)
    leaf(.int32(int32))
  }
  mutating func visit(int64: Int64) throws(CodecError) {
    try encoder.visit(int64: int64)
    leaf(.int64(int64))
  }
  mutating func visit(largeInteger text: UnsafeRawBufferPointer) throws(CodecError) {
    try encoder.visit(largeInteger: text)
    leaf(.largeInteger(Value.LargeInteger(Value.Text(bytes: text))))
  }
  mutating func visit(float64Bits: UInt64) {
    encoder.visit(float64Bits: float64Bits)
    leaf(.float64(Double(bitPattern: float64Bits)))
  }
  mutating func visit(string: UnsafeRawBufferPointer, isValidUTF8: Bool) throws(CodecError) {
    try encoder.visit(string: string, isValidUTF8: isValidUTF8)
    leaf(.string(Value.Text(bytes: string)))
  }
  mutating func visit(
    typedList: UnsafeRawBufferPointer, kind: TypedListKind
  ) throws(CodecError) {
    try encoder.visit(typedList: typedList, kind: kind)
    leaf(.typedList(Bytes(Array(typedList)), kind))
  }
  mutating func visit(listCount: Int) {
    encoder.visit(listCount: listCount)
    tracker.begin(.list, values: listCount)
    _ = tracker.endFinished()
  }
  mutating func visit(mapCount: Int) {
    encoder.visit(mapCount: mapCount)
    tracker.begin(.map, values: mapCount * 2)
    _ = tracker.endFinished()
  }
  mutating func visit(customType: UInt8, payload: () -> Value) throws(CodecError) -> Bool {
    if try encoder.visit(customType: customType, payload: payload) {
      tracker.begin(.custom(customType), values: 1)
      return true
    }
    leaf(.null)
    return false
  }
}
