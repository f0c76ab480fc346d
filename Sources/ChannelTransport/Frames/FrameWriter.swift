import ChannelRouter

/// Builds frames in the memory that they are written from. A payload is copied once, and memory is
/// only taken when what waits to be written does not fit.
public final class FrameWriter {
  /// What the receiver accepts; the default until its hello is here.
  @exclusivity(unchecked) public var limits: FrameLimits

  @exclusivity(unchecked) private var queue = ByteQueue()

  /// With nothing to write yet.
  public init(limits: FrameLimits = FrameLimits()) { self.limits = limits }

  // MARK: What waits to be written

  /// How many bytes wait to be written.
  public var pendingCount: Int { queue.count }

  /// The bytes to write next; they stay until ``consumed(_:)``.
  public func withPending<Outcome, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    try body(queue.bytes)
  }

  /// The first `count` of the pending bytes have been written.
  public func consumed(_ count: Int) { queue.consume(count) }

  /// Takes all pending bytes out.
  public func takePending() -> [UInt8] {
    let bytes = [UInt8](queue.bytes)
    queue.consume(bytes.count)
    return bytes
  }

  // MARK: Frames

  /// - Throws: ``FrameProblem/payloadTooLong`` for options that no hello can hold.
  public func hello(_ hello: Hello) throws(FrameError) {
    let payload = hello.fields.encoded
    if payload.count > FrameLimits.largestHello {
      let text = "a hello of \(payload.count) bytes; it has \(FrameLimits.largestHello) at most"
      throw FrameError(.payloadTooLong, text, isFatal: true)
    }
    put(.hello, id: Hello.magic, payload: payload)
  }

  /// - Throws: ``FrameProblem/payloadTooLong`` or ``FrameProblem/channelNameTooLong`` against the
  ///   limits of the receiver, and ``FrameProblem/channelNameMissing``; nothing is added then.
  public func message(
    _ channel: ChannelName, id: UInt64, payload: [UInt8]?
  ) throws(FrameError) {
    if channel.utf8.isEmpty {
      throw FrameError(
        .channelNameMissing, "a message needs a channel name", id: id, isFatal: false)
    }
    if channel.utf8.count > limits.maximumChannelName {
      let text =
        "a channel name of \(channel.utf8.count) bytes; "
        + "the other side accepts \(limits.maximumChannelName)"
      throw FrameError(.channelNameTooLong, text, id: id, isFatal: false)
    }
    try checkLength(payload, id)
    put(.message, channel: channel, id: id, payload: payload)
  }

  /// - Throws: ``FrameProblem/payloadTooLong``; nothing is added then.
  public func reply(id: UInt64, payload: [UInt8]?) throws(FrameError) {
    try checkLength(payload, id)
    put(.reply, id: id, payload: payload)
  }

  /// Says that the message with this id will never be answered.
  public func dropped(id: UInt64) { put(.dropped, id: id, payload: nil) }

  /// Says that the answer to the message with this id is no longer wanted.
  public func cancel(id: UInt64) { put(.cancel, id: id, payload: nil) }

  /// Reports a problem, of a call or of the stream. A long text is cut.
  public func error(_ error: FrameError) {
    put(.error, id: error.id, fields: Fields(error))
  }

  /// A line for people, flagged optional. Only for a receiver with ``Hello/Capability/log``.
  public func log(_ level: LogLevel, _ text: String, channel: ChannelName? = nil, id: UInt64 = 0) {
    let name = channel.flatMap { $0.utf8.count <= limits.maximumChannelName ? $0 : nil }
    put(
      .log, flags: .optional, channel: name, id: id,
      fields: Fields([("level", level.rawValue), ("text", text)]))
  }

  /// Says that no more messages will be started.
  public func bye(reason: String? = nil) {
    put(.bye, id: 0, fields: Fields(reason.map { [("reason", $0)] } ?? []))
  }

  /// Adds a frame as it is, even one that a reader would refuse. Nothing is checked but that the
  /// lengths fit their fields.
  ///
  /// - Throws: ``FrameProblem/payloadTooLong`` or ``FrameProblem/channelNameTooLong``.
  public func append(_ frame: Frame) throws(FrameError) {
    if (frame.payload?.count ?? 0) > FrameLimits.largestPayload {
      throw tooLong(frame.payload?.count ?? 0, FrameLimits.largestPayload, frame.id)
    }
    if (frame.channel?.utf8.count ?? 0) > FrameLimits.longestChannelName {
      throw FrameError(.channelNameTooLong, "a channel name over 65,535 bytes", isFatal: false)
    }
    put(
      frame.kind, flags: frame.flags, channel: frame.channel, id: frame.id, payload: frame.payload)
  }

  // MARK: Bytes

  @inline(__always)
  private func checkLength(_ payload: [UInt8]?, _ id: UInt64) throws(FrameError) {
    if let payload, payload.count > limits.maximumPayload {
      throw tooLong(payload.count, limits.maximumPayload, id)
    }
  }

  private func tooLong(_ length: Int, _ limit: Int, _ id: UInt64) -> FrameError {
    FrameError(
      .payloadTooLong, "a payload of \(length) bytes; the other side accepts \(limit)", id: id)
  }

  /// Fields are cut to what the receiver accepts, whole lines from the end.
  private func put(
    _ kind: FrameKind, flags: FrameFlags = [], channel: ChannelName? = nil, id: UInt64,
    fields: Fields
  ) {
    let limit = min(limits.maximumPayload, FrameLimits.largestHello)
    put(kind, flags: flags, channel: channel, id: id, payload: fields.encoded(upTo: limit))
  }

  private func put(
    _ kind: FrameKind, flags: FrameFlags = [], channel: ChannelName? = nil, id: UInt64,
    payload: [UInt8]?
  ) {
    let nameLength = channel?.utf8.count ?? 0
    let payloadLength = payload?.count ?? 0
    let payloadStart = FrameHead.size &+ padded(nameLength)
    let size = payloadStart &+ padded(payloadLength)
    let space = queue.space(atLeast: size)
    let flags = payload == nil ? flags.union(.noPayload) : flags
    let low =
      UInt64(payloadLength) | UInt64(kind.rawValue) << 32 | UInt64(flags.rawValue) << 40
      | UInt64(nameLength) << 48
    space.storeBytes(of: low.littleEndian, as: UInt64.self)
    space.storeBytes(of: id.littleEndian, toByteOffset: 8, as: UInt64.self)
    if let channel { Self.copy(channel.utf8, to: space, at: FrameHead.size, end: payloadStart) }
    if let payload { Self.copy(payload, to: space, at: payloadStart, end: size) }
    queue.commit(size)
  }

  /// Copies with zeros behind, up to `end`.
  @inline(__always)
  private static func copy(
    _ bytes: [UInt8], to space: UnsafeMutableRawBufferPointer, at start: Int, end: Int
  ) {
    if start == end { return }
    // The zeros first: the last eight bytes, most of which the copy then overwrites.
    space.storeBytes(of: 0, toByteOffset: end &- 8, as: UInt64.self)
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(rebasing: space[start..<(start &+ source.count)])
        .copyMemory(from: source)
    }
  }
}

/// How much a log line matters.
public enum LogLevel: String, Sendable, CaseIterable {
  /// In the words of the field `level`.
  case info, warning, error
}
