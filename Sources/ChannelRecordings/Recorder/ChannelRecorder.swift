import ChannelRouter
import SystemInterface

/// Records what goes through messengers of the native side. Add it to their observers; like them it
/// belongs to the platform thread.
///
/// Each entry is written before the message goes on, so that the recording is complete up to the
/// moment in which the process dies. Messages get ids of their own, unique over all messengers.
public final class ChannelRecorder: TrafficObserver {
  /// Calls of one messenger that wait for their answer; more are not followed up.
  private static let mostOpenCalls = 65_536

  private struct Source {
    weak var messenger: RoutingMessenger?
    let number: UInt64
    /// The ids in the recording of open messages, by the messenger's own numbers.
    var open: [UInt64: UInt64] = [:]
  }

  private let log: EntryLog
  private var sources: [ObjectIdentifier: Source] = [:]
  private var sourceCount: UInt64 = 0

  /// - Parameters:
  ///   - shows: whether entries have a readable decoding beside the payload.
  ///   - codecs: of the channels whose codec is known; others are guessed.
  ///   - nanoseconds: a monotonic clock.
  ///   - onStop: is told once when the recording ends early, such as with a full disk.
  public init(
    _ writer: RecordingWriter, shows: Bool = true, codecs: ChannelCodecMap = ChannelCodecMap(),
    nanoseconds: @escaping () -> UInt64 = { SystemCalls.monotonicNanoseconds() },
    onStop: @escaping (RecordingError) -> Void
  ) {
    log = EntryLog(
      writer, shows: shows, codecs: codecs, nanoseconds: nanoseconds, onStop: onStop)
  }

  /// Why the recording has ended early; nil while it goes on.
  public var failure: RecordingError? { log.failure }
  /// How many entries have been written.
  public var count: UInt64 { log.count }

  // MARK: - TrafficObserver

  public func messenger(_ messenger: RoutingMessenger, received call: BinaryReply) {
    let isOneWay = call.id == 0
    let (id, connection) = begin(call.number, on: messenger, isOpen: !isOneWay)
    log.write(
      .message, .dartToNative, call.channel, id: id, call.message, isOneWay: isOneWay,
      connection: connection)
  }

  public func messenger(
    _ messenger: RoutingMessenger, answered call: BinaryReply, with outcome: ReplyOutcome
  ) {
    settle(call.number, on: messenger, call.channel, .nativeToDart, outcome)
  }

  public func messenger(_ messenger: RoutingMessenger, sent message: SentMessage) {
    let (id, connection) = begin(message.number, on: messenger, isOpen: message.wantsReply)
    log.write(
      .message, .nativeToDart, message.channel, id: id, message.payload,
      isOneWay: !message.wantsReply, connection: connection)
  }

  public func messenger(
    _ messenger: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage
  ) {
    settle(message.number, on: messenger, message.channel, .dartToNative, outcome)
  }

  public func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport) {}

  // MARK: -

  private func begin(
    _ number: UInt64, on messenger: RoutingMessenger, isOpen: Bool
  ) -> (id: UInt64, connection: UInt64?) {
    let id = log.newID()
    let key = source(of: messenger)
    // Looked at in place: a copy in hand would have each change copy all that is open.
    if isOpen, let count = sources[key]?.open.count, count < Self.mostOpenCalls {
      sources[key]?.open[number] = id
    }
    return (id, connection(sources[key]))
  }

  private func settle(
    _ number: UInt64, on messenger: RoutingMessenger, _ channel: ChannelName,
    _ direction: RecordedEvent.Direction, _ outcome: ReplyOutcome
  ) {
    let key = source(of: messenger)
    guard let id = sources[key]?.open.removeValue(forKey: number) else { return }
    let connection = connection(sources[key])
    switch outcome {
    case .payload(let payload):
      log.write(.reply, direction, channel, id: id, payload, connection: connection)
    case .dropped:
      log.write(.dropped, direction, channel, id: id, nil, connection: connection)
    case .refused(let refusal):
      log.write(.refused(refusal), direction, channel, id: id, nil, connection: connection)
    // The other side has gone: nothing was answered.
    case .disconnected: break
    }
  }

  /// The number of a messenger, once there has been more than one.
  private func connection(_ source: Source?) -> UInt64? { sourceCount > 1 ? source?.number : nil }

  private func source(of messenger: RoutingMessenger) -> ObjectIdentifier {
    let key = ObjectIdentifier(messenger)
    // The place in memory may be that of one that has gone.
    if let known = sources[key], known.messenger === messenger { return key }
    sources = sources.filter { $0.value.messenger != nil }
    sourceCount += 1
    sources[key] = Source(messenger: messenger, number: sourceCount)
    return key
  }
}
