import ChannelRecordings
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface
import TerminalSafety

/// A server with its devices, its log and its sums, as `serve` and `exec` run it.
final class ServeSession: ServerObserver {
  let loop: EventLoop
  let output: LogOutput
  let totals: CallTotals?
  private(set) var server: BridgeServer?

  private let program: String
  private let log: CallLog?
  /// nil without `--mock`.
  let mocked: MockedDevices?
  private let recorder: ChannelRecorder?
  private var devices: [Int: any ServedDevice] = [:]

  /// - Parameters:
  ///   - app: whose device is served, on its loop; nil makes a loop and a fleet of devices.
  ///   - log: nil for none; what happens to calls is then not looked at.
  ///   - counts: whether to count calls and their troubles.
  ///   - recording: whether and where to record.
  init(
    _ choices: ServeChoices, devices: DeviceOptions, log format: CallLog.Format?, counts: Bool,
    recording: RecordingChoices, app: ServedApp? = nil
  ) throws(CommandFailure) {
    let program = app?.program ?? BridgeProgram.grammar.program
    self.program = program
    if let path = recording.path, path == choices.mock.path {
      throw .usage(
        .other("--record and --mock name the same file; --mode says what is added to it"))
    }
    do throws(SystemCalls.Failure) {
      if let app { loop = app.loop } else { loop = try EventLoop() }
    } catch {
      throw .trouble("cannot start: \(error.text)")
    }
    output = LogOutput(loop: loop)
    totals = counts ? CallTotals() : nil
    log = format.map { [output] in
      CallLog(output: output, format: $0, showsClients: choices.socket != nil)
    }
    // Read before --record could empty the file.
    let player = try choices.mock.makePlayer(
      codecs: recording.codecs, device: choices.deviceOptions)
    mocked = player.map { [loop, output] in
      MockedDevices($0, loop: loop) { output.line("\(program): \($0)") }
    }
    let writer = try recording.makeWriter(options: choices.deviceOptions) { [output] line in
      output.line("\(program): \(line)")
    }
    recorder = writer.map { [output] writer in
      ChannelRecorder(
        writer, shows: recording.showsDecodings, codecs: recording.codecs,
        onStop: { error in
          output.line(
            "\(program): recording ends here, the bridge goes on: "
              + error.description.safeForTerminal)
        })
    }
    // First, so that a message is on disk before anything comes of it.
    let observers = [recorder as (any TrafficObserver)?, log, totals].compactMap(\.self)
    let watch: (EmulatedDevice) -> Void = { [mocked] device in
      device.messenger.observers += observers
      mocked?.add(device)
    }
    let provider: any DeviceProvider
    if let app {
      provider = app.provider
      watch(app.device)
    } else {
      let fleet = DeviceFleet(loop: loop, options: devices)
      fleet.onNewDevice = watch
      fleet.onRetiredDevice = { [mocked] in mocked?.remove($0) }
      provider = fleet
    }
    server = BridgeServer(
      loop: loop, devices: provider, settings: choices.settings, framing: choices.framing,
      maximumConnections: choices.maximumConnections, observer: self)
  }

  /// Serves clients of a socket.
  func listen(at path: String) throws(CommandFailure) {
    let socket: ListeningSocket
    do {
      socket = try ListeningSocket(path: path)
    } catch {
      throw .trouble("\(path.quotedForTerminal): \(error.text)")
    }
    server?.serve(socket)
  }

  func run() throws(CommandFailure) {
    do {
      try loop.run()
    } catch {
      throw .trouble("cannot wait for input: \(error.text)")
    }
  }

  /// A line on standard error that belongs to no call.
  func say(_ line: String) { output.line("\(program): \(line)") }

  /// Names calls that were never answered, also where there is no log.
  func sayUnanswered(_ names: [String]) {
    for name in names.prefix(20) { say("never answered: \(name.safeForTerminal)") }
    if names.count > 20 { say("never answered: \(names.count - 20) more") }
  }

  /// Says that a recording ended early: a line at the moment may be long ago.
  ///
  /// - Returns: whether there is nothing to say. Who asked for a recording and has none must learn
  ///   it from the exit code too.
  func concludeRecording() -> Bool {
    guard let failure = recorder?.failure ?? mocked?.failure else { return true }
    say("the recording is not whole: \(failure.description.safeForTerminal)")
    return false
  }

  /// Says what a mock has played.
  ///
  /// - Returns: whether `--strict` is content with it.
  func concludeMock(isStrict: Bool) -> Bool {
    guard let mocked else { return true }
    for (number, line) in mocked.summary.enumerated() {
      if number == 0 { say(line) } else { output.line(line.safeForTerminal) }
    }
    guard isStrict, let complaint = mocked.complaint else { return true }
    say("--strict: \(complaint)")
    return false
  }

  // MARK: - ServerObserver

  func connection(_ number: Int, got device: any ServedDevice, for hello: Hello?) {
    devices[number] = device
    mocked?.startSoon(device)
    log?.client(number, got: device, hello)
  }

  func connection(_ number: Int, metTrouble error: FrameError) {
    log?.client(number, metTrouble: error)
  }

  func connection(_ number: Int, ended end: ConnectionEnd) {
    let device = devices.removeValue(forKey: number)
    for name in end.unanswered { totals?.note(.leftOpen, name) }
    log?.client(number, ended: end, on: device)
    if let device { mocked?.clientEnded(number, on: device) }
  }

  func refusedConnection(_ reason: String) { log?.refusedClient(reason) }
}
