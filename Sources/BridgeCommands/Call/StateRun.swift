import ChannelCodec
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import TerminalSafety

/// One run of `pwbridge state`.
struct StateRun {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() throws(CommandFailure) {
    let choices = invocation.options.serving
    let target = try CallTarget(choices, invocation.console)
    defer { target.client.close(timeout: .seconds(1)) }
    let activities = try target.control("activities", timeout: choices.timeout)
    if invocation.options.printsJSON {
      guard let json = try? JSONMessageCodec().encode(activities) else {
        throw .checkFailed("the activities cannot be written as JSON")
      }
      return try invocation.console.print(
        String(decoding: json, as: UTF8.self).jsonSafeForTerminal)
    }
    let now = try target.control("state", timeout: choices.timeout)["now"]?.double ?? 0
    let list = activities.list.map { Array($0) } ?? []
    if list.isEmpty { return try invocation.console.print("no activities") }
    for activity in list {
      for line in ActivityText(activity).lines(now: now) { try invocation.console.print(line) }
    }
  }
}

extension CallTarget {
  /// Calls a method of `pwbridge/control`.
  func control(
    _ method: Value.Text, _ arguments: Value = .null, timeout: Duration
  ) throws(CommandFailure) -> Value {
    do throws(BridgeClient.Failure) {
      return try client.control(method, arguments, timeout: timeout)
    } catch {
      throw .checkFailed(error.description)
    }
  }
}

extension BridgeClient {
  /// Calls a method of `pwbridge/control`; one that brings no result fails as a lost connection
  /// does.
  func control(
    _ method: Value.Text, _ arguments: Value = .null, timeout: Duration
  ) throws(Failure) -> Value {
    let outcome = try invoke(method, arguments, on: "pwbridge/control", timeout: timeout)
    guard case .success(let value) = outcome else { return .null }
    return value
  }
}

/// An activity, as the control channel describes it, in words.
struct ActivityText {
  private let fields: Value

  init(_ fields: Value) { self.fields = fields }

  var state: String { text("state") ?? "" }

  /// What the guide's widget would show: `mm:ss`, or `hh:mm:ss` from an hour on. nil for content
  /// without a number `elapsedTime`.
  var clock: String? {
    guard let seconds = fields["contentState"]?["elapsedTime"]?.integer else { return nil }
    return ActivityText.clock(seconds)
  }

  /// As `StopwatchWidgetLiveActivity.getTimeString` of the guide has it.
  static func clock(_ seconds: Int64) -> String {
    func two(_ number: Int64) -> String {
      let digits = "\(number.magnitude)"
      let sign = number < 0 ? "-" : ""
      // `%02d` counts the sign as a place.
      return sign + String(repeating: "0", count: max(0, 2 - digits.utf8.count - sign.utf8.count))
        + digits
    }
    let rest = [seconds % 3600 / 60, seconds % 3600 % 60].map(two)
    let parts = seconds / 3600 == 0 ? rest : [two(seconds / 3600)] + rest
    return parts.joined(separator: ":")
  }

  func lines(now: Double) -> [String] {
    let number = fields["number"]?.integer ?? 0
    var head = "\(number)  \(word("state"))  \(word("id"))  \(word("attributesType"))"
    if let content = fields["contentState"] {
      head += " \(CompactNotation.text(of: content, limit: 100))"
    }
    var facts: [String] = []
    if let clock { facts.append("shows \(clock)") }
    if let start = fields["startedAt"]?.double ?? fields["requestedAt"]?.double {
      facts.append("started \(ActivityText.span(now - start)) ago by \(word("startedBy"))")
    }
    let updates = fields["updates"]?.integer ?? 0
    facts.append("\(updates) \(updates == 1 ? "update" : "updates")")
    if let end = fields["endedAt"]?.double {
      facts.append("ended \(ActivityText.span(now - end)) ago by \(word("endedBy"))")
    }
    if let removal = fields["removalAt"]?.double, removal > now {
      facts.append("gone in \(ActivityText.span(removal - now))")
    }
    if fields["hasIsland"]?.bool ?? false { facts.append("in the Dynamic Island") }
    return [head, "   " + facts.joined(separator: ", ")]
  }

  private func text(_ name: String) -> String? { fields[name]?.string }
  private func word(_ name: String) -> String { (text(name) ?? "?").safeForTerminal }

  /// `3s`, `2m 5s`, `8h 1m`.
  static func span(_ seconds: Double) -> String {
    let whole = Int64(exactly: max(0, seconds).rounded(.down)) ?? 0
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return "\(whole / 60)m \(whole % 60)s" }
    return "\(whole / 3600)h \(whole % 3600 / 60)m"
  }
}
