import ChannelRouter

/// What stands behind a connection: the native side of one app.
public protocol ServedDevice: AnyObject {
  /// Under which other connections find it; empty for one that nobody else can ask for.
  var name: String { get }
  var messenger: RoutingMessenger { get }
}

/// Gives connections the devices that they ask for.
public protocol DeviceProvider: AnyObject {
  /// A device for a client: the one of its name, which connections share, or a fresh one.
  ///
  /// - Throws: ``FrameProblem/deviceOptions`` or ``FrameProblem/deviceName``, which end the
  ///   connection.
  func device(for hello: Hello) throws(FrameError) -> any ServedDevice
  /// A connection has let go of the device.
  func release(_ device: any ServedDevice)
}

/// Hears of what a server does with its connections. All calls are on the loop's thread.
public protocol ServerObserver: AnyObject {
  /// A client has been given a device. Connections are counted from 1.
  func connection(_ number: Int, got device: any ServedDevice, for hello: Hello?)
  /// Something was wrong that the connection survives.
  func connection(_ number: Int, metTrouble error: FrameError)
  func connection(_ number: Int, ended end: ConnectionEnd)
  /// A client could not be taken in.
  func refusedConnection(_ reason: String)
}
