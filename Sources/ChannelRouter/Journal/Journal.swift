import ChannelCodec

/// The last messages of a messenger in both directions and what came of them. Bounded by their
/// number and by the bytes that they hold; the oldest make room.
///
/// Belongs to the platform thread.
public final class Journal {
  public struct Entry: Sendable {
    public enum Direction: String, Sendable {
      /// From the other side to handlers here.
      case received
      /// From here to the other side.
      case sent
    }

    /// In the messenger's own count.
    public let number: UInt64
    public let direction: Direction
    public let channel: ChannelName
    public let payload: [UInt8]?
    public let wantsReply: Bool
    /// The method, when a handler has read it.
    public var method: Value.Text?
    /// nil while it is open.
    public var outcome: ReplyOutcome?
    /// In nanoseconds of the messenger's clock.
    public let began: UInt64
    /// From the message to its outcome.
    public var nanoseconds: UInt64?
    /// How often a handler answered again after the first time.
    public var repeatedReplies = 0
    public var remarks: [MessengerReport] = []

    var size: Int {
      var size = payload?.count ?? 0
      if case .payload(let reply?) = outcome { size += reply.count }
      return size
    }
  }

  /// Sums over all messages since the last reset, also over those that made room.
  public struct Totals: Sendable, Hashable {
    public var received = 0
    public var sent = 0
    public var notImplemented = 0
    public var dropped = 0
    public var refused = 0
    public var repeatedReplies = 0
    public var warnings = 0
  }

  public let maximumEntries: Int
  public let maximumBytes: Int
  public private(set) var totals = Totals()

  /// A ring: the entry of a number is at that number modulo the capacity.
  private var ring: [Entry] = []
  private var first: UInt64 = 1
  private var next: UInt64 = 1
  private var bytes = 0
  private static let mostRemarks = 16

  public init(maximumEntries: Int = 4096, maximumBytes: Int = 8 << 20) {
    self.maximumEntries = max(maximumEntries, 1)
    self.maximumBytes = maximumBytes
  }

  /// The oldest first.
  public var entries: [Entry] { (first..<next).map { ring[slot($0)] } }

  public func entry(_ number: UInt64) -> Entry? {
    holds(number) ? ring[slot(number)] : nil
  }

  /// Forgets all entries and sums.
  public func reset() {
    first = next
    bytes = 0
    totals = Totals()
  }

  // MARK: - For the messenger

  func received(_ call: BinaryReply) {
    totals.received += 1
    append(
      Entry(
        number: call.number, direction: .received, channel: call.channel, payload: call.message,
        wantsReply: call.id != 0, began: call.arrival))
  }

  func sent(_ message: SentMessage, at time: UInt64) {
    totals.sent += 1
    append(
      Entry(
        number: message.number, direction: .sent, channel: message.channel,
        payload: message.payload, wantsReply: message.wantsReply, began: time))
  }

  func answered(_ call: BinaryReply, with outcome: ReplyOutcome, at time: UInt64) {
    switch outcome {
    case .payload(nil): totals.notImplemented += 1
    case .dropped: totals.dropped += 1
    case .refused: totals.refused += 1
    case .payload, .disconnected: break
    }
    guard holds(call.number) else { return }
    ring[slot(call.number)].method = call.method
    settle(call.number, outcome, time)
  }

  func settled(_ message: SentMessage, with outcome: ReplyOutcome, at time: UInt64) {
    guard holds(message.number) else { return }
    settle(message.number, outcome, time)
  }

  func noted(_ report: MessengerReport) {
    if report.level != .info { totals.warnings += 1 }
    if report.kind == .replyAlreadySubmitted { totals.repeatedReplies += 1 }
    guard holds(report.call) else { return }
    let slot = slot(report.call)
    if report.kind == .replyAlreadySubmitted { ring[slot].repeatedReplies += 1 }
    if ring[slot].remarks.count < Journal.mostRemarks { ring[slot].remarks.append(report) }
  }

  // MARK: -

  private func slot(_ number: UInt64) -> Int { Int(number % UInt64(maximumEntries)) }

  private func holds(_ number: UInt64) -> Bool { number >= first && number < next }

  private func append(_ entry: Entry) {
    if first == next {
      first = entry.number
      next = entry.number
    }
    if next - first == UInt64(maximumEntries) { removeFirst() }
    let slot = slot(entry.number)
    if slot < ring.count {
      ring[slot] = entry
    } else {
      // Numbers need not begin at a multiple of the capacity.
      while ring.count < slot { ring.append(entry) }
      ring.append(entry)
    }
    next = entry.number + 1
    bytes += entry.size
    makeRoom()
  }

  private func settle(_ number: UInt64, _ outcome: ReplyOutcome, _ time: UInt64) {
    let slot = slot(number)
    let before = ring[slot].size
    ring[slot].outcome = outcome
    ring[slot].nanoseconds = time &- ring[slot].began
    bytes += ring[slot].size - before
    makeRoom()
  }

  private func makeRoom() {
    while bytes > maximumBytes, first < next { removeFirst() }
  }

  private func removeFirst() {
    let slot = slot(first)
    bytes -= ring[slot].size
    // What is forgotten must not keep its bytes.
    let entry = ring[slot]
    ring[slot] = Entry(
      number: entry.number, direction: entry.direction, channel: entry.channel, payload: nil,
      wantsReply: false, began: 0)
    first += 1
  }
}
