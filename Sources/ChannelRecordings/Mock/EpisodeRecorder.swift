import ChannelRouter

/// Writes what goes past a mock behind the recording: messages that the device answers, and what
/// the device sends of its own accord. Shared by the devices of a recording.
///
/// Belongs to the platform thread.
public final class EpisodeRecorder {
  /// Called once when writing fails; nothing more is recorded then.
  public var onFailure: ((RecordingError) -> Void)?

  private let writer: RecordingWriter
  private let nanoseconds: () -> UInt64
  private let start: UInt64
  private let origin: Int64
  private var nextSequence: UInt64
  private var nextID: UInt64
  private var hasFailed = false
  private var decoding: ShownDecoding

  /// - Parameters:
  ///   - recording: whose sequence, ids and time go on.
  ///   - nanoseconds: a monotonic clock.
  public init(
    _ writer: RecordingWriter, after recording: MockRecording,
    nanoseconds: @escaping () -> UInt64
  ) {
    self.writer = writer
    self.nanoseconds = nanoseconds
    start = nanoseconds()
    origin = recording.lastMicroseconds
    nextSequence = max(recording.nextSequence, writer.nextSequence)
    nextID = recording.nextID
    decoding = ShownDecoding(codecs: recording.codecs)
  }

  /// Records a message and gives it an id.
  func message(
    _ payload: [UInt8]?, on channel: ChannelName, _ direction: RecordedEvent.Direction,
    isOneWay: Bool
  ) -> UInt64 {
    let id = nextID
    nextID &+= 1
    append(id, direction, channel, .message, payload, isOneWay: isOneWay)
    return id
  }

  /// Records what answers the message with the id, whose direction is given.
  func answer(
    _ id: UInt64, _ direction: RecordedEvent.Direction, on channel: ChannelName,
    _ outcome: ReplyOutcome
  ) {
    let way = direction.opposite
    switch outcome {
    case .payload(let payload): append(id, way, channel, .reply, payload)
    case .dropped: append(id, way, channel, .dropped, nil)
    case .refused(let refusal): append(id, way, channel, .refused(refusal), nil)
    case .disconnected: break
    }
  }

  private func append(
    _ id: UInt64, _ direction: RecordedEvent.Direction, _ channel: ChannelName,
    _ kind: RecordedEvent.Kind, _ payload: [UInt8]?, isOneWay: Bool = false
  ) {
    guard !hasFailed else { return }
    let elapsed = Int64(clamping: (nanoseconds() &- start) / 1000)
    let (time, overflow) = origin.addingReportingOverflow(elapsed)
    var event = RecordedEvent(
      sequence: nextSequence, microseconds: overflow ? .max : time, direction: direction,
      channel: channel, id: id, kind: kind, payload: payload, isOneWay: isOneWay)
    nextSequence &+= 1
    event.shown = decoding.shown(of: event)
    do throws(RecordingError) {
      try writer.append(event)
    } catch {
      hasFailed = true
      onFailure?(error)
    }
  }

  /// Writes out what has been gathered.
  public func finish() throws(RecordingError) {
    if !hasFailed { try writer.flush() }
  }
}
