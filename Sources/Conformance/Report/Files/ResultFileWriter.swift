import ChannelNotation
import TerminalSafety

struct ResultFileWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the object at hand has a member already.
  private var hasMember = false

  mutating func write(_ results: ConformanceResults) {
    let (_, total) = ResultTally.areas(of: results)
    open()
    member("format", string: ResultFile.format)
    member("version", raw: "\(ResultFile.version)")
    member("testee", string: results.testee)
    member("profile", string: results.profile)
    // As text, because many readers of JSON have no integers of 64 bits.
    if let seed = results.seed { member("seed", string: "\(seed)") }
    member("generatedCount", raw: "\(results.generatedCount)")
    if let digest = results.vectorsDigest { member("vectorsDigest", string: digest) }
    if let startedAt = results.startedAt { member("startedAt", string: startedAt) }
    member("seconds", raw: results.seconds.isFinite ? "\(results.seconds)" : "0")
    member("isPartial", raw: "\(results.isPartial)")
    member("isSuccess", raw: "\(results.isSuccess)")
    member("restarts", raw: "\(results.restarts)")
    put("\n ")
    member("totals") { writer in
      writer.open()
      writer.member("pass", raw: "\(total.passed)")
      writer.member("requiredFail", raw: "\(total.requiredUnknownFailures)")
      writer.member("recommendedFail", raw: "\(total.failed - total.requiredUnknownFailures)")
      writer.member("known", raw: "\(total.known)")
      writer.member("skipped", raw: "\(total.skipped)")
      writer.close()
    }
    for (name, counts) in [
      ("generatedPasses", results.generatedPasses), ("generatedSkips", results.generatedSkips),
    ] {
      member(name) { writer in
        writer.open()
        for (area, count) in counts.sorted(by: { $0.key < $1.key }) {
          writer.member(area, raw: "\(count)")
        }
        writer.close()
      }
    }
    member("staleKnownFailures") { $0.strings(results.staleKnownFailures) }
    member("unknownListEntries") { $0.strings(results.unknownListEntries) }
    member("cases") { writer in
      writer.put("[")
      for (position, result) in results.cases.enumerated() {
        writer.put(position == 0 ? "\n  " : ",\n  ")
        writer.write(result)
      }
      writer.put("\n]")
    }
    close()
    put("\n")
  }

  private mutating func write(_ result: CaseResult) {
    open()
    member("id", string: result.id)
    member("area", string: result.area)
    member("level", string: result.level.rawValue)
    member("operation", string: result.operation)
    member("codec", string: result.codec)
    member("verdict", string: result.verdict.rawValue)
    if let reason = result.knownReason { member("knownReason", string: reason) }
    if result.verdict != .pass {
      if let request = result.request { member("request") { $0.write(request) } }
      if !result.expected.isEmpty {
        member("expected") { writer in
          writer.put("[")
          for (position, payload) in result.expected.enumerated() {
            if position > 0 { writer.put(",") }
            writer.write(payload)
          }
          writer.put("]")
        }
      }
      if let actual = result.actual { member("actual") { $0.write(actual) } }
    }
    if let note = result.note, !note.isEmpty { member("note", string: note) }
    if !result.explanation.isEmpty { member("explanation") { $0.strings(result.explanation) } }
    if let origin = result.shrunkFrom { member("shrunkFrom", string: origin) }
    close()
  }

  private mutating func write(_ payload: Payload) {
    open()
    switch payload {
    case .bytes(let bytes): member("hex", string: Hex.text(of: bytes))
    case .noMessage: member("hex", raw: "null")
    case .value(let text): member("value", string: text)
    case .refusal(let text): member("error", string: text)
    }
    close()
  }

  // MARK: - JSON

  private mutating func put(_ text: String) { bytes += text.utf8 }

  private mutating func open() {
    put("{")
    hasMember = false
  }

  private mutating func close() {
    put("}")
    hasMember = true
  }

  private mutating func name(_ name: String) {
    if hasMember { put(",") }
    hasMember = true
    string(name)
    put(":")
  }

  private mutating func member(_ name: String, raw: String) {
    self.name(name)
    put(raw)
  }

  private mutating func member(_ name: String, string: String) {
    self.name(name)
    self.string(string)
  }

  private mutating func member(_ name: String, _ content: (inout ResultFileWriter) -> Void) {
    self.name(name)
    content(&self)
    hasMember = true
  }

  private mutating func strings(_ texts: [String]) {
    put("[")
    for (position, text) in texts.enumerated() {
      if position > 0 { put(",") }
      string(text)
    }
    put("]")
  }

  /// With escapes for all that a terminal would act on, so that the file can be looked at.
  private mutating func string(_ text: String) {
    put("\"")
    defer { put("\"") }
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
    if isPlain { return put(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": put("\\\"")
      case "\\": put("\\\\")
      case "\n": put("\\n")
      default:
        if scalar.isSafeForTerminal {
          put(String(scalar))
        } else {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            put("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
          }
        }
      }
    }
  }
}
