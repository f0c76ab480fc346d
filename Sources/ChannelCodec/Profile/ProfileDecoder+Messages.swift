// What stands at byte 0: a value, a method call or an envelope.

extension ProfileDecoder {
  /// A message that holds one value.
  mutating func message() throws(CodecError) -> Value {
    if bytes.isEmpty {
      try oddity(
        platform.decoding.emptyMessage, .emptyMessage, at: 0, expected: "a value",
        found: "zero bytes")
      return .null
    }
    let value = try value()
    try trailing(platform.decoding.trailingMessage, after: "the value")
    return value
  }

  mutating func methodCall(isThere: Bool) throws(CodecError) -> MethodCall {
    guard isThere else {
      try oddity(
        platform.decoding.noMethodCall, .noMessage, at: 0, expected: "a method call",
        found: "no message")
      return MethodCall("")
    }
    if bytes.isEmpty, let emptyMethodCall = platform.decoding.emptyMethodCall {
      try oddity(
        emptyMethodCall, .emptyMessage, at: 0, expected: "a method call", found: "zero bytes")
    }
    let name = try value("method")
    if !name.isString && platform.decoding.errorFields == .eachField { try refuseMethod(name) }
    let arguments = try value("arguments")
    guard case .string(let method) = name else {
      try refuseMethod(name)
      return MethodCall("", arguments)
    }
    try trailing(platform.decoding.trailingMethodCall, after: "the arguments")
    return MethodCall(method, arguments)
  }

  private mutating func refuseMethod(_ name: Value) throws(CodecError) {
    try oddity(
      platform.decoding.methodNotString, .invalidMethodCall, at: 0,
      expected: "the method's name, a string",
      found: name.shortText)
  }

  /// nil for what the platform takes for "not implemented".
  mutating func envelope() throws(CodecError) -> Envelope? {
    guard let flag = bytes.first else {
      try oddity(
        platform.decoding.emptyEnvelope, .emptyMessage, at: 0, expected: "an envelope",
        found: "zero bytes")
      note("a reply of zero bytes means not implemented")
      return nil
    }
    position = 1
    switch flag {
    case 0:
      mark(0..<1, .flag, "success envelope")
      let result = try value("result")
      if platform.decoding.fallsThroughToError && !isAtEnd {
        note("bytes behind a success value are read as an error envelope")
        return .error(try errorFields())
      }
      try trailing(platform.decoding.trailingSuccess, after: "the result")
      return .success(result)
    case 1: mark(0..<1, .flag, "error envelope")
    default:
      try oddity(
        platform.decoding.envelopeFlag, .invalidEnvelope, at: 0,
        expected: "00 (success) or 01 (error)",
        found: Hexadecimal.byte(flag))
      mark(0..<1, .flag, "error envelope (any flag but 00)")
    }
    return .error(try errorFields())
  }

  private mutating func errorFields() throws(CodecError) -> ErrorEnvelope {
    let codeOffset = position
    let code = try value("code")
    if !code.isString && platform.decoding.errorFields == .eachField {
      try refuse(code: code, at: codeOffset)
    }
    let messageOffset = position
    let message = try value("message")
    let isMessage = message.isString || message.isNull
    if !isMessage && platform.decoding.errorFields == .eachField {
      try refuse(message: message, at: messageOffset)
    }
    let details = try value("details")
    let stackTrace = try stackTrace()
    if !code.isString && platform.decoding.errorFields == .afterAll {
      try refuse(code: code, at: codeOffset)
    }
    if !isMessage && platform.decoding.errorFields == .afterAll {
      try refuse(message: message, at: messageOffset)
    }
    try trailing(platform.decoding.trailingError, after: "the error envelope")
    return ErrorEnvelope(
      code: code.text ?? "",
      message: message.text ?? (platform.decoding.readsNullErrorMessageAsEmpty ? "" : nil),
      details: details, stackTrace: stackTrace)
  }

  private mutating func stackTrace() throws(CodecError) -> ErrorEnvelope.StackTrace {
    guard platform.decoding.readsStackTrace && !isAtEnd else { return .absent }
    let offset = position
    switch try value("stacktrace") {
    case .null: return .null
    case .string(let text): return .text(text)
    case let other:
      try oddity(
        platform.decoding.stackTraceNotString, .invalidEnvelope, at: offset,
        expected: "the stack trace, a string or null", found: other.shortText)
      return .absent
    }
  }

  private mutating func refuse(code: Value, at offset: Int) throws(CodecError) {
    try oddity(
      platform.decoding.codeNotString, .invalidEnvelope, at: offset,
      expected: "the error code, a string",
      found: code.shortText)
  }

  private mutating func refuse(message: Value, at offset: Int) throws(CodecError) {
    try oddity(
      platform.decoding.messageNotString, .invalidEnvelope, at: offset,
      expected: "the error message, a string or null", found: message.shortText)
  }

  private mutating func trailing(
    _ oddity: DecodingRules.Oddity, after what: String
  ) throws(CodecError) {
    guard !isAtEnd else { return }
    let count = bytesLeft
    try self.oddity(
      oddity, .trailingBytes, at: position, expected: "the end of the message after \(what)",
      found: "\(count) more byte\(count == 1 ? "" : "s")")
    mark(position..<bytes.count, .trailing, "\(count) bytes that nobody reads")
    note("bytes behind \(what) are ignored")
  }
}

extension Value {
  fileprivate var isString: Bool { text != nil }
}
