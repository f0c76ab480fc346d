import ChannelRouter

/// What a frame is for. The numbers stand in the streams and never change.
public enum FrameKind: UInt8, Sendable, CaseIterable, CustomStringConvertible {
  /// The first frame in each direction: version, limits, capabilities.
  case hello = 1
  /// A message on a channel; the id asks for a reply, unless it is 0.
  case message
  /// The answer to the message with the same id.
  case reply
  /// The message with this id will never be answered: its handler let go of the reply.
  case dropped
  /// The sender of the message with this id no longer wants the answer. It comes all the same.
  case cancel
  /// Something is wrong with a frame or a call; see ``FrameProblem``.
  case error
  /// A line for people.
  case log
  /// The sender will start no more messages.
  case bye

  /// The name that the contract uses.
  public var description: String {
    switch self {
    case .hello: "hello"
    case .message: "message"
    case .reply: "reply"
    case .dropped: "dropped"
    case .cancel: "cancel"
    case .error: "error"
    case .log: "log"
    case .bye: "bye"
    }
  }

  /// Whether a frame of this kind may name a channel. A message has to.
  var mayNameChannel: Bool { self == .message || self == .log }

  /// Whether a frame of this kind may have a payload.
  var mayHavePayload: Bool { self != .dropped && self != .cancel }
}

/// The flag bits of a frame.
public struct FrameFlags: OptionSet, Hashable, Sendable {
  /// The bits as they stand in the frame.
  public let rawValue: UInt8

  /// Any bits, known or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is no payload, which is not the same as an empty one.
  public static let noPayload = FrameFlags(rawValue: 1)
  /// A receiver that does not know the kind skips the frame.
  public static let optional = FrameFlags(rawValue: 2)
}

/// One whole frame.
public struct Frame: Hashable, Sendable {
  /// What the frame is for.
  public var kind: FrameKind
  /// Always with ``FrameFlags/noPayload`` where the payload is nil.
  public var flags: FrameFlags
  /// The channel of a message or log; nil for every other kind.
  public var channel: ChannelName?
  /// The call that the frame belongs to. 0 is no call.
  public var id: UInt64
  /// nil with ``FrameFlags/noPayload``, `[]` for an empty payload.
  public var payload: [UInt8]?

  /// - Parameter flags: ``FrameFlags/noPayload`` is added for a payload of nil.
  public init(
    _ kind: FrameKind, flags: FrameFlags = [], channel: ChannelName? = nil, id: UInt64 = 0,
    payload: [UInt8]? = nil
  ) {
    self.kind = kind
    self.flags = payload == nil ? flags.union(.noPayload) : flags
    self.channel = channel
    self.id = id
    self.payload = payload
  }

  /// A message; with id 0 it wants no reply. nil is no payload, which Dart sees as null
  /// (`packages/flutter/lib/src/services/binary_messenger.dart`).
  public static func message(
    _ channel: ChannelName, id: UInt64 = 0, payload: [UInt8]?
  ) -> Frame {
    Frame(.message, channel: channel, id: id, payload: payload)
  }

  /// A reply; nil is what an unimplemented method answers.
  public static func reply(id: UInt64, payload: [UInt8]?) -> Frame {
    Frame(.reply, id: id, payload: payload)
  }

  /// Says that a message will not be answered.
  public static func dropped(id: UInt64) -> Frame { Frame(.dropped, id: id) }
  /// Says that an answer is no longer wanted.
  public static func cancel(id: UInt64) -> Frame { Frame(.cancel, id: id) }
}

/// What is known of a frame before its payload has come.
public struct FrameHead: Hashable, Sendable {
  /// The bytes of a head, before the channel name.
  public static let size = 16

  /// What the frame is for.
  public var kind: FrameKind
  /// As they stand in the frame.
  public var flags: FrameFlags
  /// The channel of a message or log.
  public var channel: ChannelName?
  /// The call that the frame belongs to, or 0.
  public var id: UInt64
  /// The size of the payload as announced, without padding.
  public var payloadLength: Int

  /// A head with these parts, unchecked.
  public init(
    kind: FrameKind, flags: FrameFlags = [], channel: ChannelName? = nil, id: UInt64,
    payloadLength: Int
  ) {
    self.kind = kind
    self.flags = flags
    self.channel = channel
    self.id = id
    self.payloadLength = payloadLength
  }
}

/// `length` rounded up to a multiple of 8, as names and payloads are padded.
@inline(__always)
func padded(_ length: Int) -> Int { (length &+ 7) & ~7 }
