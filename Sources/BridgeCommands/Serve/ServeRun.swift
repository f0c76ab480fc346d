import ChannelTransport
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// One run of `pwbridge serve`.
final class ServeRun {
  private let session: ServeSession
  private let choices: ServeChoices
  /// Where frames go without a socket.
  private let output: Int32
  private var signals: SignalWatch?
  private var streams: StandardStreams?
  private var isEnding = false
  private var code: Int32 = 0

  /// - Parameter app: a device that is there already; nil makes devices for the clients.
  init(
    _ choices: ServeChoices, _ recording: RecordingChoices, _ console: Console,
    app: ServedApp? = nil
  ) throws(CommandFailure) {
    self.choices = choices
    output = app?.output ?? StandardStreams.output
    session = try ServeSession(
      choices, devices: try choices.makeDeviceOptions(console),
      log: choices.isQuiet ? nil : choices.log ?? .text, counts: choices.isStrict,
      recording: recording, app: app)
  }

  func run() throws(CommandFailure) {
    try begin()
    do throws(CommandFailure) {
      try session.run()
    } catch {
      session.server?.stopListening()
      streams?.restore()
      throw error
    }
    try conclude()
  }

  /// Takes clients in; what they send is read when the loop runs.
  func begin() throws(CommandFailure) {
    do {
      signals = try session.loop.onSignal([.terminate, .interrupt, .hangUp]) { [unowned self] in
        handle($0)
      }
    } catch {
      throw .trouble("cannot watch for signals: \(error.text)")
    }
    if let path = choices.socket {
      try session.listen(at: path)
      session.output.line("ready \(path.safeForTerminal)")
    } else {
      serveStandardStreams()
    }
  }

  /// What there is to say when the loop has ended.
  func conclude() throws(CommandFailure) {
    defer { streams?.restore() }
    if choices.isStrict, code == 0, let totals = session.totals, totals.unanswered > 0 {
      let (dropped, open) = (totals.count(of: .dropped), totals.count(of: .leftOpen))
      session.say("--strict: \(dropped) dropped, \(open) never answered")
      code = ExitCode.checkFailed.rawValue
    }
    if !session.concludeMock(isStrict: choices.isStrict), code == 0 {
      code = ExitCode.checkFailed.rawValue
    }
    if !session.concludeRecording(), code == 0 { code = ExitCode.usage.rawValue }
    session.output.finish()
    if code != 0 { throw .ended(code) }
  }

  private func serveStandardStreams() {
    streams = StandardStreams(output: output)
    session.server?.serve(
      input: StandardStreams.input, output: output, ownsDescriptors: false
    ) { [unowned self] end in
      conclude(end)
      session.loop.stop()
    }
  }

  /// The conversation on standard input and output is over.
  private func conclude(_ end: ConnectionEnd) {
    session.sayUnanswered(end.unanswered)
    switch end.reason {
    case .finished: break
    case .failed(let error):
      session.say(error.description.safeForTerminal)
      switch error.problem {
      case .notAFrame, .deviceOptions, .deviceName: code = ExitCode.usage.rawValue
      default: code = ExitCode.checkFailed.rawValue
      }
    case .refused(let error):
      session.say("the client ended the conversation: \(error.description.safeForTerminal)")
      code = ExitCode.checkFailed.rawValue
    case .lost(let reason):
      session.say("the connection is lost: \(reason)")
      code = ExitCode.checkFailed.rawValue
    case .brokenOff: session.say("the connection was broken off, as a fault asked for")
    }
  }

  private func handle(_ signal: Signal) {
    guard isEnding else {
      isEnding = true
      session.server?.shutDown { [session] in session.loop.stop() }
      return
    }
    session.sayUnanswered(session.server?.openCalls ?? [])
    session.server?.stopListening()
    streams?.restore()
    session.output.finish()
    SystemCalls.leave(128 + signal.number)
  }
}
