import ChannelRouter

/// The state and the work of a ``FrameReader``.
///
/// ```
/// 0        4      5       6             8    16
/// | length | kind | flags | name length | id | name, zeros | payload, zeros |
/// ```
/// All numbers are little-endian. Lengths leave out the zeros that pad name and payload to
/// multiples of 8.
struct FrameParser: ~Copyable {
  typealias Event = FrameReader.Event

  /// Payloads from here on are read into an array of their own instead of through the queue.
  private static let largePayload = 128 << 10

  let limits: FrameLimits

  private var queue = ByteQueue()
  private var names = ChannelNameCache()
  private var large: LargePayload?
  /// Bytes of a skipped frame still to come.
  private var skipping = 0
  /// The size of the frame that `large` or `skipping` is about.
  private var openFrameSize = 0
  private var hasHello: Bool
  private var failure: FrameError?
  /// One test for the rare: a failure, a large payload or a frame being skipped.
  private var isBusy = false
  /// Bytes consumed: where the frame begins that comes next.
  private var offset: UInt64 = 0

  init(limits: FrameLimits, expectsHello: Bool) {
    self.limits = limits
    hasHello = !expectsHello
  }

  var isBetweenFrames: Bool { queue.count == 0 && large == nil && skipping == 0 }

  var receivedByteCount: UInt64 {
    offset + UInt64(queue.count) + UInt64(large?.received ?? 0)
  }

  mutating func withSpace<Failure: Error>(
    atLeast needed: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    if isBusy, let count = try large?.fill(body) { return count }
    let count = try body(queue.space(atLeast: max(needed, 1)))
    queue.commit(count)
    return count
  }

  mutating func next() throws(FrameError) -> Event? {
    do throws(FrameError) {
      if isBusy {
        if let failure { throw failure }
        if skipping > 0, !skip() { return nil }
        if large != nil { return try finishLarge() }
      }
      // Most often the last frame has taken all there was.
      if hasHello, queue.count < FrameHead.size { return nil }
      return try parse()
    } catch {
      failure = error
      isBusy = true
      throw error
    }
  }

  func finish() throws(FrameError) {
    if let failure { throw failure }
    if isBetweenFrames { return }
    let size: Int
    let received: Int
    if large != nil || skipping > 0 {
      size = openFrameSize
      received = large.map { openFrameSize - $0.missing + queue.count } ?? (size - skipping)
    } else if let head = rawHead {
      size = head.frameSize
      received = queue.count
    } else {
      size = FrameHead.size
      received = queue.count
    }
    let part = rawHead == nil && large == nil && skipping == 0 ? " of the head" : ""
    throw FrameError(
      .frameIncomplete, "the stream ended inside a frame: \(received) of \(size) bytes\(part)",
      offset: receivedByteCount)
  }

  // MARK: Parsing

  /// The fixed part of a frame as numbers, unchecked.
  private struct RawHead {
    let payloadLength: Int
    let kind: UInt8
    let flags: UInt8
    let nameLength: Int
    let id: UInt64

    var payloadStart: Int { FrameHead.size &+ padded(nameLength) }
    var frameSize: Int { payloadStart &+ padded(payloadLength) }
  }

  private var rawHead: RawHead? {
    let bytes = queue.bytes
    guard bytes.count >= FrameHead.size else { return nil }
    let low = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    return RawHead(
      payloadLength: Int(UInt32(truncatingIfNeeded: low)),
      kind: UInt8(truncatingIfNeeded: low >> 32), flags: UInt8(truncatingIfNeeded: low >> 40),
      nameLength: Int(low >> 48),
      id: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  private mutating func parse() throws(FrameError) -> Event? {
    if !hasHello { try checkFirstBytes() }
    guard let head = rawHead else { return nil }
    guard let kind = FrameKind(rawValue: head.kind) else {
      try checkUnknown(head)
      beginSkipping(head, from: 0)
      return .skippedOptional(kind: head.kind)
    }
    try check(head, kind)

    let available = queue.count
    let payloadStart = head.payloadStart
    guard available >= payloadStart else { return nil }
    let channel = try channelName(head, kind)
    let flags = FrameFlags(rawValue: head.flags)
    // A hello may be larger than a small limit for messages.
    guard head.payloadLength <= limits.maximumPayload || kind == .hello else {
      beginSkipping(head, from: payloadStart)
      return .tooLong(
        FrameHead(
          kind: kind, flags: flags, channel: channel, id: head.id,
          payloadLength: head.payloadLength))
    }
    guard available >= head.frameSize else {
      guard head.payloadLength >= Self.largePayload else { return nil }
      beginLarge(head, Frame(kind, flags: flags, channel: channel, id: head.id, payload: []))
      return try finishLarge()
    }
    let hasPayload = !flags.contains(.noPayload) && kind.mayHavePayload
    let frame = Frame(
      kind, flags: flags, channel: channel, id: head.id,
      payload: hasPayload ? copyPayload(at: payloadStart, head.payloadLength) : nil)
    try checkPadding(after: payloadStart + head.payloadLength)
    consume(head.frameSize)
    if kind == .hello { hasHello = true }
    return .frame(frame)
  }

  @inline(__always)
  private func copyPayload(at start: Int, _ length: Int) -> [UInt8] {
    if length == 0 { return [] }
    // Of the ways to make an array from memory, this one takes half the time of the others.
    return [UInt8](UnsafeRawBufferPointer(rebasing: queue.bytes[start..<(start &+ length)]))
  }

  private mutating func consume(_ count: Int) {
    queue.consume(count)
    offset &+= UInt64(count)
  }

  // MARK: Frames that do not pass through the queue

  private mutating func beginSkipping(_ head: RawHead, from start: Int) {
    openFrameSize = head.frameSize
    skipping = head.frameSize - start
    consume(start)
    _ = skip()
  }

  /// False while there is more to skip.
  private mutating func skip() -> Bool {
    let count = min(skipping, queue.count)
    consume(count)
    skipping -= count
    isBusy = skipping > 0
    return !isBusy
  }

  private mutating func beginLarge(_ head: RawHead, _ frame: Frame) {
    consume(head.payloadStart)
    openFrameSize = head.frameSize
    let part = queue.bytes.prefix(head.payloadLength)
    large = LargePayload(
      frame: frame, length: head.payloadLength, start: UnsafeRawBufferPointer(rebasing: part))
    queue.consume(part.count)
    isBusy = true
  }

  /// The frame with a large payload once it is whole.
  private mutating func finishLarge() throws(FrameError) -> Event? {
    guard let whole = large, whole.isWhole else { return nil }
    let padding = padded(whole.length) - whole.length
    guard queue.count >= padding else { return nil }
    large = nil
    isBusy = false
    offset += UInt64(whole.length)
    try checkPadding(after: 0)
    consume(padding)
    var frame = whole.frame
    frame.payload = whole.bytes
    return .frame(frame)
  }

  // MARK: Checks

  @inline(__always)
  private func check(_ head: RawHead, _ kind: FrameKind) throws(FrameError) {
    let isPlain =
      head.flags & ~3 == 0 && head.nameLength <= limits.maximumChannelName
      && (head.nameLength > 0 ? kind.mayNameChannel : kind != .message)
      && (head.payloadLength == 0 || (head.flags & 1 == 0 && kind.mayHavePayload))
      && (kind != .hello || !hasHello)
    if !isPlain { throw headError(head, kind) }
  }

  @inline(never)
  private func headError(_ head: RawHead, _ kind: FrameKind) -> FrameError {
    if kind == .hello && hasHello {
      return FrameError(.helloExpected, "a second hello", offset: offset + 4)
    }
    if head.flags & ~3 != 0 {
      let text = "reserved flag bits are set: 0x\(String(head.flags, radix: 16))"
      return FrameError(.reservedFlags, text, offset: offset + 5)
    }
    if head.nameLength > 0 && !kind.mayNameChannel {
      let text = "a \(kind) frame has no channel name, but its length field says \(head.nameLength)"
      return FrameError(.channelNameUnexpected, text, offset: offset + 6)
    }
    if head.nameLength > limits.maximumChannelName {
      let text =
        "a channel name of \(head.nameLength) bytes; "
        + "at most \(limits.maximumChannelName) are accepted"
      return FrameError(.channelNameTooLong, text, offset: offset + 6, id: messageID(head, kind))
    }
    if head.nameLength == 0 && kind == .message {
      let text = "a message without a channel name"
      return FrameError(.channelNameMissing, text, offset: offset + 6, id: head.id)
    }
    let reason = kind.mayHavePayload ? "flagged to have none" : "of a kind that has none"
    let text = "a payload of \(head.payloadLength) bytes in a \(kind) frame, \(reason)"
    return FrameError(.payloadUnexpected, text, offset: offset, id: messageID(head, kind))
  }

  private func messageID(_ head: RawHead, _ kind: FrameKind) -> UInt64 {
    kind == .message ? head.id : 0
  }

  private func checkUnknown(_ head: RawHead) throws(FrameError) {
    if head.kind != 0 && head.flags & FrameFlags.optional.rawValue != 0 { return }
    var text = "kind \(head.kind) is not known"
    text += head.kind == 0 ? "; zeros between frames, or a length counted wrongly" : ""
    throw FrameError(.unknownKind, text, offset: offset + 4)
  }

  @inline(__always)
  private mutating func channelName(
    _ head: RawHead, _ kind: FrameKind
  ) throws(FrameError) -> ChannelName? {
    if head.nameLength == 0 { return nil }
    let range = FrameHead.size..<(FrameHead.size &+ head.nameLength)
    let bytes = UnsafeRawBufferPointer(rebasing: queue.bytes[range])
    guard let name = names.name(of: bytes) else {
      let text = "a channel name is UTF-8 without NUL"
      throw FrameError(
        .channelNameMalformed, text, offset: offset + UInt64(FrameHead.size),
        id: messageID(head, kind))
    }
    try checkPadding(after: range.upperBound)
    return name
  }

  /// Bytes from `start` in the queue up to the next multiple of 8 of the stream have to be zero.
  @inline(__always)
  private func checkPadding(after start: Int) throws(FrameError) {
    // Frames begin at multiples of 8, so that the position in the stream tells the size.
    let size = Int(truncatingIfNeeded: (0 &- (offset &+ UInt64(start))) & 7)
    if size == 0 { return }
    let end = start &+ size
    if end >= 8 {
      let last = queue.bytes.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
      if UInt64(littleEndian: last) >> UInt64(64 &- 8 &* size) == 0 { return }
    }
    try checkEach(start..<end)
  }

  @inline(never)
  private func checkEach(_ padding: Range<Int>) throws(FrameError) {
    guard let position = padding.first(where: { queue.bytes[$0] != 0 }) else { return }
    throw FrameError(
      .paddingNotZero, "padding is not zero: a name or payload longer than its length field?",
      offset: offset + UInt64(position))
  }

  private func checkFirstBytes() throws(FrameError) {
    if let wrong = ForeignStream.firstWrongByte(queue.bytes, limits) {
      let foreign = ForeignStream(queue.bytes.prefix(256))
      throw FrameError(.notAFrame, foreign.line, offset: offset + UInt64(wrong))
    }
    // An error in the place of the hello is how a server refuses; who may not send one, the
    // connection knows.
    let allowed = [FrameKind.hello.rawValue, FrameKind.error.rawValue]
    if let head = rawHead, !allowed.contains(head.kind) {
      let kind = FrameKind(rawValue: head.kind)?.description ?? "unknown"
      let text = "the first frame is of kind \(head.kind) (\(kind)); a hello has to come first"
      throw FrameError(.helloExpected, text, offset: offset + 4)
    }
  }
}
