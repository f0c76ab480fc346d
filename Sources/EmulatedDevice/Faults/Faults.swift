import ChannelCodec
import ChannelRouter

/// The faults of a device: rules that are asked for each message before its handler.
///
/// A message that several rules match gets them all, in the order of the rules; of the faults that
/// keep the handler from running only the first has effect. A delay ends early when the caller
/// cancels the call or its connection ends.
///
/// Belongs to the platform thread.
public final class Faults: MessageInterceptor {
  /// A rule in force.
  public struct Entry: Sendable {
    /// For taking it back; counts from 1.
    public let number: Int
    public let rule: FaultRule
    /// Calls that the rule was made for, the chosen ones and the others.
    public fileprivate(set) var matched = 0
    /// Calls that got the fault.
    public fileprivate(set) var hits = 0
    /// The rule in remarks, of which each call makes one.
    fileprivate let shortText: String

    fileprivate init(number: Int, rule: FaultRule) {
      self.number = number
      self.rule = rule
      var shown = rule
      if case .corruptReply(let bytes) = rule.action {
        shown.action = .corruptReply(Array(bytes.prefix(Faults.longestRemark)))
      }
      let text = shown.description.unicodeScalars
      let start = String(String.UnicodeScalarView(text.prefix(Faults.longestRemark)))
      shortText = start.unicodeScalars.count < text.count ? start + "..." : start
    }
  }

  /// So many rules may be in force.
  public static let mostRules = 1024
  /// So long may those be together that are added while the device runs, in bytes of their names
  /// and replies.
  public static let mostRuleBytes = 16 << 20
  /// So many replies that nobody waits for are held at a time.
  static let mostHeldUnasked = 1024
  /// So many bytes may they hold, their messages counted.
  static let mostHeldUnaskedBytes = 8 << 20
  /// In characters of the rule.
  private static let longestRemark = 200

  @exclusivity(unchecked) public private(set) var entries: [Entry] = []
  /// Replies that a delay holds back.
  public var heldReplies: Int { held.count }

  /// Called once, when there is first something to do: until then nobody needs to ask.
  var onFirstRule: (() -> Void)?

  private let clock: DeviceClock
  private var count = 0
  private var ruleBytes = 0
  /// By the numbers of the calls.
  private var held: [UInt64: Held] = [:]
  /// Calls whose answers are to be held once they come, less those that have been cancelled. Kept
  /// here, because a call that its handler drops is no longer there to be asked.
  private var awaited: Set<UInt64> = []
  private var heldCount = 0
  private var heldUnasked = 0
  private var heldUnaskedBytes = 0

  /// A reply that a delay holds back.
  private struct Held {
    let call: CallFacts
    /// Replies go out in the order in which they were held.
    let order: Int
    let alarm: DeviceClock.Alarm
    let bytes: Int
    /// Called once; nil for what the handler answered.
    let release: (ReplyOutcome?) -> Void
  }

  /// What has to be known of a call, without keeping it.
  private struct CallFacts {
    let number: UInt64
    let port: ObjectIdentifier
    let wantsReply: Bool
    let bytes: Int

    init(_ call: BinaryReply) {
      number = call.number
      port = ObjectIdentifier(call.port)
      wantsReply = call.id != 0
      bytes = call.message?.count ?? 0
    }
  }

  init(clock: DeviceClock) { self.clock = clock }

  /// Adds a rule without regard to the limits, for whoever makes the device.
  ///
  /// - Returns: the number of the rule.
  @discardableResult
  public func add(_ rule: FaultRule) -> Int {
    count += 1
    entries.append(Entry(number: count, rule: rule))
    ruleBytes += rule.size
    onFirstRule?()
    onFirstRule = nil
    return count
  }

  /// Adds all of the rules, or none where they are too many or too long.
  ///
  /// - Returns: their numbers.
  public func add(contentsOf rules: [FaultRule]) throws(FaultSyntaxError) -> [Int] {
    try Faults.checkCount(rules.count, besides: entries.count)
    let size = rules.reduce(0) { $0 + $1.size }
    guard size <= Faults.mostRuleBytes - ruleBytes else {
      throw FaultSyntaxError(
        "rules of \(size) bytes; \(ruleBytes) are taken, and all together have "
          + "\(Faults.mostRuleBytes) at most: take some back, or give shorter replies",
        isLimit: true)
    }
    return rules.map { add($0) }
  }

  /// Refuses more rules than may be in force.
  static func checkCount(_ new: Int, besides old: Int = 0) throws(FaultSyntaxError) {
    guard new > mostRules - old else { return }
    let found = old > 0 ? "\(new) more than the \(old) that are there" : "\(new)"
    throw FaultSyntaxError(
      "at most \(mostRules) rules can be in force, found \(found); "
        + "use patterns with * and selections such as #1-9", isLimit: true)
  }

  /// - Returns: false when there is no such rule.
  @discardableResult
  public func remove(_ number: Int) -> Bool {
    guard let position = entries.firstIndex(where: { $0.number == number }) else { return false }
    ruleBytes -= entries.remove(at: position).rule.size
    return true
  }

  /// Takes all rules back. Replies that are held stay held.
  public func removeAll() {
    entries = []
    ruleBytes = 0
  }

  /// Lets go of all replies that a delay holds back.
  public func releaseHeldReplies() { release(held.values.map { $0 }, with: nil) }

  // MARK: - MessageInterceptor

  public func intercept(_ call: BinaryReply) -> Bool {
    guard !entries.isEmpty else { return false }
    let channel = call.channel.utf8
    let isControl = call.channel == ControlChannel.name
    var method: Value.Text??
    var struck: [Entry] = []
    for position in entries.indices {
      let rule = entries[position].rule
      // A rule for every channel must not lock out what would take it back.
      if isControl, rule.channel != ControlChannel.name.description { continue }
      guard Glob.matches(rule.channel, channel) else { continue }
      if let pattern = rule.method {
        if method == nil { method = .some(MethodName.read(call.message)) }
        guard case .some(.some(let name)) = method, Glob.matches(pattern, name.utf8) else {
          continue
        }
      }
      entries[position].matched += 1
      guard rule.calls.contains(entries[position].matched) else { continue }
      entries[position].hits += 1
      struck.append(entries[position])
    }
    guard !struck.isEmpty else { return false }
    if case .some(.some(let name)) = method { call.method = name }
    return apply(struck, to: call)
  }

  public func cancelled(_ call: UInt64) {
    awaited.remove(call)
    if let reply = held[call] { release([reply], with: nil) }
  }

  public func disconnected(_ port: any MessagePort) {
    guard !held.isEmpty else { return }
    let port = ObjectIdentifier(port)
    release(held.values.filter { $0.call.port == port }, with: .disconnected)
  }

  // MARK: -

  private func apply(_ struck: [Entry], to call: BinaryReply) -> Bool {
    for entry in struck { call.remark(.info, "\(call.label): fault \(entry.shortText)") }
    let rules = struck.map(\.rule)
    var changes = Changes()
    var replacement: FaultRule.Action?
    for rule in rules {
      switch rule.action {
      case .delay(let span): changes.delay += span
      case .noReply: changes.isDropped = true
      case .doubleReply: changes.isDoubled = true
      case .corruptReply(let bytes): changes.bytes = bytes
      case .error, .notImplemented, .closeConnection:
        if replacement == nil { replacement = rule.action }
      }
    }
    if changes.isAny { settle(call, with: changes) }
    switch replacement {
    case .error(let error):
      let codec = StandardMethodCodec()
      if call.message?.first == UInt8(ascii: "{") {
        MethodResultBytes.send(.error(error), with: JSONMethodCodec(), to: call)
      } else {
        MethodResultBytes.send(.error(error), with: codec, to: call)
      }
    case .notImplemented: call.send(nil)
    case .closeConnection:
      call.port.breakOff()
      call.drop()
    default: return false
    }
    return true
  }

  private struct Changes {
    var delay = Duration.zero
    var isDropped = false
    var isDoubled = false
    var bytes: [UInt8]?
    var isAny: Bool { delay > .zero || isDropped || isDoubled || bytes != nil }
  }

  private func settle(_ call: BinaryReply, with changes: Changes) {
    let facts = CallFacts(call)
    if changes.delay > .zero, facts.wantsReply { awaited.insert(facts.number) }
    // Not strong: a call that its own hook kept would never be seen to be dropped.
    call.onSettle = { [weak self, weak call] outcome, deliver in
      var outcome = outcome
      if let bytes = changes.bytes, case .payload = outcome { outcome = .payload(bytes) }
      if changes.isDropped { outcome = .dropped }
      if let self, changes.delay > .zero, isStillWanted(facts), hasRoom(for: facts, call) {
        hold(facts, outcome, for: changes.delay, deliver)
      } else {
        deliver(outcome)
      }
      if changes.isDoubled, case .payload(let payload) = outcome { call?.send(payload) }
    }
  }

  // MARK: - Holding replies

  /// Whether a call that is being settled has not been cancelled before.
  private func isStillWanted(_ call: CallFacts) -> Bool {
    !call.wantsReply || awaited.remove(call.number) != nil
  }

  /// Calls that want a reply are bounded by their connection. Of the others a client may send any
  /// number; since nobody sees when they are settled, a delay may as well be passed over.
  private func hasRoom(for facts: CallFacts, _ call: BinaryReply?) -> Bool {
    if facts.wantsReply { return true }
    if heldUnasked < Faults.mostHeldUnasked, heldUnaskedBytes <= Faults.mostHeldUnaskedBytes {
      return true
    }
    call?.remark(
      .warning,
      "\(call?.label ?? ""): the delay is passed over: \(heldUnasked) messages that want no reply, "
        + "of \(heldUnaskedBytes) bytes, are held already")
    return false
  }

  private func hold(
    _ call: CallFacts, _ outcome: ReplyOutcome, for span: Duration,
    _ deliver: @escaping BinaryReplyHandler
  ) {
    heldCount += 1
    var bytes = call.bytes
    if case .payload(let payload?) = outcome { bytes += payload.count }
    let number = call.number
    let alarm = clock.schedule(after: span) { [weak self] in
      guard let self else { return deliver(outcome) }
      if let reply = held[number] { release([reply], with: nil) }
    }
    held[number] = Held(
      call: call, order: heldCount, alarm: alarm, bytes: bytes,
      release: { deliver($0 ?? outcome) })
    guard !call.wantsReply else { return }
    heldUnasked += 1
    heldUnaskedBytes += bytes
  }

  private func release(_ replies: [Held], with outcome: ReplyOutcome?) {
    for reply in replies.sorted(by: { $0.order < $1.order }) {
      // One that is released may let others go.
      guard held.removeValue(forKey: reply.call.number) != nil else { continue }
      clock.cancel(reply.alarm)
      if !reply.call.wantsReply {
        heldUnasked -= 1
        heldUnaskedBytes -= reply.bytes
      }
      reply.release(outcome)
    }
  }
}

private enum MethodResultBytes {
  static func send(_ envelope: Envelope, with codec: some MethodCodec, to call: BinaryReply) {
    do throws(CodecError) {
      call.send(try codec.encodeEnvelope(envelope))
    } catch {
      call.refuse(Refusal(code: "internal", text: "\(call.label): the fault's error: \(error)"))
    }
  }
}

/// The method of a message, without decoding its arguments where that can be done.
enum MethodName {
  static func read(_ message: [UInt8]?) -> Value.Text? {
    guard let message, let first = message.first else { return nil }
    if first == UInt8(ascii: "{") {
      return try? JSONMethodCodec().decodeMethodCall(message).method
    }
    guard first == 7, message.count > 1 else { return nil }
    let size = Int(message[1])
    guard size < 254 else { return try? StandardMethodCodec().decodeMethodCall(message).method }
    guard message.count >= 2 + size else { return nil }
    return Value.Text(bytes: message[2..<2 + size])
  }
}

/// Patterns with `*` and `?`, by bytes.
enum Glob {
  static func matches(_ pattern: String, _ name: [UInt8]) -> Bool {
    let pattern = Array(pattern.utf8)
    var (at, position) = (0, 0)
    /// Where to go on when what follows the last `*` does not fit.
    var star: (at: Int, position: Int)?
    while position < name.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = (at, position)
        at += 1
      } else if at < pattern.count,
        pattern[at] == UInt8(ascii: "?") || pattern[at] == name[position]
      {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.at, last.position + 1)
        at = last.at + 1
        position = last.position + 1
      } else {
        return false
      }
    }
    while at < pattern.count, pattern[at] == UInt8(ascii: "*") { at += 1 }
    return at == pattern.count
  }
}
