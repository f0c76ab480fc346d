import ChannelCodec
import ChannelNotation
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import TerminalSafety

/// The guide's stopwatch, seen from Dart: starts a server process, speaks frames with it over
/// pipes, and prints what goes over the wire and what the phone would show. The device's clock
/// moves only when told to, so that every run prints the same.
final class DemoRun {
  private static let channel: ChannelName = "PW"
  private static let wait = Duration.seconds(20)
  /// One a second, as the guide's `Timer.periodic` has it.
  private static let updates: Int64 = 60

  private let console: Console
  private let client: BridgeClient
  private let warnings = Warnings()
  private var calls = 0
  private var answers = 0

  /// What the device says between a call and its reply.
  private final class Warnings {
    var lines: [String] = []
  }

  init(_ invocation: Invocation) throws(CommandFailure) {
    console = invocation.console
    let hello = Hello(
      software: BridgeProgram.versionLine,
      options: [
        Hello.Option(name: "clock", value: "stepped"),
        Hello.Option(name: "start-time", value: "2026-01-31T12:00:00Z"),
      ] + invocation.options.serving.deviceOptions)
    do throws(BridgeClient.Failure) {
      client = try BridgeClient.spawn(
        [BridgeProgram.path, "serve", "--quiet"], hello: hello, timeout: DemoRun.wait)
    } catch {
      throw .trouble(error.description)
    }
    client.onLog = { [warnings] in warnings.lines.append($0.text) }
  }

  func run() throws(CommandFailure) {
    try console.print(
      "A Flutter stopwatch talks to the native side: pwbridge serve, over pipes, in frames.\n"
        + "Bytes are those of the standard method codec.\n")
    try show("The person taps Start.", "startLiveActivity", seconds(0))
    try show("A second later.", "updateLiveActivity", seconds(1), after: 1)
    let silent = 2..<DemoRun.updates
    var replies: Set<String> = []
    for second in silent {
      replies.insert(words(try call("updateLiveActivity", seconds(second), after: 1).outcome))
    }
    try console.print(
      "\(silent.count) more updates, one a second: \(replies.sorted().joined(separator: " or "))\n")
    try show("A minute has passed.", "updateLiveActivity", seconds(DemoRun.updates), after: 1)
    try show(
      "A mistake in Dart: the number is a string.", "updateLiveActivity",
      ["elapsedSeconds": "61"], after: 1)
    try show("Another one: a list in place of a map.", "updateLiveActivity", [62], after: 1)
    try show("The person taps Stop.", "stopLiveActivity", .null)
    try show("A late update.", "updateLiveActivity", seconds(63), after: 1)
    try showLife()
    client.close()
  }

  private func seconds(_ number: Int64) -> Value { ["elapsedSeconds": .integer(number)] }

  // MARK: - Calls

  private struct Exchange {
    let message: [UInt8]
    let outcome: ReplyOutcome
  }

  private func call(
    _ method: Value.Text, _ arguments: Value, after span: Int = 0
  ) throws(CommandFailure) -> Exchange {
    if span > 0 { _ = try control("clock.advance", ["by": .integer(Int64(span))]) }
    warnings.lines = []
    let call = MethodCall(method, arguments)
    guard let message = try? StandardMethodCodec().encodeMethodCall(call) else {
      throw .checkFailed("\(method): the arguments cannot be encoded")
    }
    do throws(BridgeClient.Failure) {
      let outcome = try client.send(message, on: DemoRun.channel, timeout: DemoRun.wait)
      calls += 1
      if case .payload = outcome { answers += 1 }
      return Exchange(message: message, outcome: outcome)
    } catch {
      throw .checkFailed(error.description)
    }
  }

  private func control(_ method: Value.Text, _ arguments: Value) throws(CommandFailure) -> Value {
    do throws(BridgeClient.Failure) {
      return try client.control(method, arguments, timeout: DemoRun.wait)
    } catch {
      throw .checkFailed(error.description)
    }
  }

  // MARK: - Output

  private func show(
    _ title: String, _ method: Value.Text, _ arguments: Value, after span: Int = 0
  ) throws(CommandFailure) {
    let exchange = try call(method, arguments, after: span)
    try console.print(title)
    let text = arguments.isNull ? "" : " \(CompactNotation.text(of: arguments))"
    try console.print("  \(DemoRun.channel) \(method)\(text)")
    try console.print("  sent   \(hex(exchange.message))")
    if case .payload(let reply?) = exchange.outcome { try console.print("  reply  \(hex(reply))") }
    try print("means", words(exchange.outcome))
    for line in warnings.lines { try print("native", line.safeForTerminal) }
    try console.print("  phone  \(try screen())\n")
  }

  /// What the Lock Screen shows.
  private func screen() throws(CommandFailure) -> String {
    let activities = try control("activities", .null).list.map { Array($0) } ?? []
    guard let last = activities.last.map(ActivityText.init) else { return "nothing on screen" }
    return "Lock Screen \(last.clock ?? "?"), \(last.state)"
  }

  private func showLife() throws(CommandFailure) {
    let activities = try control("activities", ["all": true])
    try console.print("The life of the activity, from its store:")
    let now = try control("state", .null)["now"]?.double ?? 0
    for activity in activities.list.map({ Array($0) }) ?? [] {
      for line in ActivityText(activity).lines(now: now) { try console.print("  \(line)") }
    }
    try console.print(
      "\(calls) calls, \(answers) \(answers == 1 ? "reply" : "replies"), "
        + "\(calls - answers) never answered")
  }

  private func words(_ outcome: ReplyOutcome) -> String {
    let layout = TextLayoutOfLog(showsClients: false)
    if outcome == .dropped { return "no answer ever comes: the Future in Dart stays pending" }
    return layout.words(outcome, to: .call(MethodCall(""), .standard))
  }

  /// Both ends of what is long.
  private func hex(_ bytes: [UInt8]) -> String {
    func pairs(_ part: ArraySlice<UInt8>) -> String {
      part.map { Hex.text(of: CollectionOfOne($0)) }.joined(separator: " ")
    }
    let size = bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    guard bytes.count > 18 else { return "\(pairs(bytes[...]))  (\(size))" }
    return "\(pairs(bytes.prefix(10))) … \(pairs(bytes.suffix(7)))  (\(size))"
  }

  /// A line under its name, broken at spaces where it is long.
  private func print(_ name: String, _ text: String) throws(CommandFailure) {
    var rows = [""]
    for word in text.split(separator: " ") {
      if rows[rows.count - 1].count + word.count > 70 { rows.append("") }
      rows[rows.count - 1] += (rows[rows.count - 1].isEmpty ? "" : " ") + word
    }
    let margin = String(repeating: " ", count: max(1, 7 - name.count))
    try console.print("  \(name)\(margin)\(rows[0])")
    for row in rows.dropFirst() { try console.print("         \(row)") }
  }
}
