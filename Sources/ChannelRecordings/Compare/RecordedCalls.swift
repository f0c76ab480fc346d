import ChannelCodec
import ChannelRouter

/// A recorded message with what answered it.
public struct RecordedCall: Sendable {
  public var message: RecordedEvent
  /// Where the message is.
  public var place: RecordingError.Place
  /// nil where the recording has none.
  public var outcome: ReplyOutcome?
}

/// Reads the calls of a recording in the order of their messages, each with its answer.
///
/// To find the answer it reads on by ``mostAhead`` entries at most; a call without one by then
/// counts as never answered, so that memory does not grow with the recording.
public final class RecordedCalls {
  public static let mostAhead = 65_536
  static let mostBytesAhead = 32 << 20

  /// Gets what is wrong with the recording: entries that cannot be read or make no sense.
  public var onFault: ((String, RecordingError.Place?) -> Void)?
  public let reader: RecordingReader

  private let isChosen: (ChannelName) -> Bool
  private var queue = Deque<Entry>()
  private var open: [RecordedEvent.Call: Entry] = [:]
  private var bytesAhead = 0
  private var readAhead = 0
  private var isAtEnd = false

  private final class Entry {
    var call: RecordedCall
    var isSettled = false
    /// How many entries had been read when this one was.
    let number: Int

    init(_ call: RecordedCall, number: Int) {
      self.call = call
      self.number = number
    }
  }

  /// - Parameter isChosen: whether a channel's entries are wanted.
  public init(_ reader: RecordingReader, isChosen: @escaping (ChannelName) -> Bool = { _ in true })
  {
    self.reader = reader
    self.isChosen = isChosen
  }

  /// The next call; nil at the end.
  ///
  /// - Throws: where nothing more can be read.
  public func next() throws(RecordingError) -> RecordedCall? {
    while !isAtEnd {
      if let first = queue.first, first.isSettled || isTooFarAhead(of: first) { break }
      try readOne()
    }
    guard let entry = queue.popFirst() else { return nil }
    if !entry.isSettled, open[entry.call.message.call] === entry {
      open[entry.call.message.call] = nil
    }
    bytesAhead -= size(of: entry.call)
    return entry.call
  }

  private func isTooFarAhead(of entry: Entry) -> Bool {
    readAhead - entry.number >= RecordedCalls.mostAhead || bytesAhead > RecordedCalls.mostBytesAhead
  }

  private func readOne() throws(RecordingError) {
    let event: RecordedEvent?
    do throws(RecordingError) {
      event = try reader.next()
    } catch {
      if error.isFatal { throw error }
      onFault?(error.text, error.place)
      return
    }
    guard let event else {
      isAtEnd = true
      return
    }
    guard isChosen(event.channel) else { return }
    readAhead += 1
    if !event.isAnswer {
      let entry = Entry(
        RecordedCall(message: event, place: reader.place, outcome: nil), number: readAhead)
      entry.isSettled = event.isOneWay
      if let former = open[event.call] {
        onFault?(
          "the id \(event.id) is that of the message at \(former.call.place.text), which has no "
            + "answer yet", reader.place)
        former.isSettled = true
      }
      if !event.isOneWay { open[event.call] = entry }
      bytesAhead += size(of: entry.call)
      queue.append(entry)
    } else if let entry = open.removeValue(forKey: event.call) {
      bytesAhead -= size(of: entry.call)
      entry.call.outcome = event.outcome
      bytesAhead += size(of: entry.call)
      entry.isSettled = true
    } else {
      onFault?("this answers the message \(event.id), which is not open here", reader.place)
    }
  }

  private func size(of call: RecordedCall) -> Int {
    var size = 256 + (call.message.payload?.count ?? 0)
    if case .payload(let payload?) = call.outcome { size += payload.count }
    return size
  }
}
