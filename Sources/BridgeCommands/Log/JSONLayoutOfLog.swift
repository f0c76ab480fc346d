import ChannelCodec
import ChannelNotation
import ChannelRouter
import ChannelTransport
import SystemInterface

/// The log for programs: one JSON object a line. Values are typed JSON.
struct JSONLayoutOfLog: LogLayout {
  /// Longer messages are told by their size alone.
  static let longestPayload = 64 << 10
  /// Names and texts are cut here, and their size is told.
  static let longestText = 4 << 10
  /// The same for the texts of a list, and how many of them are shown.
  static let longestListedText = 400
  static let mostListedTexts = 100
  /// Seconds since 1970; replaced in tests.
  var now: () -> Int64 = SystemCalls.wallClockMicroseconds

  func lines(of event: LogEvent) -> [String] {
    var object = JSONObjectText()
    object.add("time", raw: JSONLayoutOfLog.seconds(now()))
    switch event {
    case .connected(let client, let device, let software):
      object.add("event", "connected")
      object.add("connection", raw: "\(client)")
      if !device.isEmpty { object.add("device", device) }
      object.add("software", software)
    case .disconnected(let client, let end):
      object.add("event", "closed")
      object.add("connection", raw: "\(client)")
      object.add("reason", end.description)
      object.add("unanswered", end.unanswered)
    case .refusedClient(let reason):
      object.add("event", "refused")
      object.add("reason", reason)
    case .trouble(let client, let text):
      object.add("event", "trouble")
      object.add("connection", raw: "\(client)")
      object.add("text", text)
    case .call(let call): add(call, to: &object)
    case .report(let client, let report):
      object.add("event", "report")
      if let client { object.add("connection", raw: "\(client)") }
      if let channel = report.channel { object.add("channel", channel.description) }
      object.add("level", report.level.rawValue)
      object.add("kind", report.kind.rawValue)
      object.add("text", report.text)
    }
    return [object.text.jsonSafeForTerminal]
  }

  private func add(_ call: LoggedCall, to object: inout JSONObjectText) {
    object.add("event", "call")
    if let client = call.client { object.add("connection", raw: "\(client)") }
    object.add("direction", call.isToDart ? "to-dart" : "from-dart")
    object.add("channel", call.channel.description)
    switch call.message {
    case .none: object.add("message", raw: "null")
    case .call(let method, let codec):
      object.add("method", method.method.description)
      object.add("codec", codec.rawValue)
      object.add("arguments", method.arguments)
    case .event(.success(let event)): object.add("event-value", event)
    case .event(.error(let error)): object.add("event-error", json: JSONLayoutOfLog.text(of: error))
    case .value(let value, let codec):
      object.add("codec", codec.rawValue)
      object.add("message", value)
    case .bytes(let bytes): object.add("bytes", raw: "\(bytes.count)")
    }
    addOutcome(call, to: &object)
    if let microseconds = call.microseconds { object.add("microseconds", raw: "\(microseconds)") }
    if !call.warnings.isEmpty { object.add("warnings", call.warnings.map(\.text)) }
  }

  private func addOutcome(_ call: LoggedCall, to object: inout JSONObjectText) {
    switch call.outcome {
    case nil: object.add("outcome", "no-reply-wanted")
    case .dropped: object.add("outcome", "dropped")
    case .disconnected: object.add("outcome", "disconnected")
    case .refused(let refusal):
      object.add("outcome", "refused")
      object.add("code", refusal.code)
      object.add("text", refusal.text)
    case .payload(let payload):
      switch GuessedReply(payload, to: call.message) {
      case .success(let value):
        object.add("outcome", "success")
        object.add("value", value)
      case .error(let error):
        object.add("outcome", "error")
        object.add("error", json: JSONLayoutOfLog.text(of: error))
      case .notImplemented: object.add("outcome", "not-implemented")
      case .value(let value):
        object.add("outcome", "reply")
        object.add("value", value)
      case .noPayload: object.add("outcome", "no-payload")
      case .bytes(let bytes):
        object.add("outcome", call.message.method == nil ? "reply" : "malformed-reply")
        object.add("bytes", raw: "\(bytes.count)")
      }
    }
  }

  /// The object in `{"error":…}`.
  private static func text(of error: ErrorEnvelope) -> String {
    String(TypedJSON.text(of: Envelope.error(error)).dropFirst("{\"error\":".count).dropLast())
  }

  /// Seconds with six decimals.
  static func seconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds.magnitude % 1_000_000)
    return "\(microseconds / 1_000_000)."
      + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}

/// A JSON object in the making.
struct JSONObjectText {
  private var members: [String] = []

  var text: String { "{\(members.joined(separator: ","))}" }

  mutating func add(_ name: String, raw: String) { members.append("\"\(name)\":\(raw)") }

  /// A text, which is cut where it is long; another member then has its size.
  mutating func add(_ name: String, _ text: String) {
    let shown = text.shortened(toBytes: JSONLayoutOfLog.longestText)
    add(name, raw: JSONObjectText.quoted(shown))
    let size = text.utf8.count
    if size > JSONLayoutOfLog.longestText { add("\(name)-bytes", raw: "\(size)") }
  }

  /// Texts, or the first of them; another member then has their number.
  mutating func add(_ name: String, _ texts: [String]) {
    let shown = texts.prefix(JSONLayoutOfLog.mostListedTexts).map {
      JSONObjectText.quoted($0.shortened(toBytes: JSONLayoutOfLog.longestListedText))
    }
    add(name, raw: "[\(shown.joined(separator: ","))]")
    if shown.count < texts.count { add("\(name)-count", raw: "\(texts.count)") }
  }

  /// A value as typed JSON, or its size under another name where it is long.
  mutating func add(_ name: String, _ value: Value) { add(name, json: TypedJSON.text(of: value)) }

  /// The same for JSON that is made already.
  mutating func add(_ name: String, json text: String) {
    if text.utf8.count <= JSONLayoutOfLog.longestPayload * 2 {
      add(name, raw: text)
    } else {
      add("\(name)-omitted", raw: "\(text.utf8.count)")
    }
  }

  static func quoted(_ text: String) -> String {
    guard let bytes = try? JSONMessageCodec().encode(.string(Value.Text(text))) else {
      return "\"\""
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
