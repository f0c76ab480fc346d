import ChannelCodec
import ChannelRouter

/// Finds out what channels speak, by what their messages and replies are.
///
/// Every payload is tried as each codec would read it in its place: a message from Dart as a call,
/// a reply as an envelope, and so on. The codec that reads all of them wins; among several the one
/// that demands most. Payloads that are none or empty say nothing, apart from strings.
public struct ChannelCodecGuess: Sendable {
  /// What a channel speaks, and how sure that is.
  public struct Result: Hashable, Sendable {
    public var codec: ChannelCodecKind
    /// From 0, nothing is known, to 1. Grows with the payloads that only few codecs read, and
    /// shrinks with those that the codec does not read.
    public var confidence: Double
    /// How many payloads were looked at.
    public var evidence: Int
    /// How many of them the codec does not read.
    public var misfits: Int
    /// Native code has sent envelopes of its own accord: an event channel.
    public var hasEvents: Bool
  }

  /// Payloads of a channel that are looked at; those behind them would change little.
  private static let mostEvidence = 512
  /// Larger payloads are not looked at.
  private static let largestPayload = 1 << 20
  /// Channels beyond are not looked at.
  private static let mostChannels = 65_536
  /// The share of misfits that a codec may have and still win over a less demanding one.
  private static let tolerance = 0.05

  private struct Evidence: Sendable {
    var count = 0
    /// How many payloads each codec reads, in the order of ``ChannelCodecKind``.
    var fits = [Int](repeating: 0, count: ChannelCodecKind.allCases.count)
    var containers = 0
    var events = 0
  }

  private var channels: [ChannelName: Evidence] = [:]
  private var order: [ChannelName] = []

  /// Nothing is known.
  public init() {}

  /// Takes an entry into account.
  public mutating func add(_ event: RecordedEvent) {
    guard let payload = event.payload, payload.count <= Self.largestPayload else {
      note(event.channel)
      return
    }
    note(event.channel)
    guard !payload.isEmpty, var evidence = channels[event.channel],
      evidence.count < Self.mostEvidence
    else { return }
    evidence.count += 1
    for (index, codec) in ChannelCodecKind.allCases.enumerated()
    where PayloadTrial.reads(payload, of: event, as: codec) {
      evidence.fits[index] += 1
    }
    if PayloadTrial.beginsAsContainer(payload) { evidence.containers += 1 }
    if event.kind == .message, event.direction == .nativeToDart, payload[0] <= 1,
      PayloadTrial.isEnvelope(payload)
    {
      evidence.events += 1
    }
    channels[event.channel] = evidence
  }

  private mutating func note(_ channel: ChannelName) {
    guard channels[channel] == nil, channels.count < Self.mostChannels else { return }
    channels[channel] = Evidence()
    order.append(channel)
  }

  /// What the channel speaks; nil for one that has not been seen.
  public func result(for channel: ChannelName) -> Result? {
    guard let evidence = channels[channel] else { return nil }
    let total = evidence.count
    func result(_ codec: ChannelCodecKind, isSure: Bool = true) -> Result {
      let fits = evidence.fits[ChannelCodecKind.allCases.firstIndex(of: codec) ?? 0]
      let share = total == 0 ? 0 : Double(fits) / Double(total + (isSure ? 1 : 2))
      return Result(
        codec: codec, confidence: share, evidence: total, misfits: total - fits,
        hasEvents: codec == .standardMethod && evidence.events > 0)
    }
    guard total > 0 else { return result(.binary) }
    let most = Double(total) * (1 - Self.tolerance)
    for (index, codec) in ChannelCodecKind.allCases.enumerated()
    where Double(evidence.fits[index]) >= most {
      // Digits or a lone word are JSON as well; without a list or map that is an accident.
      if codec == .jsonMessage, evidence.containers == 0 { continue }
      return result(codec, isSure: codec != .binary && codec != .string)
    }
    return result(.binary, isSure: false)
  }

  /// All channels in the order in which they came.
  public var results: [(channel: ChannelName, result: Result)] {
    order.compactMap { channel in result(for: channel).map { (channel, $0) } }
  }

  /// The codec of each channel: as given, or else by evidence. Channels that nothing is known of
  /// are left out.
  public func codecs(given: ChannelCodecMap = ChannelCodecMap()) -> ChannelCodecMap {
    var map = given
    for (channel, result) in results where map[channel] == nil && result.evidence > 0 {
      map[channel] = result.codec
    }
    return map
  }
}

/// Whether a payload is what a codec would have in its place.
enum PayloadTrial {
  private static let standardMethod = StandardMethodCodec(extensions: .pigeon)
  private static let standardMessage = StandardMessageCodec(extensions: .pigeon)

  static func reads(
    _ payload: [UInt8], of event: RecordedEvent, as codec: ChannelCodecKind
  ) -> Bool {
    let isReply = event.kind == .reply
    switch codec {
    case .standardMethod:
      if isReply { return isEnvelope(payload) }
      if payload[0] == 7 { return (try? standardMethod.decodeMethodCall(payload)) != nil }
      return event.direction == .nativeToDart && isEnvelope(payload)
    case .standardMessage:
      guard payload[0] <= 14 || payload[0] >= 128 else { return false }
      return (try? standardMessage.decode(payload)) != nil
    case .jsonMethod:
      if isReply { return first(payload) == 0x5b && isJSONEnvelope(payload) }
      guard first(payload) == 0x7b else { return false }
      return (try? JSONMethodCodec().decodeMethodCall(payload)) != nil
    case .jsonMessage:
      guard let first = first(payload), first >= 0x20, first < 0x7f else { return false }
      return (try? JSONMessageCodec().decode(payload)) != nil
    case .string: return isReadable(payload)
    case .binary: return true
    }
  }

  static func isEnvelope(_ payload: [UInt8]) -> Bool {
    guard payload[0] <= 1 else { return false }
    return (try? standardMethod.decodeEnvelope(payload)) != nil
  }

  static func beginsAsContainer(_ payload: [UInt8]) -> Bool {
    let first = first(payload)
    return first == 0x7b || first == 0x5b
  }

  private static func isJSONEnvelope(_ payload: [UInt8]) -> Bool {
    (try? JSONMethodCodec().decodeEnvelope(payload)) != nil
  }

  /// The first byte that is no white space of JSON.
  private static func first(_ payload: [UInt8]) -> UInt8? {
    payload.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
  }

  /// UTF-8 without control characters other than line ends and tabs.
  private static func isReadable(_ payload: [UInt8]) -> Bool {
    for byte in payload where byte < 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09 {
      return false
    }
    return String(validating: payload, as: UTF8.self) != nil
  }
}
