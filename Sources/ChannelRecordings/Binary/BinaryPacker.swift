import ChannelRouter

/// Packs entries into the binary form.
struct BinaryPacker {
  private var state = BinaryState()
  private var channels: [ChannelName: UInt64] = [:]
  private var latest: (name: ChannelName, number: UInt64)?
  private var body: [UInt8] = []

  mutating func append(header: [UInt8], to bytes: inout [UInt8]) {
    body.removeAll(keepingCapacity: true)
    body.append(BinaryFormat.Kind.header.rawValue | BinaryFormat.hasPayload)
    body += header
    finish(nil, &bytes)
  }

  mutating func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
    body.removeAll(keepingCapacity: true)
    let kind: BinaryFormat.Kind =
      switch event.kind {
      case .message: .message
      case .reply: .reply
      case .dropped: .dropped
      case .refused: .refused
      }
    var tag = kind.rawValue
    if event.direction == .nativeToDart { tag |= BinaryFormat.toDart }
    if event.payload != nil { tag |= BinaryFormat.hasPayload }
    if event.isOneWay { tag |= BinaryFormat.isOneWay }
    var more: UInt8 = 0
    if event.connection != nil { more |= BinaryFormat.hasConnection }
    if !event.unknownFields.isEmpty { more |= BinaryFormat.hasUnknownFields }
    if event.shown != nil { more |= BinaryFormat.hasShown }
    if more != 0 { tag |= BinaryFormat.hasMore }
    body.append(tag)
    if more != 0 { body.append(more) }
    put(BinaryFormat.zigzag(Int64(bitPattern: event.sequence &- state.sequence)))
    put(BinaryFormat.zigzag(event.microseconds &- state.microseconds))
    putChannel(event.channel)
    put(BinaryFormat.zigzag(Int64(bitPattern: event.id &- state.lastMessageID)))
    if let connection = event.connection { put(connection) }
    if !event.unknownFields.isEmpty { put(event.unknownFields) }
    if let shown = event.shown { put(shown) }
    if case .refused(let refusal) = event.kind {
      put(Array(refusal.code.utf8))
      put(Array(refusal.text.utf8))
      // 0 is no offset.
      put(refusal.offset.map { UInt64(clamping: $0) &+ 1 } ?? 0)
    }
    state.sequence = event.sequence &+ 1
    state.microseconds = event.microseconds
    if !event.isAnswer { state.lastMessageID = event.id }
    finish(event.payload, &bytes)
  }

  // MARK: -

  /// The number of a channel, counted from 1 as they come; 0 and its name for a new one.
  private mutating func putChannel(_ channel: ChannelName) {
    if let latest, latest.name == channel { return put(latest.number) }
    if let number = channels[channel] {
      latest = (channel, number)
      return put(number)
    }
    if channels.count < BinaryFormat.mostChannels {
      let number = UInt64(channels.count + 1)
      channels[channel] = number
      latest = (channel, number)
    }
    put(0)
    put(channel.utf8)
  }

  private mutating func finish(_ payload: [UInt8]?, _ bytes: inout [UInt8]) {
    Self.put(UInt64(body.count + (payload?.count ?? 0)), &bytes)
    bytes += body
    if let payload { bytes += payload }
  }

  private mutating func put(_ content: [UInt8]) {
    put(UInt64(content.count))
    body += content
  }

  @inline(__always)
  private mutating func put(_ number: UInt64) { Self.put(number, &body) }

  /// Seven bits a byte, the lowest first; the top bit says that more follow.
  @inline(__always)
  private static func put(_ number: UInt64, _ bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
