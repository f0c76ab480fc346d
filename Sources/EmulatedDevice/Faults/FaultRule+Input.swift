import ChannelCodec

extension FaultRule {
  /// From text, such as `PW.updateLiveActivity#3: delay 200ms`.
  public init(_ text: some StringProtocol) throws(FaultSyntaxError) {
    self = try FaultReader.rule(text)
  }

  /// Several rules with `;` between them; inside quotation marks it has no meaning.
  public static func rules(
    separatedBySemicolons text: String
  ) throws(FaultSyntaxError) -> [FaultRule] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ";"), !isQuoted {
        parts.append([])
        continue
      }
      parts[parts.count - 1].append(byte)
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
    }
    var rules: [FaultRule] = []
    for part in parts where part.contains(where: { $0 > 32 }) {
      try Faults.checkCount(rules.count + 1)
      rules.append(try FaultRule(String(decoding: part, as: UTF8.self)))
    }
    return rules
  }

  /// The rules of a file: JSON, a list of rules as text or objects; or text with one rule a line,
  /// where lines that begin with `#` are comments.
  public static func rules(ofFile content: [UInt8]) throws(FaultSyntaxError) -> [FaultRule] {
    if content.first(where: { $0 > 32 }) == UInt8(ascii: "[") {
      let value: Value?
      do throws(CodecError) {
        value = try JSONMessageCodec().decode(content)
      } catch {
        throw FaultSyntaxError("the file of faults begins as JSON and is none: \(error)")
      }
      var rules: [FaultRule] = []
      for element in value?.list ?? [] {
        try Faults.checkCount(rules.count + 1)
        rules.append(try FaultRule(value: element))
      }
      return rules
    }
    var rules: [FaultRule] = []
    let lines = content.split(separator: 10, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let line = line.drop { $0 <= 32 }
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      do throws(FaultSyntaxError) {
        try Faults.checkCount(rules.count + 1)
        rules.append(try FaultRule(String(decoding: line, as: UTF8.self)))
      } catch {
        throw FaultSyntaxError("line \(number + 1): \(error.text)", isLimit: error.isLimit)
      }
    }
    return rules
  }

  private static let fields = [
    "channel", "method", "calls", "fault", "delay", "code", "message", "details", "bytes",
  ]

  /// From text, or a map: `{channel: PW, method: updateLiveActivity, calls: 3, fault: delay,
  /// delay: 200ms}`. A delay without a unit is in seconds; `calls` is a number or text as in the
  /// text form.
  public init(value: Value) throws(FaultSyntaxError) {
    if let text = value.string {
      self = try FaultRule(text)
      return
    }
    guard case .map(let map) = value else {
      throw FaultSyntaxError("expected a rule as text or a map, found \(value.kindName)")
    }
    for pair in map {
      guard let key = pair.key.string, FaultRule.fields.contains(key) else {
        let name = pair.key.string ?? pair.key.kindName
        throw FaultSyntaxError(
          "a rule has no field \(NearMiss.quoted(name))"
            + NearMiss.hint(for: name, among: FaultRule.fields))
      }
    }
    self.init(
      channel: try FaultRule.text(map, "channel") ?? "*",
      method: try FaultRule.text(map, "method"),
      calls: try FaultRule.calls(map["calls"]), action: try FaultRule.action(map))
  }

  private static func text(
    _ map: Value.Map, _ field: String
  ) throws(FaultSyntaxError) -> String? {
    guard let value = map[field], !value.isNull else { return nil }
    guard let text = value.string else {
      throw FaultSyntaxError("\(field): expected a string, found \(value.kindName)")
    }
    return text
  }

  private static func calls(_ value: Value?) throws(FaultSyntaxError) -> Selection {
    guard let value, !value.isNull else { return .every }
    if let number = value.integer, number > 0 {
      return .range(first: Int(number), last: Int(number))
    }
    guard let text = value.string, let selection = FaultReader.selection(text) else {
      throw FaultSyntaxError(
        "calls: expected a number from 1 up, or text such as 1-3, 3- or %4, found "
          + value.kindName)
    }
    return selection
  }

  private static func action(_ map: Value.Map) throws(FaultSyntaxError) -> Action {
    guard let name = try text(map, "fault") else {
      throw FaultSyntaxError(
        "fault: missing" + NearMiss.hint(for: "", among: FaultReader.actions))
    }
    switch name {
    case "delay":
      guard let span = map["delay"].flatMap({ TimeText.span($0) }) else {
        throw FaultSyntaxError("delay: expected seconds, or text such as 200ms")
      }
      return .delay(span)
    case "error":
      return .error(
        ErrorEnvelope(
          code: Value.Text(try text(map, "code") ?? "fault"),
          message: try text(map, "message").map { Value.Text($0) },
          details: map["details"] ?? .null))
    case "corrupt":
      switch map["bytes"] {
      case .uint8List(let bytes): return .corruptReply(Array(bytes))
      case .string(let text):
        if let bytes = HexText.bytes(text.description) { return .corruptReply(bytes) }
        fallthrough
      default:
        throw FaultSyntaxError("bytes: expected a Uint8List, or text of hexadecimal digits")
      }
    default:
      return try FaultRule("x: \(name)").action
    }
  }
}
