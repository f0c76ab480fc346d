import ChannelCodec
import Synchronization

/// A message that came from the other side, and the one reply that it gets.
///
/// May be answered from any thread, once. A second answer is ignored and reported; a reply that is
/// released unanswered counts as dropped. The other members belong to the platform thread.
public final class BinaryReply: @unchecked Sendable {
  public let channel: ChannelName
  /// The message; nil for none.
  public let message: [UInt8]?
  /// Under which the other side knows it; 0 when it wants no reply.
  public let id: UInt64
  /// In the messenger's own count, which messages of both directions share. Starts at 1.
  public let number: UInt64
  /// When it arrived, in nanoseconds of the messenger's monotonic clock.
  public let arrival: UInt64
  /// The connection it came through.
  public let port: any MessagePort

  /// Stands between the handler's answer and the other side; it must call `deliver` once, now or
  /// later. For faults.
  @exclusivity(unchecked)
  public var onSettle: ((_ outcome: ReplyOutcome, _ deliver: @escaping BinaryReplyHandler) -> Void)?
  /// The method, once someone has read it: it names the call in reports.
  @exclusivity(unchecked) public var method: Value.Text?

  /// The other side has its answer. Later than ``isAnswered`` where a fault holds the answer back
  /// or the handler gave it on another thread.
  @exclusivity(unchecked) var isDelivered = false

  let messenger: RoutingMessenger
  private let isSettled: Atomic<Bool>
  private let cancelled = Atomic<Bool>(false)

  init(
    _ message: [UInt8]?, on channel: ChannelName, id: UInt64, number: UInt64, arrival: UInt64,
    port: any MessagePort, messenger: RoutingMessenger, isSettled: Bool = false
  ) {
    self.message = message
    self.channel = channel
    self.id = id
    self.number = number
    self.arrival = arrival
    self.port = port
    self.messenger = messenger
    self.isSettled = Atomic(isSettled)
  }

  deinit {
    guard !isSettled.load(ordering: .acquiring) else { return }
    // What settles a call may keep it for a moment, which an object that dies cannot allow.
    let heir = BinaryReply(
      message, on: channel, id: id, number: number, arrival: arrival, port: port,
      messenger: messenger, isSettled: true)
    heir.onSettle = onSettle
    heir.method = method
    heir.reach { $0.settle(.dropped) }
  }

  /// Whether the other side has said that it no longer cares.
  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Answers the message; nil is a reply without payload.
  /// - Returns: false when it has been answered before.
  @discardableResult
  public func send(_ payload: [UInt8]?) -> Bool { settleOnce(.payload(payload)) }

  /// Answers that the message is not one of the channel's.
  @discardableResult
  public func refuse(_ refusal: Refusal) -> Bool { settleOnce(.refused(refusal)) }

  /// Gives up the reply on purpose, as releasing it would.
  @discardableResult
  public func drop() -> Bool { settleOnce(.dropped) }

  /// Says something about the call that its caller, the log and the journal should know.
  public func remark(_ level: MessengerReport.Level, _ text: String) {
    report(.remark, level, text)
  }

  /// How reports name the call: `PW startLiveActivity`.
  public var label: String {
    if let method { return "\(channel) \(method)" }
    return channel.description
  }

  public var isAnswered: Bool { isSettled.load(ordering: .acquiring) }

  // MARK: -

  func cancel() { cancelled.store(true, ordering: .releasing) }

  /// As ``remark(_:_:)``, for one of the known kinds of trouble. From any thread.
  public func report(_ kind: MessengerReport.Kind, _ level: MessengerReport.Level, _ text: String) {
    reach { call in
      call.messenger.report(
        MessengerReport(
          kind, level, text, channel: call.channel, call: call.number, id: call.id),
        through: call.port)
    }
  }

  private func settleOnce(_ outcome: ReplyOutcome) -> Bool {
    guard !isSettled.exchange(true, ordering: .acquiringAndReleasing) else {
      report(
        .replyAlreadySubmitted, .warning,
        "\(label): reply already submitted; this one is ignored. Android throws "
          + "IllegalStateException here, iOS says nothing")
      return false
    }
    if messenger.thread.isCurrent {
      settle(outcome)
    } else {
      messenger.thread.async { self.settle(outcome) }
    }
    return true
  }

  private func reach(_ work: @escaping @Sendable (BinaryReply) -> Void) {
    if messenger.thread.isCurrent { work(self) } else { messenger.thread.async { work(self) } }
  }

  private func settle(_ outcome: ReplyOutcome) {
    guard let onSettle else { return messenger.answer(self, with: outcome) }
    self.onSettle = nil
    onSettle(outcome) { self.messenger.answer(self, with: $0) }
  }
}
