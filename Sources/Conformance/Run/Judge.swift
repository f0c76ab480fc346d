import ChannelCodec
import ChannelNotation

/// Holds answers against expectations.
enum Judge {
  /// The verdict, what came, and a note where there is something to say.
  struct Judgement {
    var verdict: Verdict
    var actual: Payload?
    var note: String?
  }

  static func judge(
    _ answer: Answer, _ expectation: Expectation, _ request: TestRequest
  ) -> Judgement {
    switch answer {
    case .skipped(let reason): return Judgement(verdict: .skipped, note: reason)
    case .timeout(let note): return Judgement(verdict: .timeout, note: note)
    case .protocolError(let note): return Judgement(verdict: .protocolError, note: note)
    case .crash(let note):
      if case .crash(let text) = expectation {
        return Judgement(verdict: .pass, note: "it crashes, as the platform does: \(text)")
      }
      return Judgement(verdict: .crash, note: note)
    case .refusal(let text):
      var isRight = false
      switch expectation {
      case .refusal, .crash, .unspecified: isRight = true
      case .content, .bytes: break
      }
      return Judgement(verdict: isRight ? .pass : .fail, actual: .refusal(text))
    case .bytes(let bytes): return judge(bytes, expectation, request)
    case .content(let content): return judge(content, expectation, request)
    case .value(let text):
      do throws(CodecError) {
        return judge(try Content(text, request.codec), expectation, request)
      } catch {
        return Judgement(
          verdict: .protocolError,
          note: "the value is not typed JSON for the codec \(request.codec.rawValue): \(error)")
      }
    }
  }

  private static func judge(
    _ bytes: [UInt8]?, _ expectation: Expectation, _ request: TestRequest
  ) -> Judgement {
    if request.operation == .decode {
      return Judgement(verdict: .protocolError, note: "decode wants a value, hex came")
    }
    let actual: Payload = bytes.map { .bytes($0) } ?? .noMessage
    switch expectation {
    case .unspecified: return Judgement(verdict: .pass, actual: actual)
    case .bytes(let expected, let comparison):
      let isRight = bytes == expected || isReordered(bytes, expected, comparison, request)
      return Judgement(verdict: isRight ? .pass : .fail, actual: actual)
    case .content, .refusal, .crash: return Judgement(verdict: .fail, actual: actual)
    }
  }

  private static func judge(
    _ content: Content, _ expectation: Expectation, _ request: TestRequest
  ) -> Judgement {
    // No message is no payload as well: an encoder may say so either way.
    if request.operation != .decode {
      if content.isNothing { return judge(nil, expectation, request) }
      return Judgement(
        verdict: .protocolError, note: "\(request.operation.rawValue) wants hex, a value came")
    }
    var isRight = false
    switch expectation {
    case .unspecified: isRight = true
    case .content(let expected, let comparison): isRight = comparison.areEqual(content, expected)
    case .bytes, .refusal, .crash: break
    }
    if isRight { return Judgement(verdict: .pass) }
    return Judgement(
      verdict: .fail,
      actual: content.isNothing ? .noMessage : .value(content.typedJSON))
  }

  /// Whether two payloads differ only in the order of pairs. Padding moves with them, so they are
  /// compared as values, and the given one must be written as ours would be.
  private static func isReordered(
    _ bytes: [UInt8]?, _ expected: [UInt8]?, _ comparison: Comparison, _ request: TestRequest
  ) -> Bool {
    guard comparison == .anyOrder, let bytes, let expected else { return false }
    let codec = NamedCodec(request.codec, extensions: request.extensionTypes)
    guard let left = try? codec.decode(bytes), let right = try? codec.decode(expected),
      let first = try? Content(Array(left.utf8), request.codec),
      let second = try? Content(Array(right.utf8), request.codec),
      let again = try? codec.encode(Array(left.utf8))
    else { return false }
    return again == bytes && comparison.areEqual(first, second)
  }
}
