import ChannelRouter

/// One entry of a recording: a message, or what answered one.
public struct RecordedEvent: Hashable, Sendable {
  /// Which way an entry went.
  public enum Direction: UInt8, Sendable, CaseIterable {
    case dartToNative = 0
    case nativeToDart = 1

    /// The other way.
    public var opposite: Direction { self == .dartToNative ? .nativeToDart : .dartToNative }

    /// As it stands in the text form: `dart->native`.
    public var text: String { self == .dartToNative ? "dart->native" : "native->dart" }
  }

  /// What an entry is.
  public enum Kind: Hashable, Sendable {
    case message
    case reply
    /// The handler let go of its reply without answering. A device stays silent for ever.
    case dropped
    /// The message was turned back, with the reason. Indirect to keep the common kinds small.
    indirect case refused(Refusal)

    /// As it stands in the text form.
    public var text: String {
      switch self {
      case .message: "message"
      case .reply: "reply"
      case .dropped: "dropped"
      case .refused: "refused"
      }
    }
  }

  /// A label, usually counted from 0. The order of a recording is that of its entries.
  public var sequence: UInt64
  /// Since the recording began, by a monotonic clock.
  public var microseconds: Int64
  /// The way of this entry itself: the reply to a message from Dart goes from native code to Dart.
  public var direction: Direction
  public var channel: ChannelName
  /// Unique among the messages of one direction. An answer carries the id of its message. 0 is an
  /// id like any other.
  public var id: UInt64
  public var kind: Kind
  /// nil is no payload, `[]` an empty one. nil for dropped and refused.
  public var payload: [UInt8]?
  /// A message that is known to want no reply. Captures do not tell, so false says nothing.
  public var isOneWay: Bool
  /// The connection that the entry went through, where a recording has several.
  public var connection: UInt64?
  /// Members of the text form that have no meaning here, as JSON without the outer braces:
  /// `"note":"x","n":[1]`. Kept so that a conversion loses nothing.
  public var unknownFields: [UInt8]
  /// The readable decoding beside the payload, as JSON. Only kept by a reader that is asked to.
  public var shown: [UInt8]?

  /// An entry with these parts, unchecked.
  public init(
    sequence: UInt64, microseconds: Int64, direction: Direction, channel: ChannelName, id: UInt64,
    kind: Kind, payload: [UInt8]?, isOneWay: Bool = false, connection: UInt64? = nil
  ) {
    self.sequence = sequence
    self.microseconds = microseconds
    self.direction = direction
    self.channel = channel
    self.id = id
    self.kind = kind
    self.payload = payload
    self.isOneWay = isOneWay
    self.connection = connection
    unknownFields = []
    shown = nil
  }

  /// Whether the entry answers a message: reply, dropped or refused.
  public var isAnswer: Bool { kind != .message }

  /// The way of the message that the entry is or answers.
  public var messageDirection: Direction { isAnswer ? direction.opposite : direction }

  /// What names the message that the entry is or answers.
  public var call: Call { Call(direction: messageDirection, id: id) }

  /// The name of a message within a recording.
  public struct Call: Hashable, Sendable {
    public var direction: Direction
    public var id: UInt64

    public init(direction: Direction, id: UInt64) {
      self.direction = direction
      self.id = id
    }
  }

  /// What a messenger gets for the message that this entry answers; nil for a message.
  public var outcome: ReplyOutcome? {
    switch kind {
    case .message: nil
    case .reply: .payload(payload)
    case .dropped: .dropped
    case .refused(let refusal): .refused(refusal)
    }
  }
}
