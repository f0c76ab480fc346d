import ChannelCodec
import ChannelRouter

/// Compares what was recorded with what came now, byte for byte and then by structure.
public struct MessageComparer: Sendable {
  /// What counts as the same.
  public enum Matching: String, Sendable, CaseIterable {
    /// The same bytes.
    case bytes
    /// Values that Dart takes for the same; see ``ValueDifference/isEqualInDart``.
    case dart
  }

  /// Codecs that are known. Others are guessed from the messages at hand.
  public var codecs: ChannelCodecMap
  /// What may differ.
  public var rules: [IgnoreRule]
  /// Differences of two messages to keep; further ones are counted.
  public var mostDifferences: Int

  /// A comparer for these codecs and rules.
  public init(
    codecs: ChannelCodecMap = ChannelCodecMap(), rules: [IgnoreRule] = [], mostDifferences: Int = 20
  ) {
    self.codecs = codecs
    self.rules = rules
    self.mostDifferences = mostDifferences
  }

  // MARK: - Comparing

  /// Compares what answered a message.
  ///
  /// - Parameters:
  ///   - recorded: nil for no answer at all, which a device cannot tell from a dropped one.
  ///   - message: what was answered.
  public func compareAnswers(
    recorded: ReplyOutcome?, actual: ReplyOutcome?, to message: [UInt8]?, on channel: ChannelName
  ) -> Comparison {
    if recorded == actual || (recorded.isSilence && actual.isSilence) { return Comparison() }
    var payloads: [(payload: [UInt8]?, role: DecodedMessage.Role)] = [(message, .message)]
    if case .payload(let payload) = recorded { payloads.append((payload, .answer)) }
    if case .payload(let payload) = actual { payloads.append((payload, .answer)) }
    let codec = codecs[channel] ?? DecodedMessage.guess(payloads)
    let method = method(of: DecodedMessage(message, codec, .message))
    guard case .payload(let left) = recorded, case .payload(let right) = actual else {
      var walk = walk(channel, method)
      walk.note(
        ValueDifference(
          at: ValuePath(), .outcome, recorded: words(recorded, codec),
          actual: words(actual, codec), isEqualInDart: false))
      return walk.result
    }
    return compare(left, right, codec, .answer, channel, method)
  }

  /// Compares two messages of the same direction.
  ///
  /// - Parameter isToDart: whether they come from native code by themselves.
  public func compareMessages(
    recorded: [UInt8]?, actual: [UInt8]?, on channel: ChannelName, isToDart: Bool
  ) -> Comparison {
    if recorded == actual { return Comparison() }
    let role: DecodedMessage.Role = isToDart ? .event : .message
    let codec = codecs[channel] ?? DecodedMessage.guess([(recorded, role), (actual, role)])
    let method = method(of: DecodedMessage(recorded, codec, role))
    return compare(recorded, actual, codec, role, channel, method)
  }

  /// Whether a rule passes over all differences of a method, its absence included.
  public func ignores(_ channel: ChannelName, method: Value.Text?) -> Bool {
    rules.contains { $0.concerns(channel, method: method) && $0.covers(ValuePath()) }
  }

  // MARK: - Words

  /// The method that a message calls; nil where it is no method call.
  public func method(
    of message: [UInt8]?, on channel: ChannelName, isToDart: Bool = false
  ) -> Value.Text? {
    let role: DecodedMessage.Role = isToDart ? .event : .message
    let codec = codecs[channel] ?? DecodedMessage.guess([(message, role)])
    return method(of: DecodedMessage(message, codec, role))
  }

  /// A message in a few words: `startLiveActivity {elapsedSeconds: 0}`.
  public func words(
    for message: [UInt8]?, on channel: ChannelName, isToDart: Bool = false
  ) -> String {
    let role: DecodedMessage.Role = isToDart ? .event : .message
    let codec = codecs[channel] ?? DecodedMessage.guess([(message, role)])
    return DecodedMessage(message, codec, role).words(role, codec)
  }

  /// What answered a message, in a few words: `success null`, `no answer (dropped)`.
  public func words(
    for outcome: ReplyOutcome?, to message: [UInt8]?, on channel: ChannelName
  ) -> String {
    var payloads: [(payload: [UInt8]?, role: DecodedMessage.Role)] = [(message, .message)]
    if case .payload(let payload) = outcome { payloads.append((payload, .answer)) }
    return words(outcome, codecs[channel] ?? DecodedMessage.guess(payloads))
  }

  private func words(_ outcome: ReplyOutcome?, _ codec: ChannelCodecKind) -> String {
    switch outcome {
    case nil: "no answer"
    case .payload(let payload): DecodedMessage(payload, codec, .answer).words(.answer, codec)
    case .dropped: "no answer (dropped)"
    case .refused(let refusal):
      "refused, \(ShownValue.name(Value.Text(refusal.code))): "
        + ShortNotation.quoted(Value.Text(refusal.text))
    case .disconnected: "no answer (the connection ended)"
    }
  }

  // MARK: -

  private func method(of message: DecodedMessage) -> Value.Text? {
    if case .call(let call) = message { return call.method }
    return nil
  }

  private func walk(_ channel: ChannelName, _ method: Value.Text?) -> ValueWalk {
    let rules = rules.filter { $0.concerns(channel, method: method) }
    return ValueWalk(limit: mostDifferences) { path in rules.contains { $0.covers(path) } }
  }

  private func compare(
    _ recorded: [UInt8]?, _ actual: [UInt8]?, _ codec: ChannelCodecKind,
    _ role: DecodedMessage.Role, _ channel: ChannelName, _ method: Value.Text?
  ) -> Comparison {
    if recorded == actual { return Comparison() }
    var walk = walk(channel, method)
    let left = DecodedMessage(recorded, codec, role)
    let right = DecodedMessage(actual, codec, role)
    switch (left, right) {
    case (.call(let left), .call(let right)):
      if left.method != right.method {
        walk.note(
          ValueDifference(
            at: ValuePath(), .method, recorded: "the method \(ShownValue.name(left.method))",
            actual: ShownValue.name(right.method), isEqualInDart: false))
      }
      walk.compare(recorded: left.arguments, actual: right.arguments)
    case (.envelope(.success(let left)), .envelope(.success(let right))),
      (.value(let left), .value(let right)):
      walk.compare(recorded: left, actual: right)
    case (.envelope(.error(let left)), .envelope(.error(let right))):
      walk.compare(recorded: left, actual: right)
    case (.bytes(let left), .bytes(let right)): walk.compare(recorded: left, actual: right)
    default:
      let kind: ValueDifference.Kind = left.isMalformed || right.isMalformed ? .bytes : .outcome
      walk.note(
        ValueDifference(
          at: ValuePath(), kind, recorded: left.words(role, codec),
          actual: right.words(role, codec), isEqualInDart: false))
    }
    if walk.result.isMatch, walk.result.ignoredCount == 0, let recorded, let actual {
      let offset = zip(recorded, actual).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      let place = offset ?? min(recorded.count, actual.count)
      walk.note(
        ValueDifference(
          at: ValuePath(), .encoding,
          recorded: "\(recorded.count) bytes",
          actual: "\(actual.count) bytes that mean the same and differ from byte \(place)",
          isEqualInDart: true))
    }
    return walk.result
  }
}

extension ReplyOutcome? {
  /// Whether Dart never hears anything.
  fileprivate var isSilence: Bool { self == nil || self == .dropped }
}

extension ValueWalk {
  fileprivate mutating func compare(recorded: ErrorEnvelope, actual: ErrorEnvelope) {
    let root = ValuePath.Component.part("error")
    compare(
      recorded: .string(recorded.code), actual: .string(actual.code), at: [root, .part("code")])
    compare(
      recorded: recorded.message.map { .string($0) } ?? .null,
      actual: actual.message.map { .string($0) } ?? .null, at: [root, .part("message")])
    compare(recorded: recorded.details, actual: actual.details, at: [root, .part("details")])
    if recorded.stackTrace == actual.stackTrace { return }
    let text: (ErrorEnvelope.StackTrace) -> Value.Text? = {
      if case .text(let text) = $0 { return text }
      return nil
    }
    let words: (ErrorEnvelope.StackTrace) -> String = {
      switch $0 {
      case .absent: "none"
      case .null: "null"
      case .text(let text): ShortNotation.quoted(text)
      }
    }
    note(
      ValueDifference(
        at: ValuePath([root, .part("stacktrace")]), .value, recorded: words(recorded.stackTrace),
        actual: words(actual.stackTrace),
        isEqualInDart: text(recorded.stackTrace) == text(actual.stackTrace)))
  }

  fileprivate mutating func compare(recorded: [UInt8], actual: [UInt8]) {
    let offset = zip(recorded, actual).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let place = offset ?? min(recorded.count, actual.count)
    let start = max(0, place - 4)
    note(
      ValueDifference(
        at: ValuePath(), .value,
        recorded:
          "\(recorded.count) bytes, from byte \(start) \(ShortNotation.hex(recorded[start...]))",
        actual: "\(actual.count) bytes, \(ShortNotation.hex(actual[start...]))",
        isEqualInDart: false))
  }
}
