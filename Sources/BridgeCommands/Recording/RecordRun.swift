import ChannelRecordings
import ChannelTransport
import CommandLineFlags
import SystemInterface

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
  private var isEnding = false

  init(
    _ choices: RecordingChoices, _ command: [String], maximumPayload: Int
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
      socket?.close()
    }
    do {
      try loop.run()
    } catch {
      throw .trouble("cannot wait for input: \(error.text)")
    }
    proxy.closeAll()
    output.finish()
    if code == 0, proxy.failure != nil { code = ExitCode.usage.rawValue }
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
      let server = try openServer()
      proxy.connect(client: .init(input: descriptor, output: descriptor), server: server)
    } catch {
      SystemCalls.closeDescriptor(descriptor)
      if case .trouble(let line) = error { say("a client was turned away: \(line)") }
    }
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
    if isEnding { SystemCalls.leave(128 + signal.number) }
    isEnding = true
    acceptor?.stop()
    proxy.closeAll()
    endSoon()
  }

  private func reap() {
    children.removeAll { child in
      guard let ended = try? child.checkForEnd() else { return false }
      // Of a command for many clients nobody asks how each of them ended.
      if choices.listen == nil { code = ended }
      return true
    }
    if isEnding, children.isEmpty { loop.stop() }
  }

  /// The conversation is over; the command may still want a moment to end.
  private func endSoon() {
    isEnding = true
    reap()
    guard !children.isEmpty else { return loop.stop() }
    for child in children where choices.listen != nil {
      try? SystemCalls.send(.terminate, to: child.processID)
    }
    grace = loop.after(.seconds(2)) { [unowned self] in
      for child in children { try? SystemCalls.send(.terminate, to: child.processID) }
      loop.stop()
    }
  }

  private var grace: LoopTimer?
}
