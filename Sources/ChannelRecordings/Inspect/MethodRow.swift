import ChannelRouter
import TerminalSafety

/// What was counted for one method of a channel, in one direction.
public struct MethodRow: Sendable {
  /// Which of the channels; see ``RecordingInspection/channels``.
  public internal(set) var channel: Int
  /// The way of the messages; answers go the other.
  public let direction: RecordedEvent.Direction
  /// The method's name; nil where messages are no calls.
  public internal(set) var method: [UInt8]?
  /// What else the messages are: `event`, `event error`, `no payload` or `message`.
  public internal(set) var kind: String

  public internal(set) var messages: UInt64 = 0
  public internal(set) var messageBytes: UInt64 = 0
  public internal(set) var largestMessage: UInt64 = 0
  /// First answers: replies, dropped and refused ones.
  public internal(set) var answers: UInt64 = 0
  public internal(set) var answerBytes: UInt64 = 0
  public internal(set) var largestAnswer: UInt64 = 0
  /// Replies without payload: not implemented, or null.
  public internal(set) var nullReplies: UInt64 = 0
  /// Error envelopes: replies, and messages of event channels.
  public internal(set) var errors: UInt64 = 0
  /// The handler let go of its reply.
  public internal(set) var dropped: UInt64 = 0
  public internal(set) var refused: UInt64 = 0
  /// Answers behind the first of a message.
  public internal(set) var doubleReplies: UInt64 = 0
  /// Answers that came after that of a later message of the same channel and direction.
  public internal(set) var overtaken: UInt64 = 0
  /// Messages that are said to want no reply.
  public internal(set) var oneWay: UInt64 = 0
  /// Messages without an answer although a later one of the same channel and direction has one.
  public internal(set) var neverAnswered: UInt64 = 0
  /// Messages without an answer behind the last one that has one: they may have been under way when
  /// the recording ended.
  public internal(set) var openAtEnd: UInt64 = 0
  /// Messages of a channel and direction in which nothing was ever answered, such as events.
  public internal(set) var unheeded: UInt64 = 0
  /// From message to first answer.
  public internal(set) var latency = LatencyHistogram()

  let shape: MessageShape

  init(channel: Int, direction: RecordedEvent.Direction, shape: MessageShape, method: [UInt8]?) {
    self.channel = channel
    self.direction = direction
    self.shape = shape
    self.method = method
    kind = Self.kind(of: shape)
  }

  /// Messages without an answer, whatever the reason.
  public var unanswered: UInt64 { neverAnswered + openAtEnd + unheeded }

  /// A method's name fit for one line, or the kind of the messages in parentheses.
  public var label: String {
    guard let method else { return "(\(kind))" }
    return String(decoding: method, as: UTF8.self).safeForTerminal
  }

  static func kind(of shape: MessageShape) -> String {
    switch shape {
    case .standardCall, .jsonCall: "call"
    case .event: "event"
    case .eventError: "event error"
    case .noPayload: "no payload"
    case .other: "message"
    }
  }

  /// Counts all that another row has counted.
  mutating func add(_ other: MethodRow) {
    messages += other.messages
    messageBytes += other.messageBytes
    largestMessage = max(largestMessage, other.largestMessage)
    answers += other.answers
    answerBytes += other.answerBytes
    largestAnswer = max(largestAnswer, other.largestAnswer)
    nullReplies += other.nullReplies
    errors += other.errors
    dropped += other.dropped
    refused += other.refused
    doubleReplies += other.doubleReplies
    overtaken += other.overtaken
    oneWay += other.oneWay
    neverAnswered += other.neverAnswered
    openAtEnd += other.openAtEnd
    unheeded += other.unheeded
    latency.add(other.latency)
  }
}
