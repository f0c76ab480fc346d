import ChannelRouter

/// Messages for the other side that wait until it has answered earlier ones, in order.
struct WaitingMessages {
  struct Message {
    var message: [UInt8]?
    var channel: ChannelName
    var reply: BinaryReplyHandler?

    var size: Int { (message?.count ?? 0) &+ channel.utf8.count }
  }

  /// More messages than this do not wait, however short they are.
  static let most = 64 << 10

  private var messages = Deque<Message>()
  /// Of all that wait, with the names of their channels.
  private(set) var bytes = 0

  var isEmpty: Bool { messages.isEmpty }
  var count: Int { messages.count }

  mutating func append(_ message: Message) {
    bytes += message.size
    messages.append(message)
  }

  mutating func popFirst() -> Message? {
    guard let first = messages.popFirst() else { return nil }
    bytes -= first.size
    return first
  }
}
