import ChannelRecordings
import ChannelTransport
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// One run of `pwbridge record`: a proxy that listens in.
final class RecordRun {
  private let loop: EventLoop
  private let output: LogOutput
  private let choices: RecordingChoices
  private let command: [String]
  private let path: String
  private let proxy: RecordingProxy
  private var socket: ListeningSocket?
  private var acceptor: Acceptor?
  private var signals: SignalWatch?
  private var streams: StandardStreams?
  private var children: [ChildProcess] = []
  private var code: Int32 = 0
  /// The conversation is over, or a signal has come.
  private var isEnding = false
  private var hasSignal = false
  private let maximumConnections: Int

  init(
    _ choices: RecordingChoices, _ command: [String], maximumPayload: Int, maximumConnections: Int
  ) throws(CommandFailure) {
    guard let path = choices.path else {
      throw .usage(.other("record needs a file to write to: --record FILE"))
    }
    guard (choices.target == nil) == !command.isEmpty else {
      throw .usage(.other("record needs a server: --to PATH, or -- and a command, and not both"))
    }
    do {
      loop = try EventLoop()
    } catch {
      throw .trouble("cannot start: \(error.text)")
    }
    self.choices = choices
    self.command = command
    self.path = path
    self.maximumConnections = maximumConnections
    let output = LogOutput(loop: loop)
    self.output = output
    let say = { (line: String) in
      output.line("\(BridgeProgram.grammar.program): \(line.safeForTerminal)")
    }
    guard let writer = try choices.makeWriter(options: [], say: say) else {
      throw .usage(.other("record needs a file to write to: --record FILE"))
    }
    proxy = RecordingProxy(
      on: loop, writer, shows: choices.showsDecodings, codecs: choices.codecs,
      maximumPayload: max(maximumPayload, 64 << 20), onTrouble: say)
  }

  func run() throws(CommandFailure) {
    do {
      signals = try loop.onSignal([.childEnded, .terminate, .interrupt, .hangUp]) {
        [unowned self] in handle($0)
      }
    } catch {
      throw .trouble("cannot watch for signals: \(error.text)")
    }
    if let listen = choices.listen {
      try self.listen(at: listen)
    } else {
      streams = StandardStreams()
      let server = try openServer()
      proxy.connect(
        client: .init(
          input: StandardStreams.input, output: StandardStreams.output, areOwned: false),
        server: server
      ) { [unowned self] in
        endSoon()
      }
    }
    defer {
      streams?.restore()
      stopListening()
    }
    do {
      try loop.run()
    } catch {
      throw .trouble("cannot wait for input: \(error.text)")
    }
    proxy.closeAll()
    if let failure = proxy.failure {
      say("the recording is not whole: \(failure.description)")
      if code == 0 { code = ExitCode.usage.rawValue }
    }
    output.finish()
    if code != 0 { throw .ended(code) }
  }

  // MARK: - Connections

  private func listen(at path: String) throws(CommandFailure) {
    let socket: ListeningSocket
    do {
      socket = try ListeningSocket(path: path)
    } catch {
      throw .trouble("\(path.quotedForTerminal): \(error.text)")
    }
    self.socket = socket
    acceptor = Acceptor(
      on: loop, socket.descriptor,
      onTrouble: { [unowned self] failure in say("a client was not let in: \(failure.text)") },
      onConnection: { [unowned self] descriptor in accept(descriptor) })
    output.line("ready \(path.safeForTerminal)")
  }

  private func accept(_ descriptor: Int32) {
    do throws(CommandFailure) {
      if let refusal = refusal(of: descriptor) { throw .trouble(refusal) }
      let server = try openServer()
      proxy.connect(
        client: .init(input: descriptor, output: descriptor), server: server
      ) { [unowned self] in
        stopIfOver()
      }
    } catch {
      SystemCalls.closeDescriptor(descriptor)
      if case .trouble(let line) = error { say("a client was turned away: \(line)") }
    }
  }

  /// Why a client is not let in; nil if it is.
  private func refusal(of descriptor: Int32) -> String? {
    do throws(SystemCalls.Failure) {
      let user = try SystemCalls.peerUserID(descriptor)
      if user != SystemCalls.userID {
        return "it belongs to user \(user); only user \(SystemCalls.userID) is served"
      }
    } catch {
      return "cannot tell whose it is: \(error.text)"
    }
    // A command may outlive its connection.
    let count = max(proxy.openCount, children.count)
    return count < maximumConnections ? nil : "\(count) clients are connected, which is the most"
  }

  /// The server's end of a new connection.
  private func openServer() throws(CommandFailure) -> RecordingProxy.Ends {
    if let target = choices.target {
      do throws(SocketFailure) {
        let descriptor = try SystemCalls.connectSocket(target, nanoseconds: 1_000_000_000)
        return .init(input: descriptor, output: descriptor)
      } catch {
        throw .trouble("\(target.quotedForTerminal): \(error.text)")
      }
    }
    do throws(SystemCalls.Failure) {
      let child = try ChildProcess(command, input: .piped, output: .piped)
      children.append(child)
      guard let input = child.input, let output = child.output else {
        throw SystemCalls.Failure(number: 0)
      }
      return .init(input: output, output: input)
    } catch {
      throw .trouble("\(command[0].quotedForTerminal): \(error.text)")
    }
  }

  // MARK: - The end

  private func say(_ line: String) {
    output.line("\(BridgeProgram.grammar.program): \(line.safeForTerminal)")
  }

  private func handle(_ signal: Signal) {
    guard signal != .childEnded else { return reap() }
    if hasSignal { endAtOnce(signal) }
    hasSignal = true
    stopListening()
    if !isFromTerminal(signal) { pass(signal) }
    // A server of its own ends its conversations by itself, with what it still has to answer.
    if children.isEmpty { proxy.closeAll() }
    endSoon()
  }

  /// The terminal has sent it to the commands as well; two would mean "at once" to many.
  private func isFromTerminal(_ signal: Signal) -> Bool {
    signal == .interrupt && SystemCalls.isTerminal(0)
  }

  private func pass(_ signal: Signal) {
    for child in children { try? SystemCalls.send(signal, to: child.processID) }
  }

  private func endAtOnce(_ signal: Signal) -> Never {
    for child in children { try? SystemCalls.killProcess(child.processID) }
    streams?.restore()
    output.finish()
    SystemCalls.leave(128 + signal.number)
  }

  private func stopListening() {
    acceptor?.stop()
    acceptor = nil
    socket?.close()
    socket = nil
  }

  private func reap() {
    children.removeAll { child in
      guard let ended = try? child.checkForEnd() else { return false }
      // Of a command for many clients nobody asks how each of them ended.
      if choices.listen == nil { code = ended }
      return true
    }
    stopIfOver()
  }

  private func stopIfOver() {
    if isEnding, children.isEmpty, proxy.openCount == 0 { loop.stop() }
  }

  /// Commands and connections may still want a moment to end.
  private func endSoon() {
    guard !isEnding else { return reap() }
    isEnding = true
    grace = loop.after(.seconds(2)) { [unowned self] in
      proxy.closeAll()
      pass(.terminate)
      grace = loop.after(.seconds(1)) { [unowned self] in
        for child in children { try? SystemCalls.killProcess(child.processID) }
      }
      stopIfOver()
    }
    reap()
  }

  private var grace: LoopTimer?
}
