import ChannelCodec
import ChannelRouter

/// Says why a message is not in a recording, with the recorded message that comes nearest and the
/// paths at which the two differ.
struct MockMismatch {
  /// Recorded messages that are read, and compared in full: the search must not take long.
  private static let mostRead = 2000
  private static let mostCompared = 200
  private static let mostPaths = 5

  private let recording: MockRecording
  private let matcher: MockMatcher
  private let payload: [UInt8]?
  private let channel: ChannelName
  /// What the message calls.
  let method: Value.Text?

  init(
    of payload: [UInt8]?, on channel: ChannelName, in recording: MockRecording,
    _ matcher: MockMatcher
  ) {
    (self.recording, self.matcher) = (recording, matcher)
    (self.payload, self.channel) = (payload, channel)
    method = recording.comparer.method(of: payload, on: channel)
  }

  func words(_ miss: MockMatcher.Miss) -> String {
    let what = method.map { "\(channel) \($0)" } ?? "\(channel)"
    switch miss {
    case .usedUp(let last):
      return "\(what): the recording has no further message like it; the last, "
        + "\(recording.expectations[last].place.text), is used up"
    case .notNext(let next?):
      return "\(what): another message comes next in the recording: \(describe(next))"
    case .notNext(nil):
      return "\(what): no message is left in the recording"
    case .unknown:
      guard let nearest = nearest() else {
        return "\(what): not in the recording, which has no message on this channel"
      }
      let use = matcher.isUsed(nearest) ? ", which is used up" : ""
      return "\(what): not in the recording; the nearest is \(describe(nearest))\(use)"
    }
  }

  /// The recorded message and where the one at hand differs from it.
  private func describe(_ number: Int) -> String {
    let words = recording.words(forMessage: number)
    let expectation = recording.expectations[number]
    guard expectation.channel == channel,
      recording.comparer.method(of: expectation.payload, on: channel) == method
    else { return words }
    let places = seen(comparison(with: number)).map(\.text)
    guard !places.isEmpty else { return words }
    let more = places.count - MockMismatch.mostPaths
    return "\(words): " + places.prefix(MockMismatch.mostPaths).joined(separator: "; ")
      + (more > 0 ? "; and \(more) more" : "")
  }

  private func comparison(with number: Int) -> Comparison {
    recording.comparer.compareMessages(
      recorded: recording.expectations[number].payload, actual: payload, on: channel,
      isToDart: false)
  }

  /// Those that a Dart program sees, unless there are no others.
  private func seen(_ comparison: Comparison) -> [ValueDifference] {
    let seen = comparison.differences.filter { !$0.isEqualInDart }
    return seen.isEmpty ? comparison.differences : seen
  }

  /// Of the messages on the channel the one with the same method and the fewest differences, one
  /// that has not been used first.
  private func nearest() -> Int? {
    var best: (rank: (Int, Int, Int, Int), number: Int)?
    var compared = 0
    for group in (recording.groupsOfChannel[channel] ?? []).prefix(MockMismatch.mostRead) {
      let numbers = recording.groups[group].lazy.map { Int($0) }
      guard let number = numbers.first(where: { !matcher.isUsed($0) }) ?? numbers.last else {
        continue
      }
      let recorded = recording.expectations[number].payload
      let isSameMethod = recording.comparer.method(of: recorded, on: channel) == method
      var count = Int.max
      if isSameMethod, compared < MockMismatch.mostCompared {
        compared += 1
        let comparison = comparison(with: number)
        count = seen(comparison).count + comparison.furtherCount
      }
      let rank = (isSameMethod ? 0 : 1, count, matcher.isUsed(number) ? 1 : 0, number)
      if best.map({ rank < $0.rank }) ?? true { best = (rank, number) }
    }
    return best?.number
  }
}
