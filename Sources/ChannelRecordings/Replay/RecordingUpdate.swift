import ChannelRouter
import SystemInterface

/// Writes a recording anew with what came in place of what was recorded, and then puts it in the
/// place of the old file at once, so that a reader finds one or the other.
///
/// Messages of Dart, times and the order of entries stay. What was not recorded goes to the end.
public final class RecordingUpdate {
  /// Entries that are not as they were.
  public private(set) var changedCount: UInt64 = 0

  private let path: String
  private let file: FileReplacement
  private let writer: RecordingWriter
  private var lastMicroseconds: Int64 = 0
  private var nextSequence: UInt64 = 0
  private var lastNativeID: UInt64 = 0
  private var added: [RecordedEvent] = []

  /// Creates the new file beside the old one.
  ///
  /// - Parameter reader: of the old file; it should keep the readable decodings.
  public init(path: String, of reader: RecordingReader) throws(RecordingError) {
    self.path = path
    do throws(SystemCalls.Failure) {
      file = try FileReplacement(of: path)
    } catch {
      throw RecordingError(
        .system, "cannot make a file beside \(path): \(error.text)", isFatal: true)
    }
    writer = try RecordingWriter(
      descriptor: file.descriptor, name: path, closes: true, form: reader.form,
      header: reader.header, options: .init(gatheredBytes: 256 << 10))
  }

  /// Puts the new file in the place of the old one. Without this call nothing has changed.
  public func commit() throws(ReplayFailure) {
    for var event in added {
      event.sequence = nextSequence
      event.microseconds = lastMicroseconds
      nextSequence &+= 1
      if !event.isAnswer {
        lastNativeID &+= 1
        event.id = lastNativeID
      }
      try write(event)
    }
    added = []
    do throws(RecordingError) {
      try writer.flush()
    } catch {
      throw ReplayFailure(error.description)
    }
    do throws(SystemCalls.Failure) {
      try file.commit()
    } catch {
      throw ReplayFailure("cannot rename \(file.temporaryPath) to \(path): \(error.text)")
    }
  }

  // MARK: - Entries

  func keep(_ event: RecordedEvent) throws(ReplayFailure) {
    lastMicroseconds = event.microseconds
    nextSequence = max(nextSequence, event.sequence &+ 1)
    if event.messageDirection == .nativeToDart { lastNativeID = max(lastNativeID, event.id) }
    try write(event)
  }

  /// An answer from native code; nil leaves it out.
  func answer(_ event: RecordedEvent, _ outcome: ReplyOutcome?) throws(ReplayFailure) {
    guard outcome != event.outcome else { return try keep(event) }
    changedCount &+= 1
    guard let outcome, let answer = RecordedEvent(event, answeredWith: outcome) else { return }
    try keep(answer)
  }

  /// A message from native code.
  func message(_ event: RecordedEvent, _ payload: [UInt8]?) throws(ReplayFailure) {
    guard payload != event.payload else { return try keep(event) }
    changedCount &+= 1
    var event = event
    event.payload = payload
    event.shown = nil
    try keep(event)
  }

  /// A message from native code that did not come is not written again.
  func leaveOut() { changedCount &+= 1 }

  /// An answer that the recording does not have.
  func add(answer outcome: ReplyOutcome, to message: RecordedEvent) throws(ReplayFailure) {
    var event = message
    event.direction = .nativeToDart
    event.unknownFields = []
    guard let answer = RecordedEvent(event, answeredWith: outcome) else { return }
    changedCount &+= 1
    try add(answer)
  }

  /// A message from native code that the recording does not have.
  func add(message payload: [UInt8]?, on channel: ChannelName) throws(ReplayFailure) {
    changedCount &+= 1
    try add(
      RecordedEvent(
        sequence: 0, microseconds: 0, direction: .nativeToDart, channel: channel, id: 0,
        kind: .message, payload: payload))
  }

  private func add(_ event: RecordedEvent) throws(ReplayFailure) {
    // They are held until the end, when the ids of the recording are known.
    guard added.count < RecordingUpdate.mostAdded else {
      throw ReplayFailure(
        "more than \(RecordingUpdate.mostAdded) messages and answers are not in the recording at "
          + "all; record anew rather than update it")
    }
    added.append(event)
  }

  private static let mostAdded = 65_536

  private func write(_ event: RecordedEvent) throws(ReplayFailure) {
    do throws(RecordingError) {
      try writer.append(event)
    } catch {
      throw ReplayFailure(error.description)
    }
  }
}

extension RecordedEvent {
  /// The same entry with another answer; nil where the call has none.
  fileprivate init?(_ event: RecordedEvent, answeredWith outcome: ReplyOutcome) {
    self = event
    shown = nil
    isOneWay = false
    switch outcome {
    case .payload(let payload): (kind, self.payload) = (.reply, payload)
    case .dropped: (kind, payload) = (.dropped, nil)
    case .refused(let refusal): (kind, payload) = (.refused(refusal), nil)
    case .disconnected: return nil
    }
  }
}
