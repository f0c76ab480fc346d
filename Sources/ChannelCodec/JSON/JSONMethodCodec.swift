/// Method calls and envelopes as UTF-8 JSON text, as Flutter's JSONMethodCodec
/// (`packages/flutter/lib/src/services/message_codecs.dart`):
///
///     {"method":"name","args":value}      call
///     [result]                            success
///     [code,message,details]              error, code a string, message a string or null
///     [code,message,details,stacktrace]   error, written by Android only and read by Dart only
///
/// A call's other members are ignored and a missing `args` is null, on every platform.
public struct JSONMethodCodec: MethodCodec {
  public let profile: Profile
  public let maximumDepth: Int
  private let rules: JSONRules

  /// - Parameters:
  ///   - profile: whose text is written, and whose parser is followed.
  ///   - maximumDepth: how deep lists and maps may nest in a message that is read; the outermost
  ///     brackets of the call or envelope count.
  public init(profile: Profile = .strict, maximumDepth: Int = 512) {
    self.profile = profile
    self.maximumDepth = maximumDepth
    rules = JSONRules.of(profile)
  }

  // MARK: - Calls

  /// The text of `call`. Throws as ``JSONMessageCodec/encode(_:)`` does.
  public func encodeMethodCall(_ call: MethodCall) throws(CodecError) -> [UInt8] {
    var writer = JSONWriter(rules: rules)
    writer.isNested = true
    writer.put(#"{"method":"#)
    try writer.append(.string(call.method), part: "method")
    writer.put(#","args":"#)
    try writer.append(call.arguments, part: "arguments")
    writer.put("}")
    return writer.text
  }

  /// The call that `message` holds. Throws `invalidMethodCall` where it is not an object with a
  /// string as `method`, else as ``JSONMessageCodec/decode(_:)``.
  public func decodeMethodCall(_ message: [UInt8]?) throws(CodecError) -> MethodCall {
    guard let message else {
      throw JSONRules.blame(
        rules.noMethodCall,
        CodecError(.noMessage, offset: 0, expected: "a method call", found: "no message"))
    }
    let value = try read(
      message, names: ["method": "method", "args": "arguments"],
      undecodable: rules.undecodableCall
    ).value
    guard case .map(let members) = value else {
      throw JSONRules.blame(
        rules.callNotMap, invalidCall("an object with a method", found: value.shortText))
    }
    guard case .string(let method)? = members["method"] else {
      let found = members["method"].map { "\($0.shortText) as method" } ?? "no member \"method\""
      throw JSONRules.blame(rules.methodNotString, invalidCall("a string as method", found: found))
    }
    return MethodCall(method, members["args"] ?? .null)
  }

  private func invalidCall(_ expected: String, found: String) -> CodecError {
    CodecError(.invalidMethodCall, offset: 0, expected: expected, found: found)
  }

  // MARK: - Envelopes

  /// The text of `envelope`. Throws as ``JSONMessageCodec/encode(_:)`` does, and `unsupportedValue`
  /// for a stack trace where the platform has no such field.
  public func encodeEnvelope(_ envelope: Envelope) throws(CodecError) -> [UInt8] {
    var writer = JSONWriter(rules: rules)
    writer.isNested = true
    writer.put("[")
    switch envelope {
    case .success(let result): try writer.append(result, part: "result")
    case .error(let error): try append(error, to: &writer)
    }
    writer.put("]")
    return writer.text
  }

  private func append(
    _ error: ErrorEnvelope, to writer: inout JSONWriter
  ) throws(CodecError) {
    let emptied: Value.Text? = rules.writesNullErrorMessageAsEmpty ? "" : nil
    try writer.append(.string(error.code), part: "code")
    writer.put(",")
    try append(error.message ?? emptied, part: "message", to: &writer)
    writer.put(",")
    try writer.append(error.details, part: "details")
    let trace: Value.Text?
    switch error.stackTrace {
    case .absent: return
    case .null: trace = nil
    case .text(let text): trace = text
    }
    if let platformError = rules.refusesStackTrace {
      throw CodecError(
        .unsupportedValue, path: ValuePath([.part("stacktrace")]),
        expected: "code, message and details", found: "a stack trace",
        platformError: platformError)
    }
    writer.put(",")
    try append(trace, part: "stacktrace", to: &writer)
  }

  private func append(
    _ text: Value.Text?, part: String, to writer: inout JSONWriter
  ) throws(CodecError) {
    try writer.append(text.map { .string($0) } ?? .null, part: part)
  }

  /// The envelope that `reply` holds; nil for a reply without payload: not implemented.
  ///
  /// Throws `invalidEnvelope` where it is not a list of one, three or (`strict` and Dart) four
  /// values of the right types, else as ``JSONMessageCodec/decode(_:)``.
  public func decodeEnvelope(_ reply: [UInt8]?) throws(CodecError) -> Envelope? {
    guard let reply else { return nil }
    if reply.isEmpty, let oddity = rules.emptyEnvelope {
      if oddity.isAccepted { return nil }
      throw JSONRules.blame(
        oddity, CodecError(.emptyMessage, offset: 0, expected: "an envelope", found: "no bytes"))
    }
    let output = try read(reply, names: [:], undecodable: rules.undecodableEnvelope)
    guard case .list(let fields) = output.value else {
      throw JSONRules.blame(
        rules.envelopeShape, invalidEnvelope("a list", found: output.value.shortText))
    }
    let values = Array(fields.prefix(4))
    switch fields.count {
    case 1: return .success(values[0])
    case 3: return .error(try error(values, output.elementOffsets))
    case 4 where rules.readsStackTrace: return .error(try error(values, output.elementOffsets))
    default:
      let counts = rules.readsStackTrace ? "1, 3 or 4" : "1 or 3"
      throw JSONRules.blame(
        rules.envelopeShape,
        invalidEnvelope("a list of \(counts) values", found: output.value.shortText))
    }
  }

  private func error(
    _ values: [Value], _ offsets: [Int]
  ) throws(CodecError) -> ErrorEnvelope {
    guard case .string(let code) = values[0] else {
      throw wrongField(rules.codeNotString, "code", "a string", values[0], offsets[0])
    }
    if case .null = values[1], !rules.messageNull.isAccepted {
      throw wrongField(rules.messageNull, "message", "a string", values[1], offsets[1])
    }
    let message = try text(
      values[1], at: offsets[1], part: "message", otherwise: rules.messageNotString)
    var envelope = ErrorEnvelope(code: code, message: message, details: values[2])
    if values.count > 3 {
      let trace = try text(
        values[3], at: offsets[3], part: "stacktrace", otherwise: rules.stackTraceNotString)
      envelope.stackTrace = trace.map { .text($0) } ?? .null
    }
    return envelope
  }

  private func text(
    _ value: Value, at offset: Int, part: String, otherwise oddity: DecodingRules.Oddity
  ) throws(CodecError) -> Value.Text? {
    switch value {
    case .null: return nil
    case .string(let text): return text
    default:
      if oddity.isAccepted { return nil }
      throw wrongField(oddity, part, "a string or null", value, offset)
    }
  }

  private func wrongField(
    _ oddity: DecodingRules.Oddity, _ part: String, _ expected: String, _ value: Value,
    _ offset: Int
  ) -> CodecError {
    JSONRules.blame(
      oddity,
      CodecError(
        .invalidEnvelope, offset: offset, path: ValuePath([.part(part)]), expected: expected,
        found: value.shortText))
  }

  private func invalidEnvelope(_ expected: String, found: String) -> CodecError {
    CodecError(.invalidEnvelope, offset: 0, expected: expected, found: found)
  }

  // MARK: -

  /// Reads a message; in the path of an error, members that are parts of a call go by their names.
  private func read(
    _ message: [UInt8], names: [String: String], undecodable: String?
  ) throws(CodecError) -> JSONValueReader.Output {
    do throws(CodecError) {
      return try JSONValueReader(rules: rules, maximumDepth: maximumDepth).read(message)
    } catch {
      var named = error
      if let undecodable, named.consequence == .refusal { named.platformError = undecodable }
      if case .key(.string(let name))? = named.path.components.first,
        let part = names[name.description]
      {
        named.path.components[0] = .part(part)
      }
      throw named
    }
  }
}
