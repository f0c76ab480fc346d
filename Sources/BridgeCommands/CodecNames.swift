import ChannelNotation

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
