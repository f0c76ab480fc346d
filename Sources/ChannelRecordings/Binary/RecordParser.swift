import ChannelRouter

/// Why a record is refused.
struct RecordFault: Error {
  var text: String
  init(_ text: String) { self.text = text }
}

/// Makes entries of records. Keeps what one record leaves behind for the next.
struct RecordParser {
  let keepsShown: Bool

  private var state = BinaryState()
  private var channels: [ChannelName] = []

  init(keepsShown: Bool) { self.keepsShown = keepsShown }

  /// What a record holds.
  enum Content {
    case header([UInt8])
    case event(RecordedEvent)
  }

  /// Forgets what came before: a new segment begins.
  mutating func reset() {
    state = BinaryState()
    channels = []
  }

  /// The content of a record, given without its length.
  mutating func content(_ record: UnsafeRawBufferPointer) throws(RecordFault) -> Content {
    var cursor = RecordCursor(record)
    let tag = try cursor.byte("a tag")
    guard tag & BinaryFormat.reserved == 0 else { throw RecordFault("a reserved bit is set") }
    guard let kind = BinaryFormat.Kind(rawValue: tag & BinaryFormat.kindMask) else {
      throw RecordFault("a record of kind \(tag & BinaryFormat.kindMask), which is not known")
    }
    if kind == .header {
      guard tag & ~BinaryFormat.kindMask == BinaryFormat.hasPayload else {
        throw RecordFault("a header with flags of an entry")
      }
      return .header(cursor.rest())
    }
    return .event(try event(tag, kind, &cursor))
  }

  private mutating func event(
    _ tag: UInt8, _ kind: BinaryFormat.Kind, _ cursor: inout RecordCursor
  ) throws(RecordFault) -> RecordedEvent {
    let more = tag & BinaryFormat.hasMore == 0 ? 0 : try cursor.byte("further flags")
    guard more & BinaryFormat.moreReserved == 0 else {
      throw RecordFault("a reserved bit is set in the further flags")
    }
    let sequence = state.sequence &+ UInt64(bitPattern: try cursor.signed("the sequence"))
    let time = state.microseconds &+ (try cursor.signed("the time"))
    let channel = try channel(&cursor)
    let id = state.lastMessageID &+ UInt64(bitPattern: try cursor.signed("the id"))
    var event = RecordedEvent(
      sequence: sequence, microseconds: time,
      direction: tag & BinaryFormat.toDart == 0 ? .dartToNative : .nativeToDart,
      channel: channel, id: id, kind: .message, payload: nil,
      isOneWay: tag & BinaryFormat.isOneWay != 0)
    if more & BinaryFormat.hasConnection != 0 {
      event.connection = try cursor.number("the connection")
    }
    if more & BinaryFormat.hasUnknownFields != 0 {
      event.unknownFields = Array(try cursor.run("the fields without a meaning"))
    }
    if more & BinaryFormat.hasShown != 0 {
      let shown = try cursor.run("the readable decoding")
      if keepsShown { event.shown = Array(shown) }
    }
    switch kind {
    case .reply: event.kind = .reply
    case .dropped: event.kind = .dropped
    case .refused: event.kind = .refused(try refusal(&cursor))
    case .message, .header: break
    }
    if tag & BinaryFormat.hasPayload != 0 {
      guard kind == .message || kind == .reply else {
        throw RecordFault("a payload where nothing was answered")
      }
      event.payload = cursor.rest()
    } else if !cursor.isAtEnd {
      throw RecordFault("\(cursor.remaining) bytes too many")
    }
    state.sequence = sequence &+ 1
    state.microseconds = time
    if kind == .message { state.lastMessageID = id }
    return event
  }

  private mutating func channel(_ cursor: inout RecordCursor) throws(RecordFault) -> ChannelName {
    let number = try cursor.number("the channel")
    if number > 0 {
      guard number <= UInt64(channels.count) else {
        throw RecordFault("channel \(number) of \(channels.count)")
      }
      return channels[Int(number) - 1]
    }
    let bytes = try cursor.run("a channel's name")
    guard !bytes.isEmpty, let name = ChannelName(validating: bytes) else {
      throw RecordFault("a channel's name has to be UTF-8 without NUL, and not empty")
    }
    if channels.count < BinaryFormat.mostChannels { channels.append(name) }
    return name
  }

  private func refusal(_ cursor: inout RecordCursor) throws(RecordFault) -> Refusal {
    let code = String(decoding: try cursor.run("a code"), as: UTF8.self)
    let text = String(decoding: try cursor.run("a reason"), as: UTF8.self)
    let offset = try cursor.number("an offset")
    guard let offset = Int(exactly: offset) else {
      throw RecordFault("an offset that does not fit in 63 bits")
    }
    return Refusal(code: code, text: text, offset: offset == 0 ? nil : offset - 1)
  }
}

/// Walks over the parts of a record.
struct RecordCursor {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  var remaining: Int { bytes.count - position }

  @inline(__always)
  mutating func byte(_ part: StaticString) throws(RecordFault) -> UInt8 {
    guard position < bytes.count else { throw RecordFault("the record ends before \(part)") }
    defer { position &+= 1 }
    return bytes[position]
  }

  @inline(__always)
  mutating func number(_ part: StaticString) throws(RecordFault) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte(part)
      if shift == 63, byte > 1 { throw RecordFault("\(part) does not fit in 64 bits") }
      number |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return number }
      shift &+= 7
    }
  }

  @inline(__always)
  mutating func signed(_ part: StaticString) throws(RecordFault) -> Int64 {
    BinaryFormat.unzigzag(try number(part))
  }

  mutating func run(_ part: StaticString) throws(RecordFault) -> UnsafeRawBufferPointer {
    let count = try number(part)
    guard count <= UInt64(remaining) else {
      throw RecordFault("\(part) has \(count) bytes, but the record only \(remaining) more")
    }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(count))])
  }

  mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return [UInt8](UnsafeRawBufferPointer(rebasing: bytes[position...]))
  }
}
