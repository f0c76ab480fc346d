import ChannelRouter
import ChannelTransport

/// Reads a copy of both directions of a conversation in frames, and records its messages and
/// answers.
///
/// What it cannot read ends the recording of this conversation and nothing else.
final class FrameTap {
  /// Messages without an answer that are followed up, in each direction.
  private static let mostOpenCalls = 65_536

  private struct OpenCall {
    let channel: ChannelName
    let id: UInt64
  }

  private let log: EntryLog
  private let connection: UInt64?
  private let onTrouble: (String) -> Void
  private let readers: [FrameReader]
  private var open: [[UInt64: OpenCall]] = [[:], [:]]
  private var isBroken = false

  /// - Parameters:
  ///   - connection: its number, where there are several.
  ///   - onTrouble: is told once why no more can be recorded.
  init(
    _ log: EntryLog, connection: UInt64?, maximumPayload: Int,
    onTrouble: @escaping (String) -> Void
  ) {
    self.log = log
    self.connection = connection
    self.onTrouble = onTrouble
    let limits = FrameLimits(
      maximumPayload: maximumPayload, maximumChannelName: FrameLimits.longestChannelName)
    readers = [FrameReader(limits: limits), FrameReader(limits: limits)]
  }

  /// Bytes that pass by.
  func feed(_ bytes: UnsafeRawBufferPointer, _ direction: RecordedEvent.Direction) {
    guard !isBroken, log.failure == nil else { return }
    let reader = readers[Int(direction.rawValue)]
    reader.feed(bytes)
    do throws(FrameError) {
      while let event = try reader.next() {
        switch event {
        case .frame(let frame): note(frame, direction)
        case .tooLong(let head):
          onTrouble(
            "a \(head.kind) of \(head.payloadLength) bytes is left out of the recording; "
              + "at most \(reader.limits.maximumPayload) are recorded")
        case .skippedOptional: break
        }
      }
    } catch {
      isBroken = true
      open = [[:], [:]]
      onTrouble(
        "what goes \(direction.text) can no longer be recorded; it is passed on all the same: "
          + error.description)
    }
  }

  // MARK: -

  private func note(_ frame: Frame, _ direction: RecordedEvent.Direction) {
    switch frame.kind {
    case .message:
      guard let channel = frame.channel else { return }
      let id = log.newID()
      let side = Int(direction.rawValue)
      if frame.id != 0, open[side].count < Self.mostOpenCalls {
        open[side][frame.id] = OpenCall(channel: channel, id: id)
      }
      log.write(
        .message, direction, channel, id: id, frame.payload, isOneWay: frame.id == 0,
        connection: connection)
    case .reply: answer(frame, direction, .reply)
    case .dropped: answer(frame, direction, .dropped)
    case .error: refuse(frame, direction)
    case .hello, .cancel, .log, .bye: break
    }
  }

  private func answer(
    _ frame: Frame, _ direction: RecordedEvent.Direction, _ kind: RecordedEvent.Kind
  ) {
    // The second answer to a call goes by: which one it belongs to is not known any more.
    let side = Int(direction.opposite.rawValue)
    guard let call = open[side].removeValue(forKey: frame.id) else { return }
    log.write(
      kind, direction, call.channel, id: call.id, kind == .reply ? frame.payload : nil,
      connection: connection)
  }

  /// An error with the id of a call is its answer, unless it is about an answer.
  private func refuse(_ frame: Frame, _ direction: RecordedEvent.Direction) {
    guard frame.id != 0, let error = try? ReceivedError(frame),
      error.problem != .idUnknown, error.problem != .idInUse
    else { return }
    let refusal = Refusal(
      code: error.code, text: error.text, offset: error.offset.flatMap { Int(exactly: $0) })
    answer(frame, direction, .refused(refusal))
  }
}
