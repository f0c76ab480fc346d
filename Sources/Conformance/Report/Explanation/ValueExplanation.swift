import ChannelCodec
import ChannelNotation

/// Sentences about two values, given as typed JSON, that should be the same.
struct ValueExplanation {
  let expected: String
  let actual: String
  let codec: NamedCodec.Name
  /// The actual value is what the testee's bytes mean, not what the testee answered.
  var isReadBack = false

  var sentences: [String] {
    let left: Parts
    let right: Parts
    do {
      left = try Parts(expected, codec)
      right = try Parts(actual, codec)
    } catch {
      return ["The testee's answer is not typed JSON as this codec has it: \(error)."]
    }
    guard left.outcome == right.outcome else {
      return [
        "Expected \(left.outcome.rawValue), the testee \(isReadBack ? "wrote" : "answered with") "
          + "\(right.outcome.rawValue)."
      ] + nothings(left.outcome, right.outcome)
    }
    var differences = ValueDifferences()
    for (place, value) in left.values {
      let other = right.values.first { $0.part == place }?.value
      differences.compare(value, other ?? .null, at: place.map { [.part($0)] } ?? [])
    }
    if left.hasStackTrace != right.hasStackTrace {
      return [
        left.hasStackTrace
          ? "The error's fourth field, the stack trace, is missing in the testee's answer."
          : "The testee's answer has a fourth field, a stack trace, that is not expected."
      ]
    }
    var sentences = differences.found.map(sentence)
    if differences.furtherCount > 0 {
      sentences.append("There are \(differences.furtherCount) further differences.")
    }
    return sentences
  }

  private var subject: String { isReadBack ? "the testee's bytes mean" : "the testee answered" }

  private func sentence(_ difference: ValueDifferences.Difference) -> String {
    let text = difference.path.isRoot ? "" : "\(difference.path)"
    let place = ExplainedMessage.place(text)
    let wanted = difference.expected?.typedShortText ?? "nothing"
    let got = difference.actual?.typedShortText ?? "nothing"
    return switch difference.kind {
    case .content: "Value \(place): expected \(wanted), \(subject) \(got)." + hint(difference)
    case .type: "Type \(place): expected \(wanted), \(subject) \(got)." + hint(difference)
    case .missing: "Missing \(place): expected \(wanted)."
    case .extra: "Unexpected value \(place): \(got)."
    case .order:
      "Map order \(place): the pairs are right, but in another order; the order of the message is "
        + "to be kept."
    case .count:
      "Map \(place): expected \(difference.expected?.map?.count ?? 0) pairs, \(subject) "
        + "\(difference.actual?.map?.count ?? 0)." + repeats(difference)
    }
  }

  private func repeats(_ difference: ValueDifferences.Difference) -> String {
    guard let left = difference.expected?.map, let right = difference.actual?.map,
      left.count <= 4096, right.count <= 4096
    else { return "" }
    let (leftKeys, rightKeys) = (Set(left.map(\.key)), Set(right.map(\.key)))
    if leftKeys.count < left.count, rightKeys.count == right.count, leftKeys == rightKeys {
      return " It looks like repeated keys are merged; here all pairs are to be kept."
    }
    if rightKeys.count < right.count, leftKeys.count == left.count {
      return " A key comes twice; here pairs with the same key are to be merged."
    }
    return ""
  }

  /// Differences that one pair of values tells.
  private func hint(_ difference: ValueDifferences.Difference) -> String {
    switch (difference.expected, difference.actual) {
    case (.int32(let left)?, .int64(let right)?) where Int64(left) == right:
      " The number is right, but int64 stands where int32 is due."
    case (.int64(let left)?, .int32(let right)?) where left == Int64(right):
      " The number is right, but int32 stands where int64 is due."
    case (.int64(let left)?, .int32(let right)?) where Int32(truncatingIfNeeded: left) == right:
      " int32 stands where int64 is due, and the upper bits are lost."
    case (.float64(let left)?, .float64(let right)?) where left.isNaN && right.isNaN:
      " Both are NaN, but the bits of the NaN are lost."
    case (.float64(let left)?, .float64(let right)?) where left == 0 && right == 0:
      " The sign of zero is lost: -0.0 and 0.0 are different values."
    case (.float64(let left)?, .int32(let right)?) where left == Double(right):
      " A double became an integer because it has no fraction; the type must be kept."
    case (.int32(let left)?, .float64(let right)?) where Double(left) == right:
      " An integer became a double; the type must be kept."
    case (.bool(let left)?, .bool(let right)?) where left != right:
      " It looks like true and false are swapped; true is type byte 01, false is 02."
    case (.string(let left)?, .string(let right)?): texts(left, right)
    default: ""
    }
  }

  private func texts(_ expected: Value.Text, _ actual: Value.Text) -> String {
    let (left, right) = (expected.utf8, actual.utf8)
    if left.starts(with: [0xef, 0xbb, 0xbf]), left.dropFirst(3).elementsEqual(right) {
      return " The byte order mark (U+FEFF) at its start is dropped."
    }
    if left.starts(with: right), left.dropFirst(right.count).first == 0 {
      return " The string ends at its first NUL character."
    }
    if left.count != right.count, left.starts(with: right), left.contains(where: { $0 >= 0x80 }) {
      return " The string is cut: it looks like its length in UTF-16 units or characters is taken "
        + "for its size, which counts UTF-8 bytes."
    }
    return ""
  }

  private func nothings(_ left: Parts.Outcome, _ right: Parts.Outcome) -> [String] {
    guard left == .nothing || right == .nothing else { return [] }
    return [
      "No message at all (a null reply, not implemented) and a value that is null are two "
        + "different things."
    ]
  }
}

/// The values of a message of any codec, with their places.
private struct Parts {
  enum Outcome: String {
    case nothing = "no message at all (null)"
    case value = "a value"
    case call = "a method call"
    case success = "a success"
    case error = "an error envelope"
  }
  var outcome: Outcome
  var values: [(part: String?, value: Value)]
  var hasStackTrace = false

  init(_ text: String, _ codec: NamedCodec.Name) throws(CodecError) {
    switch codec {
    case .message, .jsonMessage, .string, .binary:
      let value = try TypedJSON.value(text)
      (outcome, values) = value.map { (.value, [(nil, $0)]) } ?? (.nothing, [])
    case .call, .jsonCall:
      let call = try TypedJSON.call(text)
      outcome = .call
      values = [("method", .string(call.method)), ("arguments", call.arguments)]
    case .envelope, .jsonEnvelope:
      switch try TypedJSON.envelope(text) {
      case nil: (outcome, values) = (.nothing, [])
      case .success(let result)?: (outcome, values) = (.success, [("result", result)])
      case .error(let error)?:
        outcome = .error
        values = [
          ("code", .string(error.code)), ("message", error.message.map { .string($0) } ?? .null),
          ("details", error.details),
        ]
        switch error.stackTrace {
        case .absent: break
        case .null: (hasStackTrace, values) = (true, values + [("stacktrace", .null)])
        case .text(let trace):
          (hasStackTrace, values) = (true, values + [("stacktrace", .string(trace))])
        }
      }
    }
  }
}
