import ChannelTransport
import EmulatedDevice

/// An app that is served with the flags of `pwbridge serve`: its device and loop are there before
/// the server is.
struct ServedApp {
  /// What the app's program is called, in lines for people.
  let program: String
  let loop: EventLoop
  let device: EmulatedDevice
  let provider: any DeviceProvider
  /// Standard output, which has been moved aside: what the app prints is no part of the stream.
  let output: Int32
}
