import ChannelRouter

/// Finds which calls of two sequences belong together, so that as many as possible are the same and
/// the order is kept; of calls that are not the same, those of one method go together.
struct CallAlignment {
  /// What a call is compared by.
  struct Key: Hashable {
    /// Of channel, direction and the whole message.
    var message: Int
    /// Of channel, direction and method.
    var method: Int
  }

  /// A step through both sequences.
  enum Step: Hashable {
    /// The next one of both.
    case both
    /// One that only the first sequence has.
    case onlyFirst
    case onlySecond
  }

  private static let sameMessage: Int32 = 4
  private static let sameMethod: Int32 = 1

  /// The steps that go through both sequences. Takes time and memory in the product of their
  /// lengths.
  static func steps(_ first: [Key], _ second: [Key]) -> [Step] {
    let width = second.count + 1
    // scores[i * width + j]: the best of first[i...] and second[j...].
    var scores = [Int32](repeating: 0, count: (first.count + 1) * width)
    for one in stride(from: first.count - 1, through: 0, by: -1) {
      for other in stride(from: second.count - 1, through: 0, by: -1) {
        let below = scores[(one + 1) * width + other]
        let right = scores[one * width + other + 1]
        let worth = worth(first[one], second[other])
        let both = worth > 0 ? scores[(one + 1) * width + other + 1] + worth : 0
        scores[one * width + other] = max(both, max(below, right))
      }
    }
    var steps: [Step] = []
    var (one, other) = (0, 0)
    while one < first.count, other < second.count {
      let score = scores[one * width + other]
      let worth = worth(first[one], second[other])
      if worth > 0, score == scores[(one + 1) * width + other + 1] + worth {
        steps.append(.both)
        one += 1
        other += 1
      } else if score == scores[(one + 1) * width + other] {
        steps.append(.onlyFirst)
        one += 1
      } else {
        steps.append(.onlySecond)
        other += 1
      }
    }
    steps += Array(repeating: .onlyFirst, count: first.count - one)
    steps += Array(repeating: .onlySecond, count: second.count - other)
    return steps
  }

  private static func worth(_ one: Key, _ other: Key) -> Int32 {
    if one.message == other.message { return sameMessage }
    return one.method == other.method ? sameMethod : 0
  }
}
