import ChannelRecordings
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import SystemInterface
import TerminalSafety

/// What a recording is replayed against: a device in this process, or a server behind a socket or
/// in a process of its own.
struct NativeSide {
  let target: any ReplayTarget
  let close: () -> Void

  /// A fresh device, with the options that the recording's device had unless flags say otherwise.
  init(
    inProcess choices: ServeChoices, _ header: RecordingHeader?, _ console: Console
  ) throws(CommandFailure) {
    let given = try choices.allDeviceOptions(console)
    var wanted: [Hello.Option] = []
    for option in header?.options ?? [] where !given.contains(where: { $0.name == option.name }) {
      if option.name == "handler", choices.isHandlerGiven { continue }
      var trial = DeviceOptions()
      guard (try? trial.set(option.name, to: option.value)) != nil else {
        console.complain(
          "pwbridge: the recording's option \(option.name.quotedForTerminal) is none of the "
            + "emulated device's and is left out")
        continue
      }
      wanted.append(Hello.Option(name: option.name, value: option.value))
    }
    let loop: EventLoop
    do {
      loop = try EventLoop()
    } catch {
      throw .trouble("cannot start a device: \(error.text)")
    }
    let fleet = DeviceFleet(loop: loop)
    let served: any ServedDevice
    do throws(FrameError) {
      served = try fleet.device(
        for: Hello(software: BridgeProgram.versionLine, options: wanted + given))
    } catch {
      throw .trouble(error.text)
    }
    guard let device = served as? EmulatedDevice else { throw .trouble("no device to replay to") }
    let limit = choices.timeout
    let inside = InProcessTarget(messenger: device.messenger, loop: loop) {
      // An alarm beyond the longest wait changes nothing.
      device.clock.waitForNextAlarm.map { $0 <= limit } ?? false
    }
    target = inside
    close = {
      inside.detach()
      fleet.release(device)
    }
  }

  /// - Parameter command: a program that speaks frames; empty for the server of `socket`.
  init(
    command: [String], socket: String, _ choices: ServeChoices, _ console: Console
  ) throws(CommandFailure) {
    let hello = Hello(
      limits: choices.limits, software: BridgeProgram.versionLine, device: choices.device,
      options: try choices.allDeviceOptions(console))
    do throws(BridgeClient.Failure) {
      let outside = ClientTarget()
      let client =
        command.isEmpty
        ? try BridgeClient.connect(
          to: socket, hello: hello, timeout: choices.timeout, prepare: outside.watch)
        : try BridgeClient.spawn(
          command, hello: hello, timeout: choices.timeout, prepare: outside.watch)
      outside.send(through: client)
      target = outside
      close = { client.close(timeout: .seconds(1)) }
    } catch {
      throw .trouble(error.description)
    }
  }
}
