import ChannelCodec
import ChannelRouter
import TerminalSafety

/// Points at what would break on some platform. Takes a recording entry by entry, in bounded memory:
/// of each rule the first findings are kept, the rest is counted.
public struct RecordingLint {
  /// Payloads from this size on count as huge: 1 MiB.
  public static let hugePayload = 1 << 20
  /// Messages to Dart on one channel within ``burstMicroseconds`` that count as a burst.
  public static let burstMessages = 500
  public static let burstMicroseconds: Int64 = 100_000

  /// Findings of one rule.
  public struct Group: Sendable {
    public var rule: LintRule
    public var count: UInt64
    public var first: [LintFinding]
  }

  private let codecs: ChannelCodecMap
  private let heeded: HeededDirections
  private let limit: Int
  private var groups: [LintRule: Group] = [:]
  private var calls = CallTable()
  private var methods = MethodNames()
  private var channels: [ChannelName: Channel] = [:]
  private var scan = StandardScan()
  private var number: UInt64 = 0
  private var hasDartSpoken = false

  private struct Channel {
    var codec: ChannelCodecKind?
    var seed: UInt64
    var isHeard = false
    var unheard: UInt64 = 0
    var burstStart = Int64.min
    var burst = 0
    var capacity: UInt64 = 1
  }

  /// - Parameters:
  ///   - inspection: of the same recording: codecs, and which messages are answered at all.
  ///   - limit: findings of each rule that are kept with their place.
  public init(_ inspection: RecordingInspection, keeping limit: Int = 5) {
    codecs = inspection.codecs
    heeded = HeededDirections(inspection)
    self.limit = max(0, limit)
  }

  /// Looks at an entry; entries come in their order.
  public mutating func add(_ event: RecordedEvent, at place: UInt64) {
    var channel =
      channels[event.channel]
      ?? Channel(
        codec: codecs[event.channel],
        seed: event.channel.utf8.withUnsafeBytes { RowTable.hash($0, 7) })
    if event.isAnswer {
      addAnswer(event, place, channel)
    } else {
      addMessage(event, place, &channel)
    }
    if channels.count < ChannelTable.limit || channels[event.channel] != nil {
      channels[event.channel] = channel
    }
  }

  /// The findings, in the order of the rules.
  public mutating func finish() -> [Group] {
    var open: [CallTable.Record] = []
    calls.drain { open.append($0) }
    for record in open { leave(record) }
    return LintRule.allCases.compactMap { groups[$0] }
  }

  // MARK: - Entries

  private mutating func addMessage(
    _ event: RecordedEvent, _ place: UInt64, _ channel: inout Channel
  ) {
    number += 1
    let (shape, range) = MessageShape.of(event.payload, event.direction)
    let isCall =
      shape == .standardCall && channel.codec == .standardMethod
      || shape == .jsonCall && channel.codec == .jsonMethod
    let name = isCall ? event.payload?[range] : nil
    let method = methods.number(of: event.channel, name)
    let record = CallTable.Record(
      call: event.call, microseconds: event.microseconds, number: number, place: place,
      row: 0, shape: shape, note: method)
    if !event.isOneWay {
      var left: [(CallTable.Record, Bool)] = []
      calls.open(record) { left.append(($0, $1)) }
      for (other, isReuse) in left {
        if isReuse {
          find(.reusedID, event, place, method, found: "id \(event.id), open since \(other.place)")
        }
        leave(other)
      }
    }
    watchBuffers(event, place, method, &channel)
    check(event, place, channel, method, as: isEnvelope(event, channel) ? .envelope : .call)
  }

  /// What native code sends of its own accord on an event channel.
  private func isEnvelope(_ event: RecordedEvent, _ channel: Channel) -> Bool {
    channel.codec == .standardMethod && event.direction == .nativeToDart
      && event.payload?.first != 7
  }

  private mutating func addAnswer(_ event: RecordedEvent, _ place: UInt64, _ channel: Channel) {
    switch calls.answer(event.call) {
    case .none:
      find(.replyWithoutCall, event, place, -1, found: "a reply to id \(event.id)")
      check(event, place, channel, -1, as: .envelope)
    case .again(let record):
      find(.doubleReply, event, place, record.note, found: "the call is \(Self.at(record))")
      check(event, place, channel, record.note, as: .envelope)
    case .first(let record):
      if case .dropped = event.kind {
        find(
          .unansweredCall, event, place, record.note,
          found: "dropped: the handler let go of its reply")
        return
      }
      guard case .reply = event.kind else { return }
      if event.payload == nil {
        // Flutter's own channels expect it where a platform lacks a feature.
        let isFramework = event.channel.utf8.starts(with: Self.framework)
        if channel.codec?.isMethod == true, !isFramework, event.direction == .nativeToDart {
          find(.nullReply, event, place, record.note, found: "not implemented")
        }
        return
      }
      check(event, place, channel, record.note, as: .envelope)
    }
  }

  private static let framework = Array("flutter/".utf8)
  private static func at(_ record: CallTable.Record) -> String { "at \(record.place)" }

  private mutating func leave(_ record: CallTable.Record) {
    let (channel, method) = methods.name(record.note)
    let isFromDart = record.call.direction == .dartToNative
    guard isFromDart || heeded.contains(channel, record.call.direction) else { return }
    find(
      .unansweredCall, record.place, record.call.direction, channel, method, nil, nil,
      "id \(record.call.id) has no reply")
  }

  // MARK: - Payloads

  private mutating func check(
    _ event: RecordedEvent, _ place: UInt64, _ channel: Channel, _ method: Int32,
    as form: StandardScan.Form
  ) {
    guard let payload = event.payload else { return }
    if payload.count >= Self.hugePayload {
      find(.hugePayload, event, place, method, found: "\(payload.count) bytes")
    }
    if payload.isEmpty, event.kind != .message || event.direction == .nativeToDart {
      find(.emptyPayload, event, place, method, found: "a payload of no bytes")
    }
    let isToNative = event.direction == .dartToNative
    let seed = channel.seed &+ UInt64(bitPattern: Int64(method)) &* 16 &+ (event.isAnswer ? 8 : 0)
    switch channel.codec {
    case .standardMethod where !payload.isEmpty, .standardMessage where !payload.isEmpty:
      let real: StandardScan.Form = channel.codec == .standardMethod ? form : .value
      payload.withUnsafeBytes { bytes in
        scan.scan(bytes, as: real, isToNative: isToNative, seed: seed)
        for spot in scan.spots { find(spot, event, place, method, bytes) }
      }
    case .jsonMethod where !payload.isEmpty, .jsonMessage where !payload.isEmpty:
      let spots = JSONScan.scan(payload, as: form, isMethod: channel.codec == .jsonMethod)
      payload.withUnsafeBytes { bytes in
        for spot in spots { find(spot, event, place, method, bytes) }
      }
    case .string:
      if String(validating: payload, as: UTF8.self) == nil {
        find(.invalidUTF8, event, place, method, found: "a text that is not UTF-8")
      }
      if payload.contains(0) {
        find(.nulInString, event, place, method, found: "a text with U+0000 in it")
      }
    default: break
    }
  }

  /// Messages to Dart that its channel buffers would lose, or that come in floods
  /// (`engine/src/flutter/lib/ui/channel_buffers.dart`).
  private mutating func watchBuffers(
    _ event: RecordedEvent, _ place: UInt64, _ method: Int32, _ channel: inout Channel
  ) {
    if event.direction == .dartToNative {
      hasDartSpoken = true
      channel.isHeard = true
      return
    }
    if !hasDartSpoken, !channel.isHeard {
      channel.unheard += 1
      if channel.unheard > channel.capacity {
        find(
          .unbuffered, event, place, method,
          found: "message \(channel.unheard) of the channel before the first sign of Dart")
      }
    }
    let age = event.microseconds.subtractingReportingOverflow(channel.burstStart)
    if age.overflow || age.partialValue >= Self.burstMicroseconds || age.partialValue < 0 {
      channel.burstStart = event.microseconds
      channel.burst = 0
    }
    channel.burst += 1
    if channel.burst == Self.burstMessages {
      let milliseconds = Self.burstMicroseconds / 1000
      find(
        .burst, event, place, method,
        found: "\(Self.burstMessages) messages within \(milliseconds) ms")
    }
  }

  // MARK: - Findings

  private mutating func find(
    _ spot: StandardScan.Spot, _ event: RecordedEvent, _ place: UInt64, _ method: Int32,
    _ bytes: UnsafeRawBufferPointer
  ) {
    let keeps = (groups[spot.rule]?.first.count ?? 0) < limit
    let path = keeps ? StandardScan.path(spot.path, bytes).safeForTerminal : ""
    find(
      spot.rule, place, event.direction, event.channel, methods.name(method).method,
      path.isEmpty ? nil : path, spot.offset, spot.found)
  }

  private mutating func find(
    _ rule: LintRule, _ event: RecordedEvent, _ place: UInt64, _ method: Int32, found: String
  ) {
    find(
      rule, place, event.direction, event.channel, methods.name(method).method, nil, nil, found)
  }

  private mutating func find(
    _ rule: LintRule, _ place: UInt64, _ direction: RecordedEvent.Direction,
    _ channel: ChannelName, _ method: [UInt8]?, _ path: String?, _ offset: Int?, _ found: String
  ) {
    var group = groups[rule] ?? Group(rule: rule, count: 0, first: [])
    group.count += 1
    if group.first.count < limit {
      group.first.append(
        LintFinding(
          rule: rule, place: place, direction: direction,
          channel: channel.description.safeForTerminal,
          method: method.map { String(decoding: $0, as: UTF8.self).safeForTerminal }, path: path,
          offset: offset, found: found))
    }
    if group.first.count == limit { scan.muted.insert(rule) }
    groups[rule] = group
  }
}

/// Methods by number, for a bounded number of them.
struct MethodNames {
  private struct Key: Hashable {
    var channel: ChannelName
    var method: [UInt8]?
  }

  static let limit = RowTable.limit
  private var numbers: [Key: Int32] = [:]
  private var names: [Key] = []

  /// -1 where there is no room for another.
  mutating func number(of channel: ChannelName, _ method: ArraySlice<UInt8>?) -> Int32 {
    let key = Key(channel: channel, method: method.map { Array($0) })
    if let number = numbers[key] { return number }
    guard names.count < Self.limit else { return -1 }
    names.append(key)
    numbers[key] = Int32(names.count - 1)
    return Int32(names.count - 1)
  }

  func name(_ number: Int32) -> (channel: ChannelName, method: [UInt8]?) {
    guard number >= 0, Int(number) < names.count else { return ("(another channel)", nil) }
    return (names[Int(number)].channel, names[Int(number)].method)
  }
}
