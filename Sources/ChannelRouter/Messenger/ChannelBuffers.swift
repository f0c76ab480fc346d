/// Messages that wait because nobody listens on their channel yet: one for each channel unless it
/// has been resized, the oldest making room for the newest (`lib/ui/channel_buffers.dart`).
///
/// Belongs to the platform thread.
public final class ChannelBuffers {
  /// Where buffers are resized and warnings switched off.
  public static let controlChannel: ChannelName = "dev.flutter/channel-buffers"
  /// As `kDefaultBufferSize`.
  public static let defaultCapacity = 1

  /// All messages that wait may be so long together, in bytes; a longer one finds no room. Each
  /// counts ``bytesPerMessage`` more than it holds.
  public var maximumBytes = 64 << 20
  /// What keeping a message takes besides its bytes, so that empty ones are bounded too.
  public static let bytesPerMessage = 256
  /// On how many channels messages may wait or capacities differ from the default.
  public var maximumChannels = 4096
  /// Gets a note for each message that is lost.
  public var onReport: (MessengerReport) -> Void = { _ in }

  private var queues: [ChannelName: Queue] = [:]
  private var bytes = 0
  private var count: UInt64 = 0

  public init() {}

  /// What hands on a message that has waited: `settle` takes what came of it.
  typealias Delivery = (
    _ message: [UInt8]?, _ settle: @escaping (ReplyOutcome) -> Void
  ) -> Void

  /// Keeps a message.
  /// - Parameters:
  ///   - settle: gets an empty reply when the message makes room for another; not called for one
  ///     that a buffer of no capacity discards, as in Dart.
  func push(
    _ message: [UInt8]?, on channel: ChannelName, settle: @escaping (ReplyOutcome) -> Void,
    deliver: @escaping Delivery
  ) {
    let queue = queues[channel] ?? Queue()
    let size = ChannelBuffers.size(of: message)
    guard queue.capacity > 0 else {
      if !queue.allowsOverflow { lose("its buffer holds no messages", on: channel) }
      return
    }
    guard queues[channel] != nil || queues.count < maximumChannels else {
      lose("messages wait on \(maximumChannels) channels already", on: channel)
      return settle(.payload(nil))
    }
    queues[channel] = queue
    while queue.waiting.count >= queue.capacity { evict(from: queue, channel) }
    guard size <= maximumBytes - bytes else {
      forgetIfPlain(channel, queue)
      lose("\(bytes) bytes wait already", on: channel)
      return settle(.payload(nil))
    }
    count += 1
    bytes += size
    queue.waiting.append(
      Waiting(number: count, message: message, settle: settle, deliver: deliver))
  }

  public func count(on channel: ChannelName) -> Int { queues[channel]?.waiting.count ?? 0 }

  /// How many messages may wait on the channel; negative counts as none.
  public func resize(_ channel: ChannelName, to capacity: Int) {
    guard let queue = settings(of: channel) else { return }
    queue.capacity = capacity
    while queue.waiting.count > max(capacity, 0) { evict(from: queue, channel) }
  }

  /// Whether messages may be lost on the channel without a warning.
  public func allowOverflow(on channel: ChannelName, _ isAllowed: Bool) {
    settings(of: channel)?.allowsOverflow = isAllowed
  }

  /// Hands on the message that has waited longest on the channel.
  func drainOne(_ channel: ChannelName) {
    guard let queue = queues[channel], let first = take(from: queue) else { return }
    forgetIfPlain(channel, queue)
    first.deliver(first.message, first.settle)
  }

  /// Hands on all messages in the order in which they came.
  func drainAll() {
    var all: [Waiting] = []
    for (channel, queue) in queues {
      while let waiting = take(from: queue) { all.append(waiting) }
      forgetIfPlain(channel, queue)
    }
    for waiting in all.sorted(by: { $0.number < $1.number }) {
      waiting.deliver(waiting.message, waiting.settle)
    }
  }

  // MARK: -

  private final class Queue {
    var capacity = ChannelBuffers.defaultCapacity
    var allowsOverflow = false
    var waiting = Deque<Waiting>()
  }

  private struct Waiting {
    let number: UInt64
    let message: [UInt8]?
    let settle: (ReplyOutcome) -> Void
    let deliver: Delivery
  }

  private func settings(of channel: ChannelName) -> Queue? {
    if let queue = queues[channel] { return queue }
    guard queues.count < maximumChannels else {
      lose("\(maximumChannels) channels have settings already", on: channel)
      return nil
    }
    let queue = Queue()
    queues[channel] = queue
    return queue
  }

  private static func size(of message: [UInt8]?) -> Int { (message?.count ?? 0) + bytesPerMessage }

  private func take(from queue: Queue) -> Waiting? {
    guard let first = queue.waiting.popFirst() else { return nil }
    bytes -= ChannelBuffers.size(of: first.message)
    return first
  }

  private func evict(from queue: Queue, _ channel: ChannelName) {
    guard let oldest = take(from: queue) else { return }
    if !queue.allowsOverflow {
      lose("the oldest of \(queue.waiting.count + 1) made room for a newer one", on: channel)
    }
    oldest.settle(.payload(nil))
  }

  private func forgetIfPlain(_ channel: ChannelName, _ queue: Queue) {
    guard queue.waiting.isEmpty, queue.capacity == ChannelBuffers.defaultCapacity,
      !queue.allowsOverflow
    else { return }
    queues[channel] = nil
  }

  private func lose(_ why: String, on channel: ChannelName) {
    onReport(
      MessengerReport(
        .bufferOverflow, .warning,
        "\(channel): a message was lost before there was a listener: \(why). "
          + "Resize the channel's buffer, or listen earlier",
        channel: channel))
  }
}
