import ChannelTransport
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// One run of `pwbridge exec`: a server for as long as a command runs.
final class ExecRun {
  private let session: ServeSession
  private let choices: ServeChoices
  private let command: [String]
  private var child: ChildProcess?
  private var signals: SignalWatch?
  private var code: Int32?

  init(
    _ choices: ServeChoices, _ recording: RecordingChoices, _ command: [String],
    _ console: Console
  ) throws(CommandFailure) {
    var choices = choices
    // Clients are told apart in the log.
    choices.socket = ""
    self.choices = choices
    self.command = command
    session = try ServeSession(
      choices, devices: try choices.makeDeviceOptions(console),
      log: choices.isQuiet ? nil : choices.log, counts: true, recording: recording)
  }

  func run() throws(CommandFailure) {
    let directory: String
    do {
      directory = try SystemCalls.makePrivateDirectory(prefix: "pwbridge-")
    } catch {
      throw .trouble("cannot make a directory for the socket: \(error.text)")
    }
    let socket = "\(directory)/socket"
    defer {
      session.server?.stopListening()
      try? SystemCalls.removeDirectory(directory)
    }
    try session.listen(at: socket)
    do {
      signals = try session.loop.onSignal([.childEnded, .interrupt, .terminate, .hangUp]) {
        [unowned self] in handle($0)
      }
    } catch {
      throw .trouble("cannot watch for signals: \(error.text)")
    }
    if let failure = start(socket) {
      session.say("\(command[0].quotedForTerminal): \(failure.text)")
      session.output.finish()
      // As shells have it: not found, or found and not to be run.
      throw .ended(failure.isMissing ? 127 : 126)
    }
    try session.run()
    conclude()
    session.output.finish()
    if let code, code != 0 { throw .ended(code) }
  }

  private func start(_ socket: String) -> SystemCalls.Failure? {
    do throws(SystemCalls.Failure) {
      child = try ChildProcess(
        command, environment: [(name: CallTarget.socketVariable, value: socket)])
      return nil
    } catch {
      return error
    }
  }

  private func handle(_ signal: Signal) {
    guard let child, code == nil else { return }
    switch signal {
    case .childEnded:
      guard let found = try? child.checkForEnd() else { return }
      code = found
      session.server?.shutDown { [session] in session.loop.stop() }
    case .interrupt where SystemCalls.isTerminal(0):
      // The terminal has sent it to the command as well; two would mean "at once" to many.
      break
    default: try? SystemCalls.send(signal, to: child.processID)
    }
  }

  private func conclude() {
    guard let totals = session.totals else { return }
    let lines = totals.summary
    for (number, line) in lines.enumerated() {
      if number == 0 { session.say(line) } else { session.output.line(line.safeForTerminal) }
    }
    if choices.isStrict, code == 0, totals.unanswered > 0 {
      let calls = totals.unanswered == 1 ? "1 call" : "\(totals.unanswered) calls"
      session.say("--strict: \(calls) got no answer")
      code = ExitCode.checkFailed.rawValue
    }
    if !session.concludeMock(isStrict: choices.isStrict), code == 0 {
      code = ExitCode.checkFailed.rawValue
    }
    if !session.concludeRecording(), code == 0 { code = ExitCode.usage.rawValue }
  }
}
