import ChannelCodec
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import TerminalSafety

/// The log for people: `PW startLiveActivity {elapsedSeconds: 0} -> success null 41us`.
struct TextLayoutOfLog: LogLayout {
  let showsClients: Bool

  func lines(of event: LogEvent) -> [String] {
    switch event {
    case .connected(let client, let device, let software):
      guard showsClients else { return [] }
      let name = device.isEmpty ? "" : ", device \(device.quotedForTerminal)"
      let program = software.isEmpty ? "" : " (\(cut(software, to: 60)))"
      return [prefix(client) + "connected\(program)\(name)"]
    case .disconnected(let client, let end): return lines(ofEnd: end, client)
    case .refusedClient(let reason): return ["client refused: \(cut(reason, to: 300))"]
    case .trouble(let client, let text):
      return [prefix(client) + "trouble: \(cut(text, to: 300))"]
    case .call(let call):
      return [line(of: call)]
        + call.warnings.map { "  \(words($0.level, brief($0.text, for: call)))" }
    case .report(let client, let report): return [prefix(client) + words(report.level, report.text)]
    }
  }

  private func lines(ofEnd end: ConnectionEnd, _ client: Int) -> [String] {
    guard showsClients else { return [] }
    let reason: String
    switch end.reason {
    case .finished: reason = "closed"
    case .failed, .refused, .lost, .brokenOff: reason = "ended: \(cut(end.description, to: 300))"
    }
    let names = end.unanswered.prefix(10).map { cut($0, to: 100) }.joined(separator: ", ")
    let rest = end.unanswered.count > 10 ? " and \(end.unanswered.count - 10) more" : ""
    let open = end.unanswered.isEmpty ? "" : "; never answered: \(names)\(rest)"
    return [prefix(client) + reason + open]
  }

  // MARK: - Calls

  func line(of call: LoggedCall) -> String {
    var line = prefix(call.client) + (call.isToDart ? "<- " : "") + channel(call.channel)
    switch call.message {
    case .none: line += call.isToDart ? " end of stream" : " no payload"
    case .call(let method, let codec):
      line += " \(name(method.method))"
      if codec == .json { line += " (JSON)" }
      if !method.arguments.isNull { line += " \(CompactNotation.text(of: method.arguments))" }
    case .event(.success(let event)): line += " event \(CompactNotation.text(of: event))"
    case .event(.error(let error)): line += " event \(words(error))"
    case .value(let value, let codec):
      line += (codec == .json ? " (JSON) " : " ") + CompactNotation.text(of: value)
    case .bytes(let bytes): line += " \(words(bytes))"
    }
    guard let outcome = call.outcome else { return line }
    var told = outcome
    if case .refused(var refusal) = outcome {
      refusal.text = brief(refusal.text, for: call)
      told = .refused(refusal)
    }
    line += " -> \(words(told, to: call.message))"
    return line + (call.microseconds.map { " \(TextLayoutOfLog.time($0))" } ?? "")
  }

  func words(_ outcome: ReplyOutcome, to message: GuessedMessage) -> String {
    switch outcome {
    case .dropped: return "dropped"
    case .disconnected: return "no answer: the client has gone"
    case .refused(let refusal):
      return "refused \(cut(refusal.code, to: 60)) \(cut(refusal.text, to: 300))"
    case .payload(let payload):
      switch GuessedReply(payload, to: message) {
      case .success(let value): return "success \(CompactNotation.text(of: value))"
      case .error(let error): return words(error)
      case .notImplemented: return "not implemented"
      case .value(let value): return CompactNotation.text(of: value)
      case .noPayload: return "no payload"
      case .bytes(let bytes):
        return message.method == nil ? words(bytes) : "malformed reply of \(words(bytes))"
      }
    }
  }

  private func words(_ error: ErrorEnvelope) -> String {
    var words = "error \(name(error.code))"
    if let message = error.message { words += " \(CompactNotation.quoted(message))" }
    if !error.details.isNull { words += " \(CompactNotation.text(of: error.details))" }
    return words
  }

  private func words(_ bytes: [UInt8]) -> String {
    bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
  }

  private func words(_ level: MessengerReport.Level, _ text: String) -> String {
    "\(level == .info ? "note" : level.rawValue): \(cut(text, to: 400))"
  }

  /// A text without what its call's line says already.
  private func brief(_ text: String, for call: LoggedCall) -> String {
    let channel = call.channel.description
    let labels = [call.message.method.map { "\(channel) \($0): " }, "\(channel): "]
    guard let label = labels.compactMap(\.self).first(where: text.hasPrefix) else { return text }
    return String(text.dropFirst(label.count))
  }

  // MARK: -

  private func prefix(_ client: Int?) -> String {
    guard showsClients, let client else { return "" }
    return "[\(client)] "
  }

  private func channel(_ channel: ChannelName) -> String { word(channel.description) }
  private func name(_ text: Value.Text) -> String { word(text.description) }

  /// As it is where that is one word, else in quotation marks.
  private func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.count <= 100
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 }
    return isPlain ? text : text.quotedForTerminal
  }

  private func cut(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard scalars.dropFirst(limit).first != nil else { return text.safeForTerminal }
    return String(String.UnicodeScalarView(scalars.prefix(limit))).safeForTerminal + "…"
  }

  /// `41us`, `12ms`, `3.2s`.
  static func time(_ microseconds: UInt64) -> String {
    if microseconds < 10_000 { return "\(microseconds)us" }
    if microseconds < 10_000_000 { return "\(microseconds / 1000)ms" }
    return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10)s"
  }
}
