import ChannelRouter
import ChannelTransport
import SystemInterface

/// The devices of a server: a fresh one for each client that names none, and named ones that
/// clients share and that wait for them when they come again.
///
/// Belongs to the loop's thread.
public final class DeviceFleet: DeviceProvider {
  /// More named devices than this are not kept: those that nobody is connected to make room.
  public static let mostNamedDevices = 256

  /// What devices have where a hello says nothing else.
  public let options: DeviceOptions
  /// Called for every new device, before its first message.
  public var onNewDevice: ((EmulatedDevice) -> Void)?
  /// Called when a device is given up.
  public var onRetiredDevice: ((EmulatedDevice) -> Void)?

  private let loop: EventLoop
  private var named: [String: Berth] = [:]
  private var turn: UInt64 = 0

  private struct Berth {
    let device: EmulatedDevice
    /// As the first client asked for them.
    let wanted: [Hello.Option]
    var users: Int
    var lastUse: UInt64
  }

  public init(loop: EventLoop, options: DeviceOptions = DeviceOptions()) {
    (self.loop, self.options) = (loop, options)
  }

  public func device(for hello: Hello) throws(FrameError) -> any ServedDevice {
    guard let name = hello.device, !name.isEmpty else {
      return makeDevice("", try options(of: hello))
    }
    turn += 1
    if let berth = named[name] {
      guard hello.options.isEmpty || Set(hello.options) == Set(berth.wanted) else {
        throw FrameError(
          .deviceOptions,
          "the device \(name) is there already and was made with other options; "
            + "ask for it without options, or for another name")
      }
      named[name]?.users += 1
      named[name]?.lastUse = turn
      return berth.device
    }
    let options = try options(of: hello)
    try makeRoom()
    let device = makeDevice(name, options)
    named[name] = Berth(device: device, wanted: hello.options, users: 1, lastUse: turn)
    return device
  }

  public func release(_ device: any ServedDevice) {
    guard let device = device as? EmulatedDevice else { return }
    if device.name.isEmpty {
      retire(device)
    } else {
      named[device.name]?.users -= 1
    }
  }

  // MARK: -

  private func options(of hello: Hello) throws(FrameError) -> DeviceOptions {
    var options = options
    do {
      for option in hello.options { try options.set(option.name, to: option.value) }
    } catch {
      throw FrameError(.deviceOptions, error.text)
    }
    return options
  }

  private func makeDevice(_ name: String, _ options: DeviceOptions) -> EmulatedDevice {
    let device = EmulatedDevice(
      name: name, options: options, thread: loop.thread,
      nanoseconds: SystemCalls.monotonicNanoseconds,
      wallClock: DeviceTime(microseconds: SystemCalls.wallClockMicroseconds()))
    loop.addClock(device.clock)
    onNewDevice?(device)
    return device
  }

  private func makeRoom() throws(FrameError) {
    guard named.count >= DeviceFleet.mostNamedDevices else { return }
    let idle = named.values.filter { $0.users == 0 }.min { $0.lastUse < $1.lastUse }
    guard let idle else {
      throw FrameError(
        .deviceName, "\(named.count) named devices are in use, which is the most")
    }
    named[idle.device.name] = nil
    retire(idle.device)
  }

  private func retire(_ device: EmulatedDevice) {
    loop.removeClock(device.clock)
    onRetiredDevice?(device)
    device.retire()
  }
}

extension EmulatedDevice: ServedDevice {}
