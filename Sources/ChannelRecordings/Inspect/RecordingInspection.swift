import ChannelRouter
import TerminalSafety

/// What a recording holds, counted.
public struct RecordingInspection: Sendable {
  /// A channel, or several that differ in an id in their names only.
  public struct Channel: Sendable {
    /// The name; with `*` for the ids of several channels.
    public var name: String
    /// The name's bytes.
    public var utf8: [UInt8]
    /// How many channels stand behind the name.
    public var members: Int
    /// What the channel speaks; nil where nothing tells.
    public var codec: ChannelCodecKind?
    /// How sure that is, from 0 to 1; 1 where the codec was given.
    public var confidence: Double
    /// Payloads that the codec does not read, of those looked at.
    public var misfits: Int
    public var isGiven: Bool
  }

  /// In the order in which they came.
  public internal(set) var channels: [Channel] = []
  /// By channel, then in the order in which they came.
  public internal(set) var rows: [MethodRow] = []
  /// How many channels there are when each is counted. At the limit of the inspector one more
  /// stands for all the others.
  public internal(set) var channelCount = 0
  /// Codecs as given or guessed.
  public internal(set) var codecs = ChannelCodecMap()

  /// Answers whose message is not in the recording.
  public internal(set) var answersWithoutMessage: UInt64 = 0
  /// Messages whose id was used again while they were open.
  public internal(set) var reusedIDs: UInt64 = 0
  /// Messages that were counted as unanswered for want of room.
  public internal(set) var givenUp: UInt64 = 0
  /// Lines or records that could not be read.
  public internal(set) var malformed: UInt64 = 0
  /// Entries whose time lies before that of the entry before.
  public internal(set) var timesBackwards: UInt64 = 0
  /// Methods beyond the limit are counted together, channel by channel.
  public internal(set) var hasOtherMethods = false
  /// Of the entries, in microseconds; nil for a recording without any.
  public internal(set) var firstTime: Int64?
  public internal(set) var lastTime: Int64?
  private var previousTime = Int64.min

  init() {}

  @inline(__always)
  mutating func note(time: Int64) {
    if time < previousTime { timesBackwards &+= 1 }
    previousTime = time
    guard let first = firstTime, let last = lastTime else {
      (firstTime, lastTime) = (time, time)
      return
    }
    if time < first { firstTime = time }
    if time > last { lastTime = time }
  }

  /// Sums over all rows.
  public var total: MethodRow {
    var total = MethodRow(channel: 0, direction: .dartToNative, shape: .other, method: nil)
    for row in rows { total.add(row) }
    return total
  }

  /// Names rows by what their channels speak, and brings those together that are one then.
  mutating func settle(
    channels names: [ChannelName], others: Int?, rows raw: [MethodRow],
    guess: ChannelCodecGuess, given: ChannelCodecMap
  ) {
    codecs = guess.codecs(given: given)
    channelCount = names.count
    channels = names.enumerated().map { number, name in
      let result = guess.result(for: name)
      let isGiven = given[name] != nil
      return Channel(
        name: name.description.safeForTerminal, utf8: name.utf8, members: 1, codec: codecs[name],
        confidence: isGiven ? 1 : (result?.confidence ?? 0), misfits: result?.misfits ?? 0,
        isGiven: isGiven)
    }
    var settled = RowMerger()
    for var row in raw {
      let codec = channels[row.channel].codec
      let isCall =
        row.shape == .standardCall && codec == .standardMethod
        || row.shape == .jsonCall && codec == .jsonMethod
      let isEvent =
        (row.shape == .event || row.shape == .eventError) && codec == .standardMethod
      if !isCall { row.method = nil }
      if isEvent, row.shape == .eventError { row.errors += row.messages }
      if isCall, row.method == nil {
        row.kind = "other methods"
      } else if !isCall, !isEvent, row.shape != .noPayload {
        row.kind = MethodRow.kind(of: .other)
      }
      settled.add(row)
    }
    rows = settled.sorted()
  }

  /// The same with channels brought together whose names differ in an id only.
  public func grouped() -> RecordingInspection {
    var groups: [[UInt8]: [Int]] = [:]
    for (number, channel) in channels.enumerated() {
      guard let pattern = ChannelGroup.pattern(of: ChannelName(channel.utf8)) else { continue }
      groups[pattern, default: []].append(number)
    }
    var target = Array(channels.indices)
    for members in groups.values where members.count > 1 {
      for member in members { target[member] = members[0] }
    }
    var result = self
    var numbers: [Int: Int] = [:]
    result.channels = []
    for (number, channel) in channels.enumerated() {
      if target[number] == number {
        numbers[number] = result.channels.count
        result.channels.append(channel)
      } else if let first = numbers[target[number]] {
        result.channels[first].absorb(channel)
      }
    }
    for (pattern, members) in groups where members.count > 1 {
      guard let place = numbers[members[0]] else { continue }
      result.channels[place].name = String(decoding: pattern, as: UTF8.self).safeForTerminal
      result.channels[place].utf8 = pattern
    }
    var merged = RowMerger()
    for var row in rows {
      guard let number = numbers[target[row.channel]] else { continue }
      row.channel = number
      merged.add(row)
    }
    result.rows = merged.sorted()
    return result
  }
}

extension RecordingInspection.Channel {
  /// Takes another channel in, whose codec is a better guess where it has more to go by.
  fileprivate mutating func absorb(_ other: Self) {
    members += other.members
    misfits += other.misfits
    isGiven = isGiven && other.isGiven
    if codec == nil || other.confidence > confidence {
      codec = other.codec ?? codec
      confidence = max(confidence, other.confidence)
    }
  }
}

extension ChannelName {
  fileprivate init(_ utf8: [UInt8]) {
    self = ChannelName(validating: utf8) ?? ChannelName(String(decoding: utf8, as: UTF8.self))
  }
}

/// Brings rows together that have the same place in the table.
private struct RowMerger {
  private struct Key: Hashable {
    var channel: Int
    var direction: RecordedEvent.Direction
    var method: [UInt8]?
    var kind: String
  }

  private var rows: [MethodRow] = []
  private var places: [Key: Int] = [:]

  mutating func add(_ row: MethodRow) {
    let key = Key(
      channel: row.channel, direction: row.direction, method: row.method, kind: row.kind)
    if let place = places[key] {
      rows[place].add(row)
    } else {
      places[key] = rows.count
      rows.append(row)
    }
  }

  /// By channel, from Dart first, else as they came.
  func sorted() -> [MethodRow] {
    rows.enumerated().sorted { left, right in
      let (leftRow, rightRow) = (left.element, right.element)
      if leftRow.channel != rightRow.channel { return leftRow.channel < rightRow.channel }
      if leftRow.direction != rightRow.direction {
        return leftRow.direction.rawValue < rightRow.direction.rawValue
      }
      return left.offset < right.offset
    }.map(\.element)
  }
}
