import ChannelTransport
import EmulatedDevice

/// Clients all get the app's one device, whatever name they ask for: there is one app.
extension AppDevice: DeviceProvider {
  public func device(for hello: Hello) throws(FrameError) -> any ServedDevice {
    try perform { (device) throws(FrameError) in
      for option in hello.options {
        try AppDevice.check(option, against: device.options)
      }
      return device
    }
  }

  public func release(_ device: any ServedDevice) {}

  /// An option that the device has anyway may be asked for; another value cannot be given to an app
  /// that is running.
  private static func check(
    _ wanted: Hello.Option, against options: DeviceOptions
  ) throws(FrameError) {
    let current: String
    var trial = options
    do throws(DeviceOptionError) {
      let option = try DeviceOption.named(wanted.name)
      current = option.value(in: options)
      try trial.set(wanted.name, to: wanted.value)
      if option.value(in: trial) == current { return }
    } catch {
      throw FrameError(.deviceOptions, error.text)
    }
    throw FrameError(
      .deviceOptions,
      "the device belongs to the app and has \(wanted.name)=\(current); to change that start the "
        + "app with --option \(wanted.name)=\(wanted.value)")
  }
}
