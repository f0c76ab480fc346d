/// What came of a message that wanted a reply.
public enum ReplyOutcome: Sendable, Hashable {
  /// A reply; nil is a reply without payload, which a method channel reads as "not implemented".
  case payload([UInt8]?)
  /// The handler let go of its reply without answering. A device would stay silent for ever
  /// (`lib/ui/window/platform_message_response_dart.cc` sends nothing when it is released).
  case dropped
  /// The message never reached a handler, or was not a message of the channel's codec.
  case refused(Refusal)
  /// The other side has gone, so no answer can come.
  case disconnected
}

/// Why a message was turned back.
public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// A stable name, as listed in `Protocol/frames.md`.
  public var code: String
  public var text: String
  /// Where in the message's payload, in bytes.
  public var offset: Int?

  public init(code: String, text: String, offset: Int? = nil) {
    (self.code, self.text, self.offset) = (code, text, offset)
  }

  public var description: String { text }
}
