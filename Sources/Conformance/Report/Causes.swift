/// What the failures of a run look like, the most frequent first: a thousand failures are often one
/// mistake.
struct Causes {
  struct Cause {
    /// As it stands in the explanations.
    var sentence: String
    var count: Int
    /// The first case of it.
    var id: String
  }

  /// How the sentences begin in which ``FailureExplanation`` names a mistake.
  private static let beginnings = ["It looks like ", "Up to a later difference it looks like "]

  let causes: [Cause]
  /// Failures for which no cause is named.
  let otherCount: Int

  init(_ results: ConformanceResults) {
    var places: [String: Int] = [:]
    var causes: [Cause] = []
    var others = 0
    for result in results.cases where result.isUnknownFailure {
      guard let sentence = Causes.cause(of: result) else {
        others += 1
        continue
      }
      if let place = places[sentence] {
        causes[place].count += 1
      } else {
        places[sentence] = causes.count
        causes.append(Cause(sentence: sentence, count: 1, id: result.id))
      }
    }
    // Where counts are equal, the order of the run stays.
    self.causes = causes.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    otherCount = others
  }

  /// The mistake that a case's explanation names: "It looks like …".
  static func cause(of result: CaseResult) -> String? {
    switch result.verdict {
    case .crash: return "The testee crashed."
    case .timeout: return "The testee gave no answer in time."
    case .protocolError: return "The answer breaks the rules between runner and testee."
    case .pass, .skipped, .fail: break
    }
    for sentence in result.explanation {
      for beginning in beginnings {
        guard let place = sentence.firstRange(of: beginning) else { continue }
        return "It looks like " + sentence[place.upperBound...]
      }
      if sentence.hasPrefix("A reader stops here when ") {
        return "Refused; a reader stops there when "
          + sentence.dropFirst("A reader stops here when ".count)
      }
    }
    return nil
  }
}
