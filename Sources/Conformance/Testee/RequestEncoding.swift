import ChannelCodec
import ChannelNotation

/// How requests and answers stand on a line; `Protocol/conformance.md` describes both ways.
public enum RequestEncoding: String, Sendable, CaseIterable {
  /// A JSON object a line.
  case json
  /// Words with spaces between them, for testees without a JSON parser.
  case words

  /// A request as a line with its end.
  func line(_ id: Int, _ request: TestRequest) -> [UInt8] {
    switch self {
    case .json: Array(jsonLine(id, request).utf8)
    case .words: Array(wordsLine(id, request).utf8)
    }
  }

  private func jsonLine(_ id: Int, _ request: TestRequest) -> String {
    let types = request.extensions.map(String.init).joined(separator: ",")
    let extensions = types.isEmpty ? "" : ",\"extensions\":[\(types)]"
    let subject =
      switch request.subject {
      case .payload(let bytes): "\"hex\":" + (bytes.map { "\"\(Hex.text(of: $0))\"" } ?? "null")
      case .content(let content): "\"value\":\(content.typedJSON)"
      }
    return "{\"id\":\(id),\"op\":\"\(request.operation.rawValue)\","
      + "\"codec\":\"\(request.codec.rawValue)\"\(extensions),\(subject)}\n"
  }

  private func wordsLine(_ id: Int, _ request: TestRequest) -> String {
    let types = request.extensions.map(String.init).joined(separator: ",")
    let extensions = types.isEmpty ? "" : "+\(types)"
    let subject =
      switch request.subject {
      case .payload(nil): "-"
      case .payload(let bytes?): bytes.isEmpty ? "\"\"" : Hex.text(of: bytes)
      case .content(let content): content.typedJSON
      }
    return "\(id) \(request.operation.rawValue) \(request.codec.rawValue)\(extensions) "
      + "\(subject)\n"
  }

  /// Why a line is no answer.
  struct Misunderstanding: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// A line without its end as an answer.
  func answer(_ line: [UInt8]) throws(Misunderstanding) -> (id: Int, answer: Answer) {
    switch self {
    case .json: try jsonAnswer(line)
    case .words: try wordsAnswer(line)
    }
  }

  // MARK: - JSON

  private func jsonAnswer(_ line: [UInt8]) throws(Misunderstanding) -> (id: Int, answer: Answer) {
    let tree: JSONTree
    do throws(CodecError) { tree = try JSONTree(line) } catch {
      throw Misunderstanding(
        "it wrote a line that is not JSON (at byte \(error.offset ?? 0)): \(Self.shown(line))")
    }
    guard let members = tree.members(tree.root) else {
      throw Misunderstanding("it wrote a line that is no JSON object: \(Self.shown(line))")
    }
    guard let id = members.first(where: { $0.name == "id" }).flatMap({ tree.integer($0.node) })
    else {
      throw Misunderstanding("it wrote an answer without a whole \"id\": \(Self.shown(line))")
    }
    let outcomes = members.filter { ["hex", "value", "error", "skipped"].contains($0.name) }
    guard outcomes.count == 1, let outcome = outcomes.first else {
      return (
        Int(id),
        .protocolError(
          "an answer has one of hex, value, error and skipped; this one has \(outcomes.count): "
            + Self.shown(line))
      )
    }
    let text = tree.string(outcome.node)
    switch outcome.name {
    case "value": return (Int(id), .value(tree.source(outcome.node)))
    case "error": return (Int(id), .refusal(text ?? Self.shown(tree.source(outcome.node))))
    case "skipped": return (Int(id), .skipped(text ?? Self.shown(tree.source(outcome.node))))
    default:
      if tree.isNull(outcome.node) { return (Int(id), .bytes(nil)) }
      guard let text else {
        return (Int(id), .protocolError("hex must be a text or null: \(Self.shown(line))"))
      }
      return (Int(id), Self.payload(text))
    }
  }

  // MARK: - Words

  private func wordsAnswer(_ line: [UInt8]) throws(Misunderstanding) -> (id: Int, answer: Answer) {
    let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, let id = Int(String(decoding: words[0], as: UTF8.self)) else {
      throw Misunderstanding(
        "it wrote a line that does not begin with an id and a word: \(Self.shown(line))")
    }
    let rest = words.count > 2 ? Array(words[2]) : []
    let text = String(decoding: rest, as: UTF8.self)
    switch String(decoding: words[1], as: UTF8.self) {
    case "hex": return (id, text == "-" ? .bytes(nil) : Self.payload(text == "\"\"" ? "" : text))
    case "value": return (id, .value(rest))
    case "error": return (id, .refusal(text))
    case "skipped": return (id, .skipped(text))
    default:
      return (
        id,
        .protocolError(
          "behind the id stands hex, value, error or skipped; this is: \(Self.shown(line))")
      )
    }
  }

  private static func payload(_ hex: String) -> Answer {
    do throws(HexError) { return .bytes(try Hex.bytes(of: hex)) } catch {
      return .protocolError("the payload is \(error)")
    }
  }

  /// The beginning of a line, in quotes and safe for a terminal.
  static func shown(_ line: [UInt8]) -> String {
    let isCut = line.count > 120
    return Value.Text(bytes: line.prefix(120)).quoted + (isCut ? "…" : "")
  }
}
