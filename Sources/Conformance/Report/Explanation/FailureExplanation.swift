import ChannelCodec
import ChannelNotation

/// What went wrong in a case, in sentences for someone who has never seen the codec's bytes. Only
/// what the answer shows is claimed: a known mistake is named when making it gives the same bytes.
public enum FailureExplanation {
  /// The sentences for one case; none for a pass or a skip. They hold text of the testee as it came
  /// and are to be escaped where they are shown.
  ///
  /// - Parameters:
  ///   - bugClass: the class of bug that the vector guards against (`flags` of the vector files).
  ///   - effect: what that bug does to users.
  public static func sentences(
    for result: CaseResult, bugClass: String? = nil, effect: String? = nil
  ) -> [String] {
    guard result.isFailure else { return [] }
    var sentences =
      switch result.verdict {
      case .pass, .skipped: [String]()
      case .fail: failure(result)
      case .crash: ending("ended (crashed) while it owed", result)
      case .timeout: ending("gave no answer in time and was stopped; it owed", result)
      case .protocolError: protocolError(result)
      }
    if sentences.isEmpty, let actual = result.actual { sentences.append(plainly(result, actual)) }
    if let bugClass, !bugClass.isEmpty {
      let consequence = effect.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
      sentences.append("This case guards against \"\(bugClass)\"\(consequence).")
    }
    return sentences
  }

  // MARK: - No answer

  private static func ending(_ what: String, _ result: CaseResult) -> [String] {
    let task =
      result.operation == "encode"
      ? "the bytes of" : result.operation == "decode" ? "the value of" : "the bytes read from"
    var sentences = [
      "The testee \(what) \(task) \(result.request.map { Words.text(of: $0) } ?? "the request")."
    ]
    switch result.request {
    case .bytes(let bytes)? where bytes.isEmpty:
      sentences.append("The message is empty: look for code that reads a first byte unasked.")
    case .bytes(let bytes)?:
      let isMalformed = result.expected.allSatisfy { $0.isRefusal } && !result.expected.isEmpty
      if isMalformed {
        sentences.append("The message is malformed and must be refused with an error.")
      } else if bytes.count > 253 {
        sentences.append("The message is long (\(Words.bytes(bytes.count))): look at sizes.")
      }
    case .noMessage?, .value("null")?:
      sentences.append("There is no message at all: look for code that does not expect null.")
    default: break
    }
    if let wanted = result.expected.first {
      sentences.append("Expected was \(Words.text(of: wanted)).")
    }
    return sentences
  }

  private static func protocolError(_ result: CaseResult) -> [String] {
    [
      "The testee's answer breaks the rules of Protocol/conformance.md, so it says nothing about "
        + "the codec yet."
    ]
  }

  // MARK: - A wrong answer

  private static func failure(_ result: CaseResult) -> [String] {
    guard let actual = result.actual else { return ["There is no answer to compare."] }
    guard let codec = NamedCodec.Name(rawValue: result.codec) else {
      return [plainly(result, actual)]
    }
    let answers = result.expected.filter { !$0.isRefusal }
    let wanted = closest(to: actual, in: answers.isEmpty ? result.expected : answers)
    switch (wanted, actual) {
    case (.refusal?, _): return accepted(result, actual, codec)
    case (_, .refusal(let text)): return refused(result, text, codec)
    case (.bytes(let expected)?, .bytes(let bytes)):
      if expected.isEmpty || bytes.isEmpty {
        return [plainly(result, actual)] + empties(wanted, actual)
      }
      return ByteExplanation(
        expected: expected, actual: bytes, codec: codec,
        search: roundTrip(result, expected, bytes, codec)
      ).sentences
    case (.noMessage?, .value(let value)):
      return ValueExplanation(expected: "null", actual: value, codec: codec).sentences
    case (.value(let expected)?, .noMessage):
      return ValueExplanation(expected: expected, actual: "null", codec: codec).sentences
    case (.value(let expected)?, .value(let value)):
      let search = reading(result, value, codec)
      let sentences = ValueExplanation(expected: expected, actual: value, codec: codec).sentences
      // The cause is named once: the values may show it by themselves.
      if sentences.contains(where: { $0.contains(" looks like ") }) { return sentences }
      return sentences + (search?.sentences ?? [])
    default: return [plainly(result, actual)] + empties(wanted, actual)
    }
  }

  private static func plainly(_ result: CaseResult, _ actual: Payload) -> String {
    let wanted = result.expected.map { Words.text(of: $0) }.joined(separator: " or ")
    return "Expected \(wanted), the testee answered with \(Words.text(of: actual))."
  }

  private static func empties(_ wanted: Payload?, _ actual: Payload) -> [String] {
    let isNothing = [wanted, actual].contains { $0 == .noMessage || $0 == .value("null") }
    let isEmpty = [wanted, actual].contains { $0 == .bytes([]) }
    let isNullByte = [wanted, actual].contains { $0 == .bytes([0]) }
    switch (isNothing, isEmpty, isNullByte) {
    case (true, true, _):
      return [
        "No message (a null reply) and an empty payload of 0 bytes are two different things: the "
          + "first means null or not implemented, the second is a message without content."
      ]
    case (true, _, true):
      return ["No message at all and the one byte 00, a message that holds null, are different."]
    case (_, true, true):
      return ["An empty payload and the one byte 00, a message that holds null, are different."]
    default: return []
    }
  }

  /// The testee took what it must refuse.
  private static func accepted(
    _ result: CaseResult, _ actual: Payload, _ codec: NamedCodec.Name
  ) -> [String] {
    var sentences = [
      "This must be refused with an error, but the testee answered with \(Words.text(of: actual))."
    ]
    guard case .bytes(let bytes)? = result.request,
      case .failure(let error) = NamedCodec(codec).react(to: bytes).result
    else { return sentences }
    sentences.append("What is wrong with the message: \(error).")
    switch error.code {
    case .truncated:
      sentences.append(
        "It looks like truncated input is accepted: bytes that are not there are taken for zeros, "
          + "or memory behind the message is read.")
    case .trailingBytes:
      sentences.append(
        "It looks like trailing bytes are accepted: after the value it is to be checked that the "
          + "message is at its end.")
    case .sizeTooLarge:
      sentences.append("It looks like a size is trusted that promises more than there is.")
    case .emptyMessage:
      sentences.append("An empty message is no value; it is not the same as null, the byte 00.")
    case .unknownType: sentences.append("It looks like an unknown type byte is skipped.")
    case .invalidUTF8: sentences.append("It looks like text is not checked to be UTF-8.")
    default: break
    }
    return sentences
  }

  /// The testee refused what is right.
  private static func refused(
    _ result: CaseResult, _ text: String, _ codec: NamedCodec.Name
  ) -> [String] {
    let wanted = result.expected.filter { !$0.isRefusal }.first.map { Words.text(of: $0) }
    var sentences = [
      "The testee refused this with an error (\(Words.clipped(text))), but it is valid"
        + (wanted.map { ": expected \($0)." } ?? ".")
    ]
    if case .bytes(let bytes)? = result.request, result.operation != "encode" {
      // With a type in it that few codecs know, that is the likelier reason.
      let isExotic = wanted.map { $0.contains("bigint") || $0.contains("custom") } ?? false
      let bugs = isExotic ? [] : BugSearch.refusing(bytes, codec: codec)
      if let first = bugs.first {
        sentences.append("A reader stops here when \(first.words).")
        if let other = bugs.dropFirst().first {
          sentences.append("It would also stop when \(other.words).")
        }
      }
    }
    return sentences
  }

  // MARK: - Evidence

  private static func roundTrip(
    _ result: CaseResult, _ expected: [UInt8], _ actual: [UInt8], _ codec: NamedCodec.Name
  ) -> BugSearch? {
    if let search = BugSearch.writing(expected: expected, actual: actual, codec: codec) {
      return search
    }
    guard result.operation == "roundtrip", case .bytes(let request)? = result.request else {
      return nil
    }
    return BugSearch.reading(
      request: request, actual: actual, codec: codec, isRoundTrip: true)
  }

  private static func reading(
    _ result: CaseResult, _ value: String, _ codec: NamedCodec.Name
  ) -> BugSearch? {
    guard case .bytes(let request)? = result.request,
      let actual = try? NamedCodec(codec, extensions: .pigeon).encode(Array(value.utf8))
    else { return nil }
    return BugSearch.reading(request: request, actual: actual, codec: codec)
  }

  /// The expectation that shares the most with the answer.
  private static func closest(to actual: Payload, in expected: [Payload]) -> Payload? {
    guard case .bytes(let bytes) = actual else {
      return expected.first { $0.isSameKind(as: actual) } ?? expected.first
    }
    var best: (payload: Payload, reach: Int)?
    for case .bytes(let candidate) in expected {
      let reach = BugSearch.commonPrefix(candidate, bytes)
      if reach > best?.reach ?? -1 { best = (.bytes(candidate), reach) }
    }
    return best?.payload ?? expected.first
  }
}

extension Payload {
  /// Whether it is an error.
  public var isRefusal: Bool {
    if case .refusal = self { return true }
    return false
  }

  fileprivate func isSameKind(as other: Payload) -> Bool {
    switch (self, other) {
    case (.bytes, .bytes), (.value, .value), (.refusal, .refusal), (.noMessage, .noMessage): true
    default: false
    }
  }
}
