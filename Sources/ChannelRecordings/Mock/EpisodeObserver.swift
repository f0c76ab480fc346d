import ChannelRouter

/// Tells what one device does past its mock: answers to messages that were passed on to it, and
/// what it sends of its own accord.
final class EpisodeObserver: TrafficObserver {
  /// What is sent at the moment is played by the mock.
  var isPlaying = false

  private let recorder: EpisodeRecorder
  /// Ids in the recording by the messenger's numbers.
  private var received: [UInt64: UInt64] = [:]
  private var sent: [UInt64: UInt64] = [:]

  init(_ recorder: EpisodeRecorder) { self.recorder = recorder }

  func record(_ call: BinaryReply) {
    let id = recorder.message(
      call.message, on: call.channel, .dartToNative, isOneWay: call.id == 0)
    if call.id != 0 { received[call.number] = id }
  }

  func messenger(_ messenger: RoutingMessenger, received call: BinaryReply) {}

  func messenger(
    _ messenger: RoutingMessenger, answered call: BinaryReply, with outcome: ReplyOutcome
  ) {
    guard let id = received.removeValue(forKey: call.number) else { return }
    recorder.answer(id, .dartToNative, on: call.channel, outcome)
  }

  func messenger(_ messenger: RoutingMessenger, sent message: SentMessage) {
    guard !isPlaying else { return }
    let id = recorder.message(
      message.payload, on: message.channel, .nativeToDart, isOneWay: !message.wantsReply)
    if message.wantsReply { sent[message.number] = id }
  }

  func messenger(
    _ messenger: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage
  ) {
    guard let id = sent.removeValue(forKey: message.number) else { return }
    recorder.answer(id, .nativeToDart, on: message.channel, outcome)
  }

  func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport) {}
}
