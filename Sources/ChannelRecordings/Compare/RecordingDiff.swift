import ChannelCodec
import ChannelRouter

/// Compares two recordings call by call. Calls are aligned by channel, method and arguments within
/// a window of ``window`` calls; what moved further counts as missing here and added there. Memory
/// does not grow with the recordings.
public final class RecordingDiff {
  /// Calls of each recording that are looked at together where the two differ.
  public static let window = 512

  /// What is not the same.
  public enum Finding: Sendable {
    /// The same call with another message or another answer. Both comparisons may be matches, but
    /// not both are.
    case changed(RecordedCall, RecordedCall, message: Comparison, answer: Comparison)
    /// The same call at another place among the others, which may be a matter of time only.
    case moved(RecordedCall, RecordedCall)
    case onlyFirst(RecordedCall)
    case onlySecond(RecordedCall)
  }

  /// How many calls are in which state.
  public struct Totals: Hashable, Sendable {
    public var same: UInt64 = 0
    /// The same but for what a rule passes over.
    public var ignored: UInt64 = 0
    /// The same to Dart, in other bytes.
    public var sameInDart: UInt64 = 0
    public var changed: UInt64 = 0
    public var moved: UInt64 = 0
    public var onlyFirst: UInt64 = 0
    public var onlySecond: UInt64 = 0

    /// Whether nothing was found.
    public var isClean: Bool { changed == 0 && moved == 0 && onlyFirst == 0 && onlySecond == 0 }
  }

  /// Gets each finding, in the order of the recordings.
  public var onFinding: ((Finding) -> Void)?
  /// Called after each window or so many calls.
  public var onProgress: (() -> Void)?
  public private(set) var totals = Totals()

  private let first: RecordedCalls
  private let second: RecordedCalls
  private let comparer: MessageComparer
  private let matching: MessageComparer.Matching
  private var left = Side()
  private var right = Side()

  /// Calls that were read and not compared yet, with their keys.
  private struct Side {
    var calls: [RecordedCall] = []
    var keys: [CallAlignment.Key] = []
    var isAtEnd = false
  }

  public init(
    _ first: RecordedCalls, _ second: RecordedCalls, comparer: MessageComparer,
    matching: MessageComparer.Matching = .bytes
  ) {
    self.first = first
    self.second = second
    self.comparer = comparer
    self.matching = matching
  }

  /// Compares all of both.
  ///
  /// - Throws: where one of the two cannot be read any further.
  public func run() throws(RecordingError) {
    var count: UInt64 = 0
    while true {
      count &+= 1
      if count & 0xfff == 0 { onProgress?() }
      if left.calls.isEmpty, right.calls.isEmpty {
        // As long as both go along, nothing has to be kept.
        let one = try first.next()
        let other = try second.next()
        if one == nil, other == nil { return }
        if let one, let other, isSameMessage(one, other) {
          compare(one, other)
          continue
        }
        if let one { append(one, to: &left) }
        if let other { append(other, to: &right) }
      }
      try fill(&left, from: first)
      try fill(&right, from: second)
      settleWindow()
    }
  }

  // MARK: - Windows

  private func fill(_ side: inout Side, from calls: RecordedCalls) throws(RecordingError) {
    while !side.isAtEnd, side.calls.count < RecordingDiff.window {
      guard let call = try calls.next() else {
        side.isAtEnd = true
        return
      }
      append(call, to: &side)
    }
  }

  private func append(_ call: RecordedCall, to side: inout Side) {
    side.calls.append(call)
    side.keys.append(key(of: call))
  }

  /// Aligns the window and settles its first half, or all of it at the end. What is the same from
  /// then on is settled as well, so that the two go along again.
  private func settleWindow() {
    let steps = CallAlignment.steps(left.keys, right.keys)
    let isLast = left.isAtEnd && right.isAtEnd
    let half = RecordingDiff.window / 2
    var (one, other) = (0, 0)
    var single: (first: [Int], second: [Int]) = ([], [])
    var pairs: [(Int, Int)] = []
    for step in steps {
      if !isLast, one >= half || other >= half { break }
      switch step {
      case .both:
        pairs.append((one, other))
        one += 1
        other += 1
      case .onlyFirst:
        single.first.append(one)
        one += 1
      case .onlySecond:
        single.second.append(other)
        other += 1
      }
    }
    settle(single.first, single.second, pairs)
    left.calls.removeFirst(one)
    left.keys.removeFirst(one)
    right.calls.removeFirst(other)
    right.keys.removeFirst(other)
    if left.calls.isEmpty || right.calls.isEmpty { return }
    // Where the rest is the same all through, no window is needed for it.
    if left.keys.count == right.keys.count, zip(left.keys, right.keys).allSatisfy({ $0 == $1 }) {
      for (one, other) in zip(left.calls, right.calls) { compare(one, other) }
      left = Side(isAtEnd: left.isAtEnd)
      right = Side(isAtEnd: right.isAtEnd)
    }
  }

  private func settle(_ first: [Int], _ second: [Int], _ pairs: [(Int, Int)]) {
    // What both have, but at different places, has moved.
    var places: [CallAlignment.Key: [Int]] = [:]
    for place in second.reversed() { places[right.keys[place], default: []].append(place) }
    var moved: [Int: Int] = [:]
    var movedTo: Set<Int> = []
    for place in first {
      guard let partner = places[left.keys[place]]?.popLast() else { continue }
      moved[place] = partner
      movedTo.insert(partner)
    }
    var (onlyFirst, onlySecond) = (first[...], second[...])
    func tellSingles(before one: Int, _ other: Int) {
      while let place = onlyFirst.first, place < one {
        onlyFirst.removeFirst()
        if let partner = moved[place] {
          totals.moved &+= 1
          onFinding?(.moved(left.calls[place], right.calls[partner]))
          compareAnswers(left.calls[place], right.calls[partner], isCounted: false)
        } else {
          totals.onlyFirst &+= 1
          onFinding?(.onlyFirst(left.calls[place]))
        }
      }
      while let place = onlySecond.first, place < other {
        onlySecond.removeFirst()
        if movedTo.contains(place) { continue }
        totals.onlySecond &+= 1
        onFinding?(.onlySecond(right.calls[place]))
      }
    }
    for (one, other) in pairs {
      tellSingles(before: one, other)
      compare(left.calls[one], right.calls[other])
    }
    tellSingles(before: .max, .max)
  }

  // MARK: - Calls

  private func isSameMessage(_ one: RecordedCall, _ other: RecordedCall) -> Bool {
    one.message.payload == other.message.payload && one.message.channel == other.message.channel
      && one.message.direction == other.message.direction
  }

  private func key(of call: RecordedCall) -> CallAlignment.Key {
    let event = call.message
    var hasher = Hasher()
    hasher.combine(event.channel)
    hasher.combine(event.direction)
    var ofMethod = hasher
    ofMethod.combine(
      comparer.method(
        of: event.payload, on: event.channel, isToDart: event.direction == .nativeToDart))
    hasher.combine(event.payload)
    return CallAlignment.Key(message: hasher.finalize(), method: ofMethod.finalize())
  }

  private func compare(_ one: RecordedCall, _ other: RecordedCall) {
    compareAnswers(one, other, isCounted: true)
  }

  private func compareAnswers(_ one: RecordedCall, _ other: RecordedCall, isCounted: Bool) {
    let event = one.message
    let message = comparer.compareMessages(
      recorded: event.payload, actual: other.message.payload, on: event.channel,
      isToDart: event.direction == .nativeToDart)
    let answer = comparer.compareAnswers(
      recorded: one.outcome, actual: other.outcome, to: event.payload, on: event.channel)
    if message.isMatch, answer.isMatch {
      guard isCounted else { return }
      if message.ignoredCount + answer.ignoredCount > 0 {
        totals.ignored &+= 1
      } else {
        totals.same &+= 1
      }
    } else if matching == .dart, message.isEqualInDart, answer.isEqualInDart {
      if isCounted { totals.sameInDart &+= 1 }
    } else {
      totals.changed &+= 1
      onFinding?(.changed(one, other, message: message, answer: answer))
    }
  }
}
