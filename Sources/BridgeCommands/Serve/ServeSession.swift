import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface

/// A server with its devices, its log and its sums, as `serve` and `exec` run it.
final class ServeSession: ServerObserver {
  let loop: EventLoop
  let output: LogOutput
  let totals: CallTotals?
  private(set) var server: BridgeServer?

  private let fleet: DeviceFleet
  private let log: CallLog?
  private var devices: [Int: any ServedDevice] = [:]

  /// - Parameters:
  ///   - log: nil for none; what happens to calls is then not looked at.
  ///   - counts: whether to count calls and their troubles.
  init(
    _ choices: ServeChoices, devices: DeviceOptions, log format: CallLog.Format?, counts: Bool
  ) throws(CommandFailure) {
    do {
      loop = try EventLoop()
    } catch {
      throw .trouble("cannot start: \(error.text)")
    }
    output = LogOutput(loop: loop)
    fleet = DeviceFleet(loop: loop, options: devices)
    totals = counts ? CallTotals() : nil
    log = format.map { [output] in
      CallLog(output: output, format: $0, showsClients: choices.socket != nil)
    }
    let observers = [log as (any TrafficObserver)?, totals].compactMap(\.self)
    if !observers.isEmpty { fleet.onNewDevice = { $0.messenger.observers += observers } }
    server = BridgeServer(
      loop: loop, devices: fleet, settings: choices.settings, framing: choices.framing,
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
  func say(_ line: String) { output.line("\(BridgeProgram.grammar.program): \(line)") }

  /// Names calls that were never answered, also where there is no log.
  func sayUnanswered(_ names: [String]) {
    for name in names.prefix(20) { say("never answered: \(name.safeForTerminal)") }
    if names.count > 20 { say("never answered: \(names.count - 20) more") }
  }

  // MARK: - ServerObserver

  func connection(_ number: Int, got device: any ServedDevice, for hello: Hello?) {
    devices[number] = device
    log?.client(number, got: device, hello)
  }

  func connection(_ number: Int, metTrouble error: FrameError) {
    log?.client(number, metTrouble: error)
  }

  func connection(_ number: Int, ended end: ConnectionEnd) {
    let device = devices.removeValue(forKey: number)
    for name in end.unanswered { totals?.note(.leftOpen, name) }
    log?.client(number, ended: end, on: device)
  }

  func refusedConnection(_ reason: String) { log?.refusedClient(reason) }
}
