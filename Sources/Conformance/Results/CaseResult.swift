/// One case of one run.
public struct CaseResult: Sendable, Hashable {
  /// Parts with dots between them, from the area to the operation:
  /// `standard-sizes.string-254.decode`, `generated.encode.17`.
  public var id: String
  /// What the reports group by, such as `standard-sizes`.
  public var area: String
  public var level: Level
  /// `decode`, `encode` or `roundtrip`.
  public var operation: String
  /// A name of `NamedCodec`, such as `message` or `json-call`.
  public var codec: String
  public var verdict: Verdict
  /// The reason in the list of known failures, empty where it has none; nil: the case is not listed.
  public var knownReason: String?
  /// What the testee was given.
  public var request: Payload?
  /// Each of these is right.
  public var expected: [Payload]
  /// What came; nil where nothing did (crash, timeout, skipped).
  public var actual: Payload?
  /// Why it was skipped, how the testee ended and its last words, what broke the protocol, or what
  /// the vector itself says.
  public var note: String?
  /// Sentences for someone who knows nothing of the codec, made by ``FailureExplanation``.
  public var explanation: [String]
  /// The generated input before it was made smaller, as hex or typed JSON.
  public var shrunkFrom: String?

  /// A case with these facts; what is left out is unknown.
  public init(
    id: String, area: String, level: Level = .required, operation: String, codec: String,
    verdict: Verdict, knownReason: String? = nil, request: Payload? = nil,
    expected: [Payload] = [], actual: Payload? = nil, note: String? = nil,
    explanation: [String] = [], shrunkFrom: String? = nil
  ) {
    self.id = id
    self.area = area
    self.level = level
    self.operation = operation
    self.codec = codec
    self.verdict = verdict
    self.knownReason = knownReason
    self.request = request
    self.expected = expected
    self.actual = actual
    self.note = note
    self.explanation = explanation
    self.shrunkFrom = shrunkFrom
  }

  /// Whether the testee did wrong: anything but a pass or a skip.
  public var isFailure: Bool { verdict != .pass && verdict != .skipped }
  /// Whether it did wrong and nobody has listed it.
  public var isUnknownFailure: Bool { isFailure && knownReason == nil }
}
