import ChannelCodec
import ChannelRouter
import ChannelTransport

/// Counts what became of calls, over all devices of a server, and which calls went wrong. Calls of
/// `pwbridge/control` steer the device and are no part of what an app does, so they do not count.
final class CallTotals: TrafficObserver {
  /// What can go wrong with a call, in the order of the summary.
  enum Trouble: Int, CaseIterable {
    case error
    case notImplemented
    case refused
    case dropped
    case leftOpen
    case repeatedReply

    /// For a number of them.
    func words(_ count: Int) -> String {
      switch self {
      case .error: count == 1 ? "error" : "errors"
      case .notImplemented: "not implemented"
      case .refused: "refused"
      case .dropped: "dropped"
      case .leftOpen: "left open"
      case .repeatedReply: count == 1 ? "repeated reply" : "repeated replies"
      }
    }
  }

  private(set) var calls = 0
  private var counts = [Int](repeating: 0, count: Trouble.allCases.count)
  private var names: [[String: Int]] = Array(repeating: [:], count: Trouble.allCases.count)
  /// Names come from outside; those past this number are only counted.
  private static let mostNames = 1000
  /// Names that are the same up to here count as one.
  private static let longestName = 200
  private static let controlChannel: ChannelName = "pwbridge/control"

  func count(of trouble: Trouble) -> Int { counts[trouble.rawValue] }

  /// Calls whose Future would never complete on a device.
  var unanswered: Int { count(of: .dropped) + count(of: .leftOpen) }

  func note(_ trouble: Trouble, _ name: String) {
    counts[trouble.rawValue] += 1
    let name = name.shortened(toBytes: CallTotals.longestName)
    guard
      names[trouble.rawValue].count < CallTotals.mostNames
        || names[trouble.rawValue][name] != nil
    else { return }
    names[trouble.rawValue][name, default: 0] += 1
  }

  // MARK: - TrafficObserver

  func messenger(_ messenger: RoutingMessenger, received call: BinaryReply) {
    if call.channel != CallTotals.controlChannel { calls += 1 }
  }

  func messenger(
    _ messenger: RoutingMessenger, answered call: BinaryReply, with outcome: ReplyOutcome
  ) {
    guard call.id != 0, call.channel != CallTotals.controlChannel else { return }
    // What comes after its client has gone was counted as left open.
    if (call.port as? FrameConnection)?.isClosed ?? false { return }
    switch outcome {
    case .payload(nil): note(.notImplemented, name(of: call))
    case .payload(let reply?):
      if isError(reply, to: call) { note(.error, name(of: call)) }
    case .refused: note(.refused, name(of: call))
    case .dropped: note(.dropped, name(of: call))
    case .disconnected: break
    }
  }

  func messenger(_ messenger: RoutingMessenger, sent message: SentMessage) {}
  func messenger(
    _ messenger: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage
  ) {}

  func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport) {
    guard report.kind == .replyAlreadySubmitted else { return }
    let method = messenger.journal.entry(report.call)?.method.map { " \($0)" } ?? ""
    note(.repeatedReply, (report.channel?.description ?? "") + method)
  }

  private func name(of call: BinaryReply) -> String {
    guard call.method == nil, let method = GuessedMessage(call.message).method else {
      return call.label
    }
    return "\(call.channel) \(method)"
  }

  /// An error envelope starts with a byte that is no 0, or is a JSON list of three or four.
  private func isError(_ reply: [UInt8], to call: BinaryReply) -> Bool {
    guard let first = reply.first, first == 1 || first == UInt8(ascii: "[") else { return false }
    if case .error = GuessedReply(reply, to: GuessedMessage(call.message)) { return true }
    return false
  }

  // MARK: - Summary

  /// A line with the sums, and one for each kind of trouble with the calls it befell most often.
  var summary: [String] {
    var parts = ["\(calls) \(calls == 1 ? "call" : "calls")"]
    for trouble in Trouble.allCases where count(of: trouble) > 0 {
      parts.append("\(count(of: trouble)) \(trouble.words(count(of: trouble)))")
    }
    var lines = [parts.joined(separator: ", ")]
    for trouble in Trouble.allCases where count(of: trouble) > 0 {
      let worst = names[trouble.rawValue].sorted {
        $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value
      }
      let shown = worst.prefix(3).map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }
      let rest = worst.count > 3 ? ", and others" : ""
      lines.append("  \(trouble.words(2)): \(shown.joined(separator: ", "))\(rest)")
    }
    return lines
  }
}
