import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import TerminalSafety

/// What the flags about servers, devices and calls say.
struct ServeChoices: Sendable {
  var socket: String?
  var framing = Framing.frames
  var log: CallLog.Format?
  var isQuiet = false
  var isStrict = false
  var maximumPayload = 16 << 20
  var maximumOpenCalls = 1024
  var maximumConnections = 1024
  var drainTime = Duration.seconds(5)

  /// Options for the device in the order in which they came; all of them are good.
  private(set) var deviceOptions: [Hello.Option] = []
  var faultFile: String?
  /// Also when it is the one that holds anyway.
  private(set) var isHandlerGiven = false

  var mock = MockChoices()

  var device: String?
  var timeout = Duration.seconds(30)
  var isInProcess = false
  var printsPlainJSON = false

  /// Notes an option after trying it.
  mutating func setDeviceOption(_ assignment: String) throws(DeviceOptionError) {
    var trial = DeviceOptions()
    try trial.set(assignment)
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    add(Hello.Option(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : ""))
  }

  mutating func setHandler(_ handler: DeviceOptions.Handler) {
    isHandlerGiven = true
    deviceOptions.removeAll { $0.name == "handler" }
    // What holds anyway need not be said to a device that others share.
    if handler != DeviceOptions().handler {
      add(Hello.Option(name: "handler", value: handler.rawValue))
    }
  }

  private mutating func add(_ option: Hello.Option) {
    // Of an option the last one counts, but faults add up; a hello has room for one field each.
    if let position = deviceOptions.firstIndex(where: { $0.name == option.name }) {
      if option.name == "fault", option.value != "none" {
        deviceOptions[position].value += "; \(option.value)"
        return
      }
      deviceOptions.remove(at: position)
    }
    deviceOptions.append(option)
  }

  // MARK: - Made of it

  var settings: ConnectionSettings {
    ConnectionSettings(limits: limits, drainTime: drainTime, software: BridgeProgram.versionLine)
  }

  var limits: FrameLimits {
    FrameLimits(maximumPayload: maximumPayload, maximumOpenCalls: maximumOpenCalls)
  }

  /// The options together with the rules of `--faults`.
  func allDeviceOptions(_ console: Console) throws(CommandFailure) -> [Hello.Option] {
    guard let faultFile else { return deviceOptions }
    let content = try console.readFile(faultFile, limit: .text)
    var choices = self
    do throws(FaultSyntaxError) {
      for rule in try FaultRule.rules(ofFile: content) {
        choices.add(Hello.Option(name: "fault", value: rule.description))
      }
    } catch {
      throw .trouble("\(faultFile.quotedForTerminal): \(error.text)")
    }
    return choices.deviceOptions
  }

  /// What devices of a server have.
  func makeDeviceOptions(_ console: Console) throws(CommandFailure) -> DeviceOptions {
    let fields = try allDeviceOptions(console)
    do throws(DeviceOptionError) {
      return try DeviceOptions(fields: fields.map { (name: $0.name, value: $0.value) })
    } catch {
      throw .trouble(error.text)
    }
  }
}
