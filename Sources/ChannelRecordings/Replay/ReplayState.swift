import ChannelRouter

/// A message from Dart whose answer is awaited, or whose recorded answer was not read yet.
final class ReplayedCall {
  let recordedID: UInt64
  let number: UInt64
  let place: RecordingError.Place
  let channel: ReplayedChannel
  let tally: MethodTally
  let message: [UInt8]?
  let event: RecordedEvent?
  var outcome: ReplyOutcome?

  init(
    recordedID: UInt64, number: UInt64, place: RecordingError.Place, channel: ReplayedChannel,
    tally: MethodTally, message: [UInt8]?, event: RecordedEvent?
  ) {
    self.recordedID = recordedID
    self.number = number
    self.place = place
    self.channel = channel
    self.tally = tally
    self.message = message
    self.event = event
  }

  /// Bytes that it holds.
  var size: Int {
    var size = 256 + (message?.count ?? 0)
    if case .payload(let payload?) = outcome { size += payload.count }
    return size
  }
}

/// A recorded message from native code.
final class ExpectedMessage {
  let id: UInt64
  let place: RecordingError.Place
  let channel: ReplayedChannel
  /// Let go once the message has come.
  var payload: [UInt8]?
  /// What Dart answered, once that was read.
  var answer: ReplyOutcome?
  /// Where Dart's answer goes, once the message has come.
  var reply: BinaryReplyHandler?
  var hasCome = false
  /// What came where it is not as recorded.
  var actual: [UInt8]?
  var cameAsRecorded = true
  var isMissing = false

  init(id: UInt64, place: RecordingError.Place, channel: ReplayedChannel, payload: [UInt8]?) {
    self.id = id
    self.place = place
    self.channel = channel
    self.payload = payload
  }
}

/// A channel while a replay runs.
final class ReplayedChannel {
  /// A message from native code that no recorded one was read for yet.
  struct Arrival {
    let message: [UInt8]?
    let reply: BinaryReplyHandler?
  }

  let name: ChannelName
  let isChosen: Bool
  let calls: MethodTallies
  let messages: MethodTallies
  var expected = Deque<ExpectedMessage>()
  var arrived = Deque<Arrival>()
  /// Messages from native code did not come in time, so that nobody waits for them any more.
  var isGivenUp = false

  init(_ name: ChannelName, isChosen: Bool) {
    self.name = name
    self.isChosen = isChosen
    calls = MethodTallies(name, isToDart: false)
    messages = MethodTallies(name, isToDart: true)
  }
}
