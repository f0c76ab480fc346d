import ChannelRouter

/// Finds the recorded message that a message is, and keeps what has been used on one device.
struct MockMatcher {
  enum Result {
    /// The number of an expectation; `isRepeated` when it was used before.
    case found(Int, isRepeated: Bool)
    /// Nothing that may be used: see ``Miss``.
    case missed(Miss)
  }

  enum Miss {
    /// There is no such message.
    case unknown
    /// There is, and all of its kind are used up: the number of the last.
    case usedUp(Int)
    /// In recorded order another one comes next; nil at the end.
    case notNext(Int?)
  }

  private let recording: MockRecording
  private let options: MockOptions
  private var used: [Bool]
  /// How many of each group are used from its start on.
  private var cursors: [Int: Int] = [:]
  /// All before it are used.
  private var next = 0

  init(_ recording: MockRecording, _ options: MockOptions) {
    self.recording = recording
    self.options = options
    used = [Bool](repeating: false, count: recording.expectations.count)
  }

  func isUsed(_ number: Int) -> Bool { used[number] }

  /// Takes the expectation that answers a message.
  mutating func take(_ payload: [UInt8]?, on channel: ChannelName) -> Result {
    options.order == .recorded ? takeNext(payload, channel) : takeAny(payload, channel)
  }

  private mutating func takeNext(_ payload: [UInt8]?, _ channel: ChannelName) -> Result {
    while next < used.count, used[next] { next += 1 }
    if next < used.count, isMatch(recording.expectations[next], payload, channel) {
      used[next] = true
      return .found(next, isRepeated: false)
    }
    if options.reuses, let last = lastUsed(in: allGroups(payload, channel)) {
      return .found(last, isRepeated: true)
    }
    return .missed(.notNext(next < used.count ? next : nil))
  }

  private func isMatch(
    _ expectation: MockRecording.Expectation, _ payload: [UInt8]?, _ channel: ChannelName
  ) -> Bool {
    guard expectation.channel == channel else { return false }
    if expectation.payload == payload { return true }
    guard options.match == .dart else { return false }
    return recording.message(of: expectation).isEqual(
      to: DartMessage(payload, codec: recording.codecs[channel]))
  }

  private mutating func takeAny(_ payload: [UInt8]?, _ channel: ChannelName) -> Result {
    if let group = recording.group(ofBytes: payload, on: channel),
      let number = firstUnused(in: group)
    {
      used[number] = true
      return .found(number, isRepeated: false)
    }
    let groups = allGroups(payload, channel)
    if let number = groups.compactMap({ firstUnused(in: $0) }).min() {
      used[number] = true
      return .found(number, isRepeated: false)
    }
    guard let last = lastUsed(in: groups) else { return .missed(.unknown) }
    return options.reuses ? .found(last, isRepeated: true) : .missed(.usedUp(last))
  }

  /// Those with the same bytes first.
  private func allGroups(_ payload: [UInt8]?, _ channel: ChannelName) -> [Int] {
    let exact = recording.group(ofBytes: payload, on: channel)
    guard options.match == .dart else { return exact.map { [$0] } ?? [] }
    let message = DartMessage(payload, codec: recording.codecs[channel])
    return (exact.map { [$0] } ?? [])
      + recording.groups(equalTo: message, on: channel).filter { $0 != exact }
  }

  private mutating func firstUnused(in group: Int) -> Int? {
    let numbers = recording.groups[group]
    var cursor = cursors[group] ?? 0
    while cursor < numbers.count, used[Int(numbers[cursor])] { cursor += 1 }
    cursors[group] = cursor
    return cursor < numbers.count ? Int(numbers[cursor]) : nil
  }

  private func lastUsed(in groups: [Int]) -> Int? {
    for group in groups {
      if let last = recording.groups[group].last(where: { used[Int($0)] }) { return Int(last) }
    }
    return nil
  }
}
