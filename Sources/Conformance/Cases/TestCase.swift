import ChannelCodec
import ChannelNotation

/// What a testee is asked to do.
public enum Operation: String, Sendable, CaseIterable {
  /// A payload is given, a value is wanted.
  case decode
  /// A value is given, a payload is wanted.
  case encode
  /// A payload is given; it is decoded and what came of it encoded.
  case roundtrip
}

/// One question to a testee.
public struct TestRequest: Sendable {
  /// What the question is about.
  public enum Subject: Sendable {
    /// nil is no payload at all.
    case payload([UInt8]?)
    case content(Content)
  }

  public var operation: Operation
  public var codec: NamedCodec.Name
  /// Type bytes that one standard value follows.
  public var extensions: [UInt8]
  public var subject: Subject

  public init(
    _ operation: Operation, _ codec: NamedCodec.Name, _ subject: Subject,
    extensions: [UInt8] = []
  ) {
    self.operation = operation
    self.codec = codec
    self.extensions = extensions
    self.subject = subject
  }

  var extensionTypes: ExtensionTypes {
    var types = ExtensionTypes()
    for type in extensions { types[type] = .oneValue }
    return types
  }

  /// For results.
  var payload: Payload {
    switch subject {
    case .payload(nil): .noMessage
    case .payload(let bytes?): .bytes(bytes)
    case .content(let content): content.isNothing ? .noMessage : .value(content.typedJSON)
    }
  }
}

/// What came of a question.
public enum Answer: Sendable {
  /// nil is no payload at all.
  case bytes([UInt8]?)
  /// As the testee wrote it, typed JSON.
  case value([UInt8])
  /// What a testee in this process has decoded.
  case content(Content)
  case refusal(String)
  case skipped(String)
  case crash(String)
  case timeout(String)
  case protocolError(String)
}

/// A question with what is right.
public struct TestCase: Sendable {
  public let id: String
  public let area: String
  public let level: Level
  public let request: TestRequest
  /// What the vector says about itself.
  public let note: String?
  let bug: BugClass?
  let expectation: Expectation

  /// More than anybody wants to see of a case that passes.
  private var isBig: Bool {
    if case .payload(let bytes?) = request.subject { return bytes.count > 4096 }
    if case .bytes(let bytes?, _) = expectation { return bytes.count > 4096 }
    return false
  }

  /// The case with its outcome; a failure is explained.
  ///
  /// - Parameter event: what happened, beside the answer.
  func result(_ verdict: Verdict, actual: Payload? = nil, event: String? = nil) -> CaseResult {
    let isShown = !isBig || (verdict != .pass && verdict != .skipped)
    var result = CaseResult(
      id: id, area: area, level: level, operation: request.operation.rawValue,
      codec: request.codec.rawValue, verdict: verdict, request: isShown ? request.payload : nil,
      expected: isShown ? expectation.payloads : [], actual: isShown ? actual : nil,
      note: [event, note].compactMap { $0 }.joined(separator: "\n"))
    if result.isFailure {
      result.explanation = FailureExplanation.sentences(
        for: result, bugClass: bug?.name, effect: bug?.effect)
    }
    return result
  }
}

extension Expectation {
  /// For results.
  var payloads: [Payload] {
    switch self {
    case .content(let content, _): [content.isNothing ? .noMessage : .value(content.typedJSON)]
    case .bytes(let bytes, _): [bytes.map { .bytes($0) } ?? .noMessage]
    case .refusal(let text), .crash(let text): [.refusal(text)]
    case .unspecified: []
    }
  }
}
