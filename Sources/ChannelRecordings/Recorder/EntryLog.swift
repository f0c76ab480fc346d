import ChannelRouter
import SystemInterface

/// Puts entries into a recording as they happen: with the time, a number and the readable decoding.
/// When the disk refuses, it says so once and records nothing more; who is recorded goes on.
final class EntryLog {
  private let writer: RecordingWriter
  private let onStop: (RecordingError) -> Void
  private let nanoseconds: () -> UInt64
  private let start: UInt64
  private let base: Int64
  private var shown: ShownDecoding?
  private var nextSequence: UInt64
  private var nextID: UInt64

  private(set) var failure: RecordingError?
  private(set) var count: UInt64 = 0

  init(
    _ writer: RecordingWriter, shows: Bool, codecs: ChannelCodecMap,
    nanoseconds: @escaping () -> UInt64, onStop: @escaping (RecordingError) -> Void
  ) {
    self.writer = writer
    self.onStop = onStop
    self.nanoseconds = nanoseconds
    start = nanoseconds()
    shown = shows ? ShownDecoding(codecs: codecs) : nil
    nextSequence = writer.nextSequence
    nextID = writer.nextID
    if let present = writer.present {
      // By the wall clock, unless that has been set back.
      let begun = present.header?.startMicroseconds
      let since = begun.map { SystemCalls.wallClockMicroseconds() &- $0 } ?? 0
      base = max(since, present.microseconds)
    } else {
      base = 0
    }
  }

  /// A number for a message, which its answer has as well.
  func newID() -> UInt64 {
    defer { nextID &+= 1 }
    return nextID
  }

  func write(
    _ kind: RecordedEvent.Kind, _ direction: RecordedEvent.Direction, _ channel: ChannelName,
    id: UInt64, _ payload: [UInt8]?, isOneWay: Bool = false, connection: UInt64?
  ) {
    guard failure == nil else { return }
    let elapsed = Int64(clamping: (nanoseconds() &- start) / 1000)
    var event = RecordedEvent(
      sequence: nextSequence, microseconds: base &+ elapsed, direction: direction,
      channel: channel, id: id, kind: kind, payload: payload, isOneWay: isOneWay,
      connection: connection)
    event.shown = shown?.shown(of: event)
    do throws(RecordingError) {
      try writer.append(event)
    } catch {
      failure = error
      onStop(error)
      return
    }
    nextSequence &+= 1
    count &+= 1
  }
}
