import ChannelNotation

/// The values of `--codec`: what a message is, and for the verb `call` which codec the channel has.
enum CodecChoice: String, CaseIterable, Sendable {
  case message
  case call
  case envelope
  case jsonMessage = "json-message"
  case jsonCall = "json-call"
  case jsonEnvelope = "json-envelope"
  case string
  case binary
  case standard
  case json

  /// What it is, in a few words.
  var summary: String {
    switch self {
    case .standard: "for the verb call, where it is the default: StandardMethodCodec"
    case .json: "for the verb call: JSONMethodCodec"
    default: NamedCodec.Name(rawValue: rawValue)?.summary ?? ""
    }
  }
}

extension NamedCodec.Name {
  /// What it is, in a few words.
  var summary: String {
    switch self {
    case .message: "one value of the standard codec"
    case .call: "a method call of the standard codec: name and arguments"
    case .envelope: "the reply to a method call: success or error"
    case .jsonMessage: "one JSON text"
    case .jsonCall: "a method call as a JSON object"
    case .jsonEnvelope: "a reply as a JSON array"
    case .string: "UTF-8 text and nothing else"
    case .binary: "bytes without any meaning"
    }
  }
}
