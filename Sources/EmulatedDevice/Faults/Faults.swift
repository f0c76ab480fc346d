import ChannelCodec
import ChannelRouter

/// The faults of a device: rules that are asked for each message before its handler.
///
/// A message that several rules match gets them all, in the order of the rules; of the faults that
/// keep the handler from running only the first has effect. A delay runs to its end even when the
/// caller has cancelled the call.
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
  }

  @exclusivity(unchecked) public private(set) var entries: [Entry] = []
  /// Replies that a delay holds back.
  public var heldReplies: Int { held.count }

  private let clock: DeviceClock
  private var count = 0
  private var held: [(number: Int, alarm: DeviceClock.Alarm, release: () -> Void)] = []
  private var heldCount = 0

  init(clock: DeviceClock) { self.clock = clock }

  /// - Returns: the number of the rule.
  @discardableResult
  public func add(_ rule: FaultRule) -> Int {
    count += 1
    entries.append(Entry(number: count, rule: rule))
    return count
  }

  /// - Returns: false when there is no such rule.
  @discardableResult
  public func remove(_ number: Int) -> Bool {
    let before = entries.count
    entries.removeAll { $0.number == number }
    return entries.count < before
  }

  /// Takes all rules back. Replies that are held stay held.
  public func removeAll() { entries = [] }

  /// Lets go of all replies that a delay holds back.
  public func releaseHeldReplies() {
    while let first = held.first {
      clock.cancel(first.alarm)
      held.removeFirst()
      first.release()
    }
  }

  // MARK: - MessageInterceptor

  public func intercept(_ call: BinaryReply) -> Bool {
    guard !entries.isEmpty else { return false }
    let channel = call.channel.utf8
    let isControl = call.channel == ControlChannel.name
    var method: Value.Text??
    var rules: [FaultRule] = []
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
      rules.append(rule)
    }
    guard !rules.isEmpty else { return false }
    if case .some(.some(let name)) = method { call.method = name }
    return apply(rules, to: call)
  }

  // MARK: -

  private func apply(_ rules: [FaultRule], to call: BinaryReply) -> Bool {
    for rule in rules { call.remark(.info, "\(call.label): fault \(rule)") }
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
    // Not strong: a call that its own hook kept would never be seen to be dropped.
    call.onSettle = { [weak self, weak call] outcome, deliver in
      var outcome = outcome
      if let bytes = changes.bytes, case .payload = outcome { outcome = .payload(bytes) }
      if changes.isDropped { outcome = .dropped }
      if let self, changes.delay > .zero {
        hold(for: changes.delay) { deliver(outcome) }
      } else {
        deliver(outcome)
      }
      if changes.isDoubled, case .payload(let payload) = outcome { call?.send(payload) }
    }
  }

  private func hold(for span: Duration, _ release: @escaping () -> Void) {
    heldCount += 1
    let number = heldCount
    let alarm = clock.schedule(after: span) { [weak self] in
      self?.held.removeAll { $0.number == number }
      release()
    }
    held.append((number, alarm, release))
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
