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
  @exclusivity(unchecked) public private(set) var totals = Totals()

  // Nothing here calls back, and every message comes by twice: accesses are not checked.

  /// A ring: the record of a number is at that number modulo the capacity.
  @exclusivity(unchecked) private var ring: [Record] = []
  @exclusivity(unchecked) private var first: UInt64 = 1
  @exclusivity(unchecked) private var next: UInt64 = 1
  @exclusivity(unchecked) private var newest: (number: UInt64, slot: Int) = (0, 0)
  @exclusivity(unchecked) private var bytes = 0
  private static let mostRemarks = 16

  public init(maximumEntries: Int = 1024, maximumBytes: Int = 8 << 20) {
    self.maximumEntries = max(maximumEntries, 1)
    self.maximumBytes = maximumBytes
  }

  /// The oldest first.
  public var entries: [Entry] { (first..<next).map { ring[slot($0)].entry($0) } }

  public func entry(_ number: UInt64) -> Entry? {
    holds(number) ? ring[slot(number)].entry(number) : nil
  }

  /// Forgets all entries and sums.
  public func reset() {
    first = next
    bytes = 0
    totals = Totals()
  }

  // MARK: - For the messenger

  func received(_ call: BinaryReply) {
    totals.received &+= 1
    append(
      call.number,
      Record(
        channel: call.channel, payload: call.message, began: call.arrival, direction: .received,
        wantsReply: call.id != 0))
  }

  func sent(_ message: SentMessage, at time: UInt64) {
    totals.sent &+= 1
    append(
      message.number,
      Record(
        channel: message.channel, payload: message.payload, began: time, direction: .sent,
        wantsReply: message.wantsReply))
  }

  func answered(_ call: BinaryReply, with outcome: ReplyOutcome, at time: UInt64) {
    switch outcome {
    case .payload(nil): totals.notImplemented += 1
    case .dropped: totals.dropped += 1
    case .refused: totals.refused += 1
    case .payload, .disconnected: break
    }
    if holds(call.number) { ring[slot(call.number)].method = call.method }
    settle(call.number, outcome, time)
  }

  func settled(_ message: SentMessage, with outcome: ReplyOutcome, at time: UInt64) {
    settle(message.number, outcome, time)
  }

  func noted(_ report: MessengerReport) {
    if report.level != .info { totals.warnings += 1 }
    if report.kind == .replyAlreadySubmitted { totals.repeatedReplies += 1 }
    guard holds(report.call) else { return }
    let slot = slot(report.call)
    if report.kind == .replyAlreadySubmitted { ring[slot].withRare { $0.repeatedReplies += 1 } }
    let before = ring[slot].size
    ring[slot].withRare {
      guard $0.remarks.count < Journal.mostRemarks else { return }
      $0.remarks.append(report)
      $0.bytes &+= report.text.utf8.count
    }
    bytes &+= ring[slot].size &- before
    makeRoom()
  }

  // MARK: -

  /// A message is mostly asked for as often as it has come and gone, and a division takes as long
  /// as the rest.
  private func slot(_ number: UInt64) -> Int {
    number == newest.number ? newest.slot : Int(number % UInt64(maximumEntries))
  }

  private func holds(_ number: UInt64) -> Bool { number >= first && number < next }

  private func append(_ number: UInt64, _ record: consuming Record) {
    if first == next {
      first = number
      next = number
    }
    let following = newest.slot &+ 1
    let slot =
      number &- 1 == newest.number && following < maximumEntries ? following : slot(number)
    newest = (number, slot)
    bytes &+= record.size
    if next &- first == UInt64(maximumEntries) {
      // The oldest is in the slot that the newest gets.
      bytes &-= ring[slot].size
      first &+= 1
    }
    if slot < ring.count {
      ring[slot] = record
    } else {
      // Numbers need not begin at a multiple of the capacity.
      while ring.count < slot { ring.append(Record(channel: record.channel)) }
      ring.append(record)
    }
    next = number &+ 1
    makeRoom()
  }

  private func settle(_ number: UInt64, _ outcome: ReplyOutcome, _ time: UInt64) {
    guard holds(number) else { return }
    let slot = slot(number)
    bytes &+= ring[slot].settle(outcome, at: time)
    makeRoom()
  }

  private func makeRoom() {
    while bytes > maximumBytes, first < next {
      let slot = slot(first)
      bytes &-= ring[slot].size
      // What is forgotten must not keep its bytes.
      ring[slot] = Record(channel: ring[slot].channel)
      first &+= 1
    }
  }
}

/// How an entry is kept: what few calls have is elsewhere, so that the others cost little.
private struct Record {
  enum State: UInt8 {
    case open, payload, dropped, refused, disconnected
  }

  final class Rare {
    var refusal: Refusal?
    var repeatedReplies = 0
    var remarks: [MessengerReport] = []
    /// Of the remarks.
    var bytes = 0
  }

  let channel: ChannelName
  let payload: [UInt8]?
  var reply: [UInt8]?
  var method: Value.Text?
  var rare: Rare?
  let began: UInt64
  var nanoseconds: UInt64 = 0
  var state = State.open
  let direction: Journal.Entry.Direction
  let wantsReply: Bool

  init(
    channel: ChannelName, payload: [UInt8]? = nil, began: UInt64 = 0,
    direction: Journal.Entry.Direction = .received, wantsReply: Bool = false
  ) {
    self.channel = channel
    self.payload = payload
    self.began = began
    self.direction = direction
    self.wantsReply = wantsReply
  }

  /// The bytes that it keeps.
  var size: Int { (payload?.count ?? 0) &+ (reply?.count ?? 0) &+ (rare?.bytes ?? 0) }

  mutating func withRare(_ body: (Rare) -> Void) {
    let rare = rare ?? Rare()
    self.rare = rare
    body(rare)
  }

  /// Notes an outcome, and answers by how many bytes the record has grown.
  mutating func settle(_ outcome: ReplyOutcome, at time: UInt64) -> Int {
    let before = reply?.count ?? 0
    nanoseconds = time &- began
    reply = nil
    switch outcome {
    case .payload(let bytes):
      state = .payload
      reply = bytes
    case .dropped: state = .dropped
    case .disconnected: state = .disconnected
    case .refused(let refusal):
      state = .refused
      withRare { $0.refusal = refusal }
    }
    return (reply?.count ?? 0) &- before
  }

  func entry(_ number: UInt64) -> Journal.Entry {
    let outcome: ReplyOutcome? =
      switch state {
      case .open: nil
      case .payload: .payload(reply)
      case .dropped: .dropped
      case .refused: rare?.refusal.map { .refused($0) }
      case .disconnected: .disconnected
      }
    return Journal.Entry(
      number: number, direction: direction, channel: channel, payload: payload,
      wantsReply: wantsReply, method: method, outcome: outcome, began: began,
      nanoseconds: state == .open ? nil : nanoseconds,
      repeatedReplies: rare?.repeatedReplies ?? 0, remarks: rare?.remarks ?? [])
  }
}
