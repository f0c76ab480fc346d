/// What can be wrong with a frame, a hello or a call. The raw values are the stable codes that
/// error frames carry.
public enum FrameProblem: String, Sendable, CaseIterable {
  /// The stream does not begin with a hello: something else is talking.
  case notAFrame = "not-a-frame"
  /// The first frame is no hello, or a later one is.
  case helloExpected = "hello-expected"
  /// The hello lacks its version, or names one that is not spoken here.
  case unsupportedVersion = "unsupported-version"
  /// A kind that is not known, in a frame that is not flagged optional.
  case unknownKind = "unknown-kind"
  /// A flag bit without a meaning is set.
  case reservedFlags = "reserved-flags"
  /// A byte between name, payload and the next frame is not zero.
  case paddingNotZero = "padding-not-zero"
  /// A message without a channel.
  case channelNameMissing = "channel-name-missing"
  /// Longer than the receiver accepts.
  case channelNameTooLong = "channel-name-too-long"
  /// Not UTF-8, or with a NUL.
  case channelNameMalformed = "channel-name-malformed"
  /// A channel name in a frame of a kind that has none.
  case channelNameUnexpected = "channel-name-unexpected"
  /// Larger than the receiver accepts. The payload is skipped.
  case payloadTooLong = "payload-too-long"
  /// A payload in a frame flagged to have none, or of a kind that has none.
  case payloadUnexpected = "payload-unexpected"
  /// The stream ended inside a frame.
  case frameIncomplete = "frame-incomplete"
  /// A message with the id of a call that is still open.
  case idInUse = "id-in-use"
  /// An answer to a call that is not open.
  case idUnknown = "id-unknown"
  /// The payload of a hello, error, log or bye that is no fields, or a value that cannot be.
  case fieldsMalformed = "fields-malformed"
  /// The codec refused the payload of a message.
  case messageMalformed = "message-malformed"
  /// A mock has no answer: the recording that it plays does not have the message.
  case notRecorded = "not-recorded"
  /// Device options of the hello that do not fit, or that a shared device no longer takes.
  case deviceOptions = "device-options"
  /// A name that no device can have.
  case deviceName = "device-name"
  /// The server serves as many as it may.
  case tooManyConnections = "too-many-connections"
  /// The other side takes none of the answers that wait for it.
  case clientNotReading = "client-not-reading"
  /// The server takes nothing new any more.
  case shuttingDown = "shutting-down"
  /// A fault on this side, and not in what came.
  case `internal` = "internal"

  /// Whether the connection usually ends after it; ``FrameError/isFatal`` has the last word.
  public var isUsuallyFatal: Bool {
    switch self {
    case .payloadTooLong, .idUnknown, .messageMalformed, .notRecorded, .shuttingDown, .internal:
      false
    default: true
    }
  }
}

/// A problem with its place and with words for people: the content of an error frame.
public struct FrameError: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var problem: FrameProblem
  /// One line: what was found and what was expected.
  public var text: String
  /// The byte at fault in the stream; in the payload of the message where that is malformed, and in
  /// the payload of the frame where fields behind the hello are.
  public var offset: UInt64?
  /// The call concerned, or 0.
  public var id: UInt64
  /// The connection ends after it.
  public var isFatal: Bool

  /// - Parameter isFatal: nil for what is usual with the problem.
  public init(
    _ problem: FrameProblem, _ text: String, offset: UInt64? = nil, id: UInt64 = 0,
    isFatal: Bool? = nil
  ) {
    self.problem = problem
    self.text = text
    self.offset = offset
    self.id = id
    self.isFatal = isFatal ?? problem.isUsuallyFatal
  }

  /// Code, place and words in one line.
  public var description: String {
    problem.rawValue + (offset.map { " at byte \($0)" } ?? "") + ": " + text
  }
}

extension FrameError: Equatable {
  /// Errors are equal in all but their words, which are for people.
  public static func == (left: FrameError, right: FrameError) -> Bool {
    left.problem == right.problem && left.offset == right.offset && left.id == right.id
      && left.isFatal == right.isFatal
  }
}

/// The content of an error frame as it came: the code may be one that this side does not know.
public struct ReceivedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// As it came; see ``problem``.
  public var code: String
  /// Words for people.
  public var text: String
  /// In the payload of the call concerned, or in the stream.
  public var offset: UInt64?
  /// The call concerned, or 0.
  public var id: UInt64
  /// The other side closes the connection.
  public var isFatal: Bool

  /// nil for a code of a newer version.
  public var problem: FrameProblem? { FrameProblem(rawValue: code) }

  /// Code, place and words in one line.
  public var description: String {
    code + (offset.map { " at byte \($0)" } ?? "") + ": " + text
  }

  /// From an error frame.
  ///
  /// - Throws: ``FrameProblem/fieldsMalformed`` when the payload is not fields.
  public init(_ frame: Frame) throws(FrameError) {
    let fields = try Fields(parsing: frame.payload ?? [])
    code = fields["code"] ?? FrameProblem.internal.rawValue
    text = fields["text"] ?? ""
    offset = fields["offset"].flatMap { UInt64($0) }
    id = frame.id
    isFatal = fields["fatal"] == "true"
  }
}

extension Fields {
  /// The fields of an error frame.
  init(_ error: FrameError) {
    self.init([("code", error.problem.rawValue), ("text", error.text)])
    if let offset = error.offset { append("offset", String(offset)) }
    if error.isFatal { append("fatal", "true") }
  }
}
