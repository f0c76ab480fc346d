import ChannelCodec
import ChannelRouter

/// What a recording makes a mock do. Holds all of its payloads in memory, since any message may
/// come next; devices share it.
///
/// Belongs to the platform thread.
public final class MockRecording {
  /// A recorded message from Dart and what came of it.
  struct Expectation {
    let channel: ChannelName
    let payload: [UInt8]?
    let place: RecordingError.Place
    let microseconds: Int64
    /// Its number among the messages from Dart, from 1.
    let ordinal: Int
    /// nil for one that stayed open.
    var answer: Answer?
  }

  struct Answer {
    let outcome: ReplyOutcome
    /// In the order of all that native code sent.
    let position: Int
    /// How many messages from Dart came between the message and its answer.
    let overtaken: Int
    let delay: Duration
  }

  /// A message of native code's own accord.
  struct NativeMessage {
    let channel: ChannelName
    let payload: [UInt8]?
    let place: RecordingError.Place
    /// Since the first entry of the recording.
    let time: Duration
    /// In the order of all that native code sent.
    let position: Int
    /// How many messages from Dart came before it.
    let gate: Int
    /// Whether Dart answered. Where it did not, nothing tells whether an answer was wanted.
    var wantsReply = false
  }

  /// For messages: a path.
  public let name: String
  /// Set when the last entry was cut off; see ``TornTail``.
  public private(set) var tornTail: TornTail?
  /// Entries that answer no message, or one that has its answer; they are not played.
  public private(set) var strayAnswers = 0

  private(set) var expectations: [Expectation] = []
  private(set) var natives: [NativeMessage] = []
  /// Knows the codecs.
  private(set) var comparer: MessageComparer
  /// No message has this id or a larger one.
  private(set) var nextID: UInt64 = 0
  private(set) var nextSequence: UInt64 = 0
  private(set) var lastMicroseconds: Int64 = 0

  /// What a recording may take in memory unless said otherwise: payloads, and something for each
  /// entry.
  public static let mostBytes = 1 << 30
  private static let bytesOfEntry = 512
  private var byteCount = 0

  /// Expectations of equal messages, in recorded order.
  private(set) var groups: [[Int32]] = []
  private(set) var groupsOfChannel: [ChannelName: [Int]] = [:]
  private var byBytes: [MessageBytes: Int] = [:]
  private var byDart: [ChannelName: [DartMessage.Key: [Int]]] = [:]

  struct MessageBytes: Hashable {
    let channel: ChannelName
    let payload: [UInt8]?
  }

  /// A recording without entries, as the modes that record begin with.
  public init(name: String, codecs: ChannelCodecMap = ChannelCodecMap()) {
    self.name = name
    comparer = MessageComparer(codecs: codecs)
  }

  /// Reads a recording to its end.
  ///
  /// - Parameters:
  ///   - codecs: of channels whose codec is known; the header's and then guesses fill up.
  ///   - maximumBytes: larger ones are refused.
  /// - Throws: what is wrong with it. A torn tail is skipped.
  public convenience init(
    _ reader: RecordingReader, codecs: ChannelCodecMap = ChannelCodecMap(),
    maximumBytes: Int = MockRecording.mostBytes
  ) throws(RecordingError) {
    var known = codecs
    for entry in reader.header?.codecs.entries ?? [] where known[entry.channel] == nil {
      known[entry.channel] = entry.codec
    }
    self.init(name: reader.name, codecs: known)
    var loading = Loading()
    while let event = try reader.next() {
      add(event, at: reader.place, &loading)
      byteCount += MockRecording.bytesOfEntry + (event.payload?.count ?? 0)
      guard byteCount <= maximumBytes else { throw tooLarge(maximumBytes, reader) }
    }
    tornTail = reader.tornTail
    comparer.codecs = loading.guess.codecs(given: known)
  }

  private func tooLarge(_ limit: Int, _ reader: RecordingReader) -> RecordingError {
    let size = reader.size.map { " of \($0) bytes" } ?? ""
    return RecordingError(
      .recordingTooLong,
      "the recording\(size) takes more than \(limit) bytes of memory up to here, the most that a "
        + "mock plays; record less, or leave channels out", at: reader.place, isFatal: true)
  }

  private struct Loading {
    var guess = ChannelCodecGuess()
    var open: [RecordedEvent.Call: Int] = [:]
    var start: Int64?
    var position = 0
  }

  private func add(
    _ event: RecordedEvent, at place: RecordingError.Place, _ loading: inout Loading
  ) {
    loading.guess.add(event)
    let start = loading.start ?? event.microseconds
    loading.start = start
    nextID = max(nextID, event.id == .max ? .max : event.id + 1)
    nextSequence = max(nextSequence, event.sequence == .max ? .max : event.sequence + 1)
    lastMicroseconds = max(lastMicroseconds, event.microseconds)
    if event.messageDirection == .dartToNative {
      if event.isAnswer {
        addAnswer(event, &loading)
      } else {
        loading.open[event.call] = expectations.count
        addMessage(event, place)
      }
      return
    }
    if event.isAnswer {
      // How Dart answered is its own affair, but it shows that an answer was wanted.
      if let number = loading.open.removeValue(forKey: event.call) {
        natives[number].wantsReply = true
      } else {
        strayAnswers += 1
      }
      return
    }
    loading.open[event.call] = natives.count
    natives.append(
      NativeMessage(
        channel: event.channel, payload: event.payload, place: place,
        time: MockRecording.span(from: start, to: event.microseconds), position: loading.position,
        gate: expectations.count))
    loading.position += 1
  }

  private func addMessage(_ event: RecordedEvent, _ place: RecordingError.Place) {
    let number = Int32(clamping: expectations.count)
    expectations.append(
      Expectation(
        channel: event.channel, payload: event.payload, place: place,
        microseconds: event.microseconds, ordinal: expectations.count + 1))
    let key = MessageBytes(channel: event.channel, payload: event.payload)
    if let group = byBytes[key] {
      groups[group].append(number)
    } else {
      byBytes[key] = groups.count
      groupsOfChannel[event.channel, default: []].append(groups.count)
      groups.append([number])
    }
  }

  private func addAnswer(_ event: RecordedEvent, _ loading: inout Loading) {
    guard let outcome = event.outcome, let number = loading.open.removeValue(forKey: event.call)
    else {
      strayAnswers += 1
      return
    }
    let asked = expectations[number]
    expectations[number].answer = Answer(
      outcome: outcome, position: loading.position,
      overtaken: expectations.count - asked.ordinal,
      delay: MockRecording.span(from: asked.microseconds, to: event.microseconds))
    loading.position += 1
  }

  /// From an earlier moment to a later one; zero where a recording has them the other way round.
  private static func span(from start: Int64, to end: Int64) -> Duration {
    max(.microseconds(end) - .microseconds(start), .zero)
  }

  /// What channels speak: as given, as the header says, or by evidence.
  var codecs: ChannelCodecMap { comparer.codecs }

  // MARK: - Looking up

  /// The group of the messages with these bytes.
  func group(ofBytes payload: [UInt8]?, on channel: ChannelName) -> Int? {
    byBytes[MessageBytes(channel: channel, payload: payload)]
  }

  /// The groups of the messages that are this one to a Dart program, in recorded order.
  func groups(equalTo message: DartMessage, on channel: ChannelName) -> [Int] {
    let index = dartIndex(of: channel)
    return (index[message.key] ?? []).filter { group in
      guard let first = groups[group].first else { return false }
      return self.message(of: expectations[Int(first)]).isEqual(to: message)
    }
  }

  func message(of expectation: Expectation) -> DartMessage {
    DartMessage(expectation.payload, codec: codecs[expectation.channel])
  }

  /// Made when the first message of a channel is not there by its bytes.
  private func dartIndex(of channel: ChannelName) -> [DartMessage.Key: [Int]] {
    if let index = byDart[channel] { return index }
    // A channel without any needs no index; names come from outside.
    guard let numbers = groupsOfChannel[channel] else { return [:] }
    var index: [DartMessage.Key: [Int]] = [:]
    for number in numbers {
      guard let first = groups[number].first else { continue }
      index[message(of: expectations[Int(first)]).key, default: []].append(number)
    }
    byDart[channel] = index
    return index
  }
}
