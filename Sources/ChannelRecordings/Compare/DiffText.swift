import ChannelRouter

extension RecordingDiff.Finding {
  /// Lines for people, as `diff` has them: `-` before what only the first recording has.
  public func lines(_ comparer: MessageComparer) -> [String] {
    switch self {
    case .onlyFirst(let call):
      return ["- \(call.place.text): \(call.label(comparer))"]
    case .onlySecond(let call):
      return ["+ \(call.place.text): \(call.label(comparer))"]
    case .moved(let one, let other):
      return ["> \(one.place.text), now \(other.place.text): \(one.label(comparer)): moved"]
    case .changed(let one, let other, let message, let answer):
      var lines = ["! \(one.place.text), \(other.place.text): \(one.label(comparer))"]
      RecordingDiff.Finding.add(message, "message", to: &lines)
      RecordingDiff.Finding.add(answer, "answer", to: &lines)
      return lines
    }
  }

  private static func add(_ comparison: Comparison, _ what: String, to lines: inout [String]) {
    for difference in comparison.differences {
      lines.append("  \(what) \(difference.text)")
      lines.append("    \(difference.dartView)")
    }
    if comparison.furtherCount > 0 {
      lines.append("  and \(comparison.furtherCount) more differences")
    }
  }
}

extension RecordedCall {
  /// Channel, method and arguments in a few words.
  public func label(_ comparer: MessageComparer) -> String {
    let isToDart = message.direction == .nativeToDart
    let words = comparer.words(for: message.payload, on: message.channel, isToDart: isToDart)
    return "\(message.channel) \(words)\(isToDart ? " (to Dart)" : "")"
  }
}
