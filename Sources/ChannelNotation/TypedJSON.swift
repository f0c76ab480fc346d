import ChannelCodec

/// Values in JSON that says their types: the notation of the command line and of every test vector.
///
///     {"null":null}  {"bool":true}  {"string":"x"}  {"string_hex":"ff"}
///     {"int32":5}  {"int64":"5"}  {"bigint":"7f"}
///     {"float64":3.14}   "nan", "inf", "-inf", "-0.0", or exact bits: "0x7ff8000000000001"
///     {"uint8list":"00ff"}  {"int32list":[1]}  {"int64list":["1"]}
///     {"float32list":[1.5]}  {"float64list":[1.5]}
///     {"list":[…]}  {"map":[[key,value],…]}  {"custom":{"type":129,"value":…}}
///
///     {"method":"name","args":…}
///     {"success":…}  {"error":{"code":"c","message":"m","details":…,"stacktrace":"s"}}
///
/// `null` alone is no message at all. A string that is not UTF-8 has its bytes under the name with
/// `_hex`.
///
/// Plain JSON is read as well: `{"elapsedSeconds":0}` is a map with a string key and the narrowest
/// integer. An object is typed when it has exactly one member, named as above and with content of
/// that form; every other object is a plain map. Plain values may stand inside typed ones and the
/// other way round.
///
/// Nothing here uses the stack for nesting. Whatever is printed reads back as the same value.
public enum TypedJSON {
  /// Brackets that may nest in a text; a level of a value takes up to three.
  static let maximumDepth = 400_000
  /// 512 MiB, as for messages.
  static let longestText = 1 << 29

  // MARK: - Printing

  /// `value` on one line without spaces; `null` for no message.
  public static func text(of value: Value?) -> String {
    guard let value else { return "null" }
    var writer = TypedJSONWriter()
    value.visit(with: &writer)
    return writer.text
  }

  /// `call` on one line without spaces.
  public static func text(of call: MethodCall) -> String {
    "{\(member("method", call.method)),\"args\":\(text(of: call.arguments))}"
  }

  /// `envelope` on one line without spaces; `null` for a reply without payload.
  public static func text(of envelope: Envelope?) -> String {
    switch envelope {
    case nil: return "null"
    case .success(let result): return "{\"success\":\(text(of: result))}"
    case .error(let error):
      let message = error.message.map { member("message", $0) } ?? "\"message\":null"
      let stackTrace =
        switch error.stackTrace {
        case .absent: ""
        case .null: ",\"stacktrace\":null"
        case .text(let trace): ",\(member("stacktrace", trace))"
        }
      let details = text(of: error.details)
      return "{\"error\":{\(member("code", error.code)),\(message),\"details\":\(details)"
        + "\(stackTrace)}}"
    }
  }

  private static func member(_ name: String, _ text: Value.Text) -> String {
    var writer = TypedJSONWriter()
    writer.member(name, text)
    return writer.text
  }

  // MARK: - Reading

  /// The value that `text` notes; nil for `null`, no message.
  ///
  /// Throws `invalidJSON` with the offset and what was expected; `invalidUTF8` and `depthExceeded`
  /// as every reader of JSON does.
  public static func value(_ text: [UInt8]) throws(CodecError) -> Value? {
    let document = try JSONDocument(text)
    if document.isNull(document.root) { return nil }
    return try TypedJSONReader(document: document).value(at: document.root)
  }

  public static func value(_ text: String) throws(CodecError) -> Value? {
    try value(Array(text.utf8))
  }

  /// The method call that `text` notes. Throws as ``value(_:)-([UInt8])`` does.
  public static func call(_ text: [UInt8]) throws(CodecError) -> MethodCall {
    let document = try JSONDocument(text)
    let reader = TypedJSONReader(document: document)
    let members = try reader.members(
      at: document.root, of: "a method call", texts: ["method"], others: ["args"])
    guard let method = try reader.text("method", of: members) else {
      throw reader.missing("method", at: document.root)
    }
    return MethodCall(method, try reader.value("args", of: members))
  }

  public static func call(_ text: String) throws(CodecError) -> MethodCall {
    try call(Array(text.utf8))
  }

  /// The envelope that `text` notes; nil for `null`, a reply without payload. Throws as
  /// ``value(_:)-([UInt8])`` does.
  public static func envelope(_ text: [UInt8]) throws(CodecError) -> Envelope? {
    let document = try JSONDocument(text)
    if document.isNull(document.root) { return nil }
    let reader = TypedJSONReader(document: document)
    let members = try reader.members(
      at: document.root, of: "an envelope", texts: [], others: ["success", "error"])
    guard members.count == 1, let member = members.first else {
      throw document.error(document.root, "an envelope with one of \"success\" and \"error\"")
    }
    if member.name == "success" { return .success(try reader.value(at: member.node)) }
    return .error(try error(at: member.node, reader))
  }

  public static func envelope(_ text: String) throws(CodecError) -> Envelope? {
    try envelope(Array(text.utf8))
  }

  private static func error(
    at node: Int, _ reader: TypedJSONReader
  ) throws(CodecError) -> ErrorEnvelope {
    let fields = try reader.members(
      at: node, of: "an error", texts: ["code", "message", "stacktrace"], others: ["details"])
    guard let code = try reader.text("code", of: fields) else {
      throw reader.missing("code", at: node)
    }
    var envelope = ErrorEnvelope(
      code: code, message: try reader.text("message", of: fields),
      details: try reader.value("details", of: fields))
    if fields.contains(where: { $0.name.hasPrefix("stacktrace") }) {
      let trace = try reader.text("stacktrace", of: fields)
      envelope.stackTrace = trace.map { .text($0) } ?? .null
    }
    return envelope
  }
}
