import ChannelRecordings
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface
import TerminalSafety

/// One run of `pwbridge replay`.
final class ReplayRun {
  private let options: BridgeOptions
  private let path: String
  private let command: [String]
  private let console: Console
  private var faults: [String] = []
  private var told: UInt64 = 0
  private var progress: ProgressLine

  private let reader: RecordingReader
  private let comparer: MessageComparer

  init(_ invocation: Invocation) throws(CommandFailure) {
    options = invocation.options
    console = invocation.console
    path = invocation.operands.first ?? "-"
    command = Array(invocation.operands.dropFirst())
    if options.replaying.updates, path == "-" {
      throw .usage(.other("--update needs a file to write to, not standard input"))
    }
    if !command.isEmpty, options.recording.target != nil {
      throw .usage(.other("--to and a command are two native sides; give one of them"))
    }
    if options.replaying.junit == "-" { console.printToErrors() }
    reader = try ReplayChoices.open(path, keepsShown: options.replaying.updates)
    comparer = options.replaying.comparer(options.recording, reader.header)
    progress = ProgressLine(total: reader.size)
  }

  func run() throws(CommandFailure) {
    let native = try makeNativeSide()
    defer { native.close() }
    let update = try makeUpdate()
    let replay = Replay(reader, to: native.target, options: replayOptions, update: update)
    replay.onMismatch = { [unowned self] in tell($0) }
    replay.onProgress = { [unowned self] in progress.update($0) }
    var failure: ReplayFailure?
    do throws(ReplayFailure) {
      try replay.run()
      progress.finish()
      if replay.summary.faults == 0 { try update?.commit() }
    } catch {
      progress.finish()
      failure = error
    }
    reader.tellTornTail(console)
    try print(replay.summary)
    try writeReport(replay.summary, failure)
    if let failure { throw .checkFailed(failure.description) }
    if let update { return try tell(update, replay.summary) }
    if !replay.summary.isClean { throw .ended(ExitCode.checkFailed.rawValue) }
  }

  // MARK: - Parts

  private var isInProcess: Bool { command.isEmpty && options.recording.target == nil }

  private var replayOptions: ReplayOptions {
    var replay = ReplayOptions()
    replay.channels = options.replaying.channels
    replay.speed = options.replaying.speed
    replay.timeout = options.serving.timeout
    // Another process may be slow where this one is not.
    if !isInProcess { replay.grace = .seconds(3) }
    replay.grace = min(replay.grace, replay.timeout)
    replay.matching = options.replaying.matching
    replay.comparer = comparer
    return replay
  }

  private func makeUpdate() throws(CommandFailure) -> RecordingUpdate? {
    guard options.replaying.updates else { return nil }
    do throws(RecordingError) {
      return try RecordingUpdate(path: path, of: reader)
    } catch {
      throw .trouble(error.description)
    }
  }

  private func makeNativeSide() throws(CommandFailure) -> NativeSide {
    if isInProcess {
      return try NativeSide(inProcess: options.serving, reader.header, console)
    }
    return try NativeSide(
      command: command, socket: options.recording.target ?? "", options.serving, console)
  }

  // MARK: - Words

  private func tell(_ mismatch: ReplayMismatch) {
    let lines = mismatch.lines.map(\.safeForTerminal)
    if mismatch.subject == .recording, faults.count < 20 { faults.append(lines[0]) }
    told += 1
    guard told <= ReplayChoices.mostTold else { return }
    progress.finish()
    if mismatch.subject == .recording {
      console.complain("pwbridge: \(lines.joined(separator: "\n"))")
    } else {
      // A reader of the output that has gone is found out by the summary.
      for line in lines { try? console.print(line) }
      try? console.flush()
    }
  }

  private func print(_ summary: ReplaySummary) throws(CommandFailure) {
    if told > ReplayChoices.mostTold {
      try console.print("… and \(told - ReplayChoices.mostTold) more that are not shown")
    }
    if told > 0 { try console.print("") }
    for line in ReplayTable.lines(summary) { try console.print(line.safeForTerminal) }
    if summary.different > 0, !options.replaying.updates {
      try console.print("to take what came for what is right: --update")
    }
  }

  private func tell(_ update: RecordingUpdate, _ summary: ReplaySummary) throws(CommandFailure) {
    guard summary.faults == 0 else {
      throw .checkFailed(
        "\(path): not updated, because entries that cannot be read would be lost")
    }
    let count = update.changedCount
    try console.print(
      count == 0
        ? "\(path.safeForTerminal): nothing to update"
        : "\(path.safeForTerminal): \(count) \(count == 1 ? "entry" : "entries") updated")
  }

  private func writeReport(
    _ summary: ReplaySummary, _ failure: ReplayFailure?
  ) throws(CommandFailure) {
    guard let junit = options.replaying.junit else { return }
    let bytes = JUnitReport.file(
      summary, name: path, faults: faults, failure: failure?.description)
    try console.writeFile(bytes, to: junit)
  }
}
