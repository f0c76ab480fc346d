import ChannelRouter

/// Counts what a recording holds: one pass, entry by entry, in memory that does not grow with it.
///
/// Bounds: 4,096 channels and 8,192 methods are told apart, the rest counted together; second
/// answers are recognised behind 65,536 later messages; of the messages that wait longer, 65,536 are
/// kept, beyond which the older half counts as never answered, and an answer of theirs as one
/// without a message.
public struct RecordingInspector {
  /// A message that has been answered, or will not be.
  public struct Call: Sendable {
    /// Line of the text form, or byte of the binary one.
    public var place: UInt64
    /// Which of the messages of the recording, from 1.
    public var number: UInt64
    public var microseconds: Int64
    public var id: UInt64
    public var direction: RecordedEvent.Direction
    public var channel: ChannelName
    /// The method; nil for other messages.
    public var method: [UInt8]?
    public var ending: Ending

    /// What became of it.
    public enum Ending: Sendable {
      case answered(RecordedEvent, latency: Int64)
      /// A second or later answer.
      case answeredAgain(RecordedEvent)
      /// It wants no reply.
      case oneWay
      case unanswered
    }
  }

  var inspection = RecordingInspection()
  private var channels = ChannelTable()
  private var rows = RowTable()
  private var calls: CallTable
  private var guess = ChannelCodecGuess()
  private var lanes: [Lane] = []
  private var number: UInt64 = 0
  private let onCall: ((Call) -> Void)?

  /// What is known of one direction of a channel.
  private struct Lane {
    /// The last of the messages that have an answer.
    var highestAnswered: [UInt64] = [0, 0]
    var isPigeon: Bool
    /// Entries that the guess of the codec still wants.
    var wanted = 600
  }

  /// - Parameter onCall: gets each message with its ending, in the order of the endings; those that
  ///   stay open come last.
  public init(onCall: ((Call) -> Void)? = nil) {
    self.onCall = onCall
    calls = CallTable()
  }

  /// Counts an entry.
  ///
  /// - Parameter place: its line or byte.
  public mutating func add(_ event: RecordedEvent, at place: UInt64) {
    let (channel, isNew) = channels.number(of: event.channel)
    if isNew {
      lanes.append(Lane(isPigeon: event.channel.utf8.starts(with: Self.pigeon)))
    }
    if lanes[channel].wanted > 0, channel != channels.others {
      lanes[channel].wanted -= 1
      guess.add(event)
    }
    inspection.note(time: event.microseconds)
    if case .message = event.kind {
      addMessage(event, channel, place)
    } else {
      addAnswer(event, place)
    }
  }

  private static let pigeon = Array("dev.flutter.pigeon.".utf8)

  private mutating func addMessage(_ event: RecordedEvent, _ channel: Int, _ place: UInt64) {
    number += 1
    let (shape, name) = MessageShape.of(event.payload, event.direction)
    let size = UInt64(event.payload?.count ?? 0)
    let row: Int
    if let payload = event.payload {
      row = payload.withUnsafeBytes {
        rows.row(channel, event.direction, shape, UnsafeRawBufferPointer(rebasing: $0[name]))
      }
    } else {
      row = rows.row(
        channel, event.direction, shape, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    rows.update(row) { row in
      row.messages &+= 1
      row.messageBytes &+= size
      if size > row.largestMessage { row.largestMessage = size }
      if event.isOneWay { row.oneWay &+= 1 }
    }
    let record = CallTable.Record(
      call: event.call, microseconds: event.microseconds, number: number, place: place,
      row: Int32(truncatingIfNeeded: row), shape: shape)
    if event.isOneWay {
      if onCall != nil { tell(record, .oneWay) }
      return
    }
    // The closure may not touch the table that it is called from.
    var givenUp: [(CallTable.Record, Bool)] = []
    calls.open(record) { givenUp.append(($0, $1)) }
    for (record, isReuse) in givenUp {
      if isReuse { inspection.reusedIDs += 1 } else { inspection.givenUp += 1 }
      leave(record)
    }
  }

  private mutating func addAnswer(_ event: RecordedEvent, _ place: UInt64) {
    switch calls.answer(event.call) {
    case .none:
      inspection.answersWithoutMessage += 1
    case .again(let record):
      rows.update(Int(record.row)) { $0.doubleReplies &+= 1 }
      if onCall != nil { tell(record, .answeredAgain(event)) }
    case .first(let record):
      let row = Int(record.row)
      let channel = rows.rows[row].channel
      let way = Int(record.call.direction.rawValue)
      let isOvertaken = record.number < lanes[channel].highestAnswered[way]
      if !isOvertaken { lanes[channel].highestAnswered[way] = record.number }
      let isPigeon = lanes[channel].isPigeon
      let latency = event.microseconds.subtractingReportingOverflow(record.microseconds)
      let microseconds = latency.overflow ? 0 : latency.partialValue
      let size = UInt64(event.payload?.count ?? 0)
      rows.update(row) { row in
        row.answers &+= 1
        row.answerBytes &+= size
        if size > row.largestAnswer { row.largestAnswer = size }
        if isOvertaken { row.overtaken &+= 1 }
        row.latency.add(microseconds)
        switch event.kind {
        case .dropped: row.dropped &+= 1
        case .refused: row.refused &+= 1
        case .message, .reply:
          switch AnswerShape.of(event.payload, to: record.shape, isPigeon: isPigeon) {
          case .value: break
          case .none: row.nullReplies &+= 1
          case .error: row.errors &+= 1
          }
        }
      }
      if onCall != nil { tell(record, .answered(event, latency: microseconds)) }
    }
  }

  /// Notes how many entries could not be read.
  public mutating func note(malformed count: UInt64) { inspection.malformed = count }

  /// What has been counted, and the messages that are still open.
  ///
  /// - Parameter given: codecs that are known, such as those of the header.
  public mutating func finish(
    codecs given: ChannelCodecMap = ChannelCodecMap()
  ) -> RecordingInspection {
    var open: [CallTable.Record] = []
    calls.drain { open.append($0) }
    for record in open { leave(record) }
    inspection.settle(
      channels: channels.names, others: channels.others, rows: rows.rows, guess: guess,
      given: given)
    inspection.hasOtherMethods = rows.isFull
    return inspection
  }

  /// A message that gets no answer.
  private mutating func leave(_ record: CallTable.Record) {
    let row = Int(record.row)
    let way = Int(record.call.direction.rawValue)
    let highest = lanes[rows.rows[row].channel].highestAnswered[way]
    rows.update(row) { row in
      if highest == 0 {
        row.unheeded &+= 1
      } else if record.number < highest {
        row.neverAnswered &+= 1
      } else {
        row.openAtEnd &+= 1
      }
    }
    if onCall != nil { tell(record, .unanswered) }
  }

  private func tell(_ record: CallTable.Record, _ ending: Call.Ending) {
    let row = rows.rows[Int(record.row)]
    onCall?(
      Call(
        place: record.place, number: record.number, microseconds: record.microseconds,
        id: record.call.id, direction: record.call.direction,
        channel: channels.names[row.channel], method: row.method, ending: ending))
  }
}
