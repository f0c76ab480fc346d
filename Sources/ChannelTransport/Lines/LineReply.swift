import ChannelRouter
import TerminalSafety

/// One line of the text framing as it goes out, and its text.
public enum LineReply: Hashable, Sendable {
  /// `HEX`, `-` for no payload, `""` for an empty one.
  case reply([UInt8]?)
  /// `! reason`: the message was dropped or refused.
  case refusal(String)
  /// `> CHANNEL HEX`: a message from the other side.
  case message(channel: ChannelName, payload: [UInt8]?)

  /// The line as UTF-8, with the newline at its end.
  public var bytes: [UInt8] {
    var line: [UInt8] = []
    switch self {
    case .reply(let payload): Self.append(payload, to: &line)
    case .refusal(let reason):
      line += "! ".utf8
      line += reason.safeForTerminal.utf8
    case .message(let channel, let payload):
      line += "> ".utf8
      line += Self.name(channel).utf8
      line.append(0x20)
      Self.append(payload, to: &line)
    }
    line.append(0x0a)
    return line
  }

  /// A channel name as the text framing spells it: in the quotes of JSON where it has to be.
  public static func name(_ channel: ChannelName) -> String {
    let text = channel.description
    let isPlain =
      !text.isEmpty && !"\"#<>!".unicodeScalars.contains(text.unicodeScalars.first ?? "!")
      && text.unicodeScalars.allSatisfy { $0 != " " && $0.isSafeInName }
    if isPlain { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        quoted += "\\" + String(scalar)
      } else if scalar.isSafeInName {
        quoted.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      }
    }
    return quoted + "\""
  }

  private static func append(_ payload: [UInt8]?, to line: inout [UInt8]) {
    guard let payload else {
      line.append(UInt8(ascii: "-"))
      return
    }
    if payload.isEmpty { line += "\"\"".utf8 }
    line.reserveCapacity(line.count + payload.count * 2 + 1)
    for byte in payload {
      line.append(digit(byte >> 4))
      line.append(digit(byte & 0xf))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
  }
}

extension Unicode.Scalar {
  /// Spaces of all kinds divide words for some reader of lines, so that a name has them escaped.
  fileprivate var isSafeInName: Bool {
    isSafeForTerminal && (self == " " || properties.generalCategory != .spaceSeparator)
  }
}
