/// What of a recording has been played, over all devices that share it, and what else happened.
///
/// Belongs to the platform thread.
public final class MockUsage {
  /// Messages from Dart that got their recorded answer.
  public internal(set) var played = 0
  /// Those of them whose recorded message had been used before.
  public internal(set) var repeated = 0
  /// Messages that were refused.
  public internal(set) var refused = 0
  /// Messages that went to the device, and were recorded.
  public internal(set) var passed = 0
  /// Messages of native code that were sent.
  public internal(set) var sent = 0
  /// Answers that did not wait for the messages that came before them in the recording.
  public internal(set) var early = 0

  private let recording: MockRecording
  private var usedMessages: [Bool]
  private var usedNatives: [Bool]

  public init(_ recording: MockRecording) {
    self.recording = recording
    usedMessages = [Bool](repeating: false, count: recording.expectations.count)
    usedNatives = [Bool](repeating: false, count: recording.natives.count)
  }

  func use(message number: Int) { usedMessages[number] = true }
  func use(native number: Int) { usedNatives[number] = true }

  /// How many entries no device has used: messages from Dart and messages of native code.
  public var unusedCount: Int {
    usedMessages.count { !$0 } + usedNatives.count { !$0 }
  }

  /// The first of them in words, in recorded order, such as
  /// `line 12: PW updateLiveActivity {elapsedSeconds: 3}`.
  public func unused(limit: Int) -> [String] {
    let messages = usedMessages.indices.lazy.filter { !self.usedMessages[$0] }.prefix(limit)
      .map { (self.recording.expectations[$0].place, self.recording.words(forMessage: $0)) }
    let natives = usedNatives.indices.lazy.filter { !self.usedNatives[$0] }.prefix(limit)
      .map { (self.recording.natives[$0].place, self.recording.words(forNative: $0)) }
    return (Array(messages) + Array(natives)).sorted { $0.0.order < $1.0.order }.prefix(limit)
      .map(\.1)
  }

  /// One line: `1012 answered, 996 sent by native code`.
  public var summary: String {
    var parts = ["\(played) answered"]
    if repeated > 0 { parts[0] += " (\(repeated) again)" }
    if refused > 0 { parts.append("\(refused) not in the recording") }
    if passed > 0 { parts.append("\(passed) passed on and recorded") }
    if !usedNatives.isEmpty { parts.append("\(sent) sent by native code") }
    if unusedCount > 0 { parts.append("\(unusedCount) unused") }
    return parts.joined(separator: ", ")
  }
}

extension RecordingError.Place {
  /// Lines and bytes do not mix in one recording.
  fileprivate var order: UInt64 {
    switch self {
    case .line(let line, _): line
    case .byte(let offset): offset
    }
  }
}

extension MockRecording {
  /// Place, channel, method and arguments, in short.
  func words(forMessage number: Int) -> String {
    let entry = expectations[number]
    let words = comparer.words(for: entry.payload, on: entry.channel)
    return "\(entry.place.text): \(entry.channel) \(words)"
  }

  func words(forNative number: Int) -> String {
    let entry = natives[number]
    let words = comparer.words(for: entry.payload, on: entry.channel, isToDart: true)
    return "\(entry.place.text), from native code: \(entry.channel) \(words)"
  }
}
