import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface
import TerminalSafety

/// The device that calls go to: behind a socket, or in this process. Both are spoken to in frames.
final class CallTarget {
  /// Where `exec` leaves the path of its socket.
  static let socketVariable = "PWBRIDGE_SOCKET"

  let client: BridgeClient
  private let server: BridgeServer?
  private let fleet: DeviceFleet?
  private let prints: MessagePrinter

  /// Connects, with the device and options that the flags ask for. What the device says by itself,
  /// warnings and messages to Dart, goes to standard error.
  init(_ choices: ServeChoices, _ console: Console) throws(CommandFailure) {
    let variable = choices.isInProcess ? nil : SystemCalls.environment(CallTarget.socketVariable)
    let socket = choices.socket ?? variable.flatMap { $0.isEmpty ? nil : $0 }
    if choices.isInProcess, choices.socket != nil {
      throw .usage(.other("--socket and --in-process are two targets; give one of them"))
    }
    let hello = Hello(
      software: BridgeProgram.versionLine, device: choices.device,
      options: try choices.allDeviceOptions(console))
    let local = socket == nil ? try CallTarget.startServer() : nil
    (server, fleet) = (local?.server, local?.fleet)
    do throws(BridgeClient.Failure) {
      if let local {
        client = BridgeClient(
          loop: local.loop, input: local.descriptor, output: local.descriptor, hello)
        try client.greet(hello, choices.timeout)
      } else {
        client = try BridgeClient.connect(to: socket ?? "", hello: hello, timeout: choices.timeout)
      }
    } catch {
      throw .trouble(error.description)
    }
    prints = MessagePrinter(console)
    client.messenger.interceptors.append(prints)
    client.onLog = { [prints] in prints.print($0) }
    client.onError = { [prints] in prints.print($0) }
  }

  /// A server for this process alone, at the other end of a pair of sockets.
  private static func startServer() throws(CommandFailure) -> (
    loop: EventLoop, server: BridgeServer, fleet: DeviceFleet, descriptor: Int32
  ) {
    do throws(SystemCalls.Failure) {
      let loop = try EventLoop()
      let (near, far) = try SystemCalls.makeSocketPair()
      let fleet = DeviceFleet(loop: loop)
      let server = BridgeServer(loop: loop, devices: fleet, settings: ConnectionSettings())
      server.serve(input: far, output: far, ownsDescriptors: true)
      return (loop: loop, server: server, fleet: fleet, descriptor: near)
    } catch {
      throw .trouble("cannot start a device: \(error.text)")
    }
  }
}

/// Prints what comes from the device by itself, and answers its messages as an app without a
/// listener would: with no payload.
final class MessagePrinter: MessageInterceptor {
  private let console: Console
  private let layout = TextLayoutOfLog(showsClients: false)

  init(_ console: Console) { self.console = console }

  func intercept(_ call: BinaryReply) -> Bool {
    guard call.channel != ChannelBuffers.controlChannel else { return false }
    let message = LoggedCall(
      client: nil, isToDart: true, channel: call.channel,
      message: GuessedMessage(toDart: call.message), outcome: nil, microseconds: nil, warnings: [])
    console.complain(layout.line(of: message))
    call.send(nil)
    return true
  }

  func print(_ log: ReceivedLog) {
    let level = log.level == "info" ? "note" : log.level
    console.complain("\(level.safeForTerminal): \(log.text.safeForTerminal)")
  }

  func print(_ error: ReceivedError) {
    console.complain("error: \(error.description.safeForTerminal)")
  }
}
