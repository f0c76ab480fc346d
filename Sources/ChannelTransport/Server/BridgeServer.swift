import ChannelRouter
import SystemInterface

/// Serves devices to clients over frames: on one pair of descriptors, such as standard input and
/// output, or to many clients of a Unix socket.
///
/// Belongs to the loop's thread.
public final class BridgeServer {
  public let settings: ConnectionSettings
  public let framing: Framing
  /// More clients than this are turned away.
  public let maximumConnections: Int

  private let loop: EventLoop
  private let devices: any DeviceProvider
  private weak var observer: (any ServerObserver)?
  private var connections: [Int: Session] = [:]
  private var count = 0
  private var listener: ListeningSocket?
  private var acceptor: Acceptor?
  private var whenEmpty: (() -> Void)?

  private struct Session {
    var connection: any ServedConnection
    var device: (any ServedDevice)?
  }

  public init(
    loop: EventLoop, devices: any DeviceProvider, settings: ConnectionSettings,
    framing: Framing = .frames, maximumConnections: Int = 1024,
    observer: (any ServerObserver)? = nil
  ) {
    self.loop = loop
    self.devices = devices
    self.settings = settings
    self.framing = framing
    self.maximumConnections = maximumConnections
    self.observer = observer
  }

  public var connectionCount: Int { connections.count }

  /// The calls that wait for an answer, over all connections.
  public var openCalls: [String] {
    connections.sorted { $0.key < $1.key }.flatMap(\.value.connection.openCalls)
  }

  // MARK: - Taking clients in

  /// Serves one client on a pair of descriptors. They should be non-blocking where they can be.
  ///
  /// - Parameters:
  ///   - greetingTime: how long to wait for its hello, where there is one; nil for any time.
  ///   - onEnd: called once when the conversation is over.
  public func serve(
    input: Int32, output: Int32, ownsDescriptors: Bool, greetingTime: Duration? = nil,
    onEnd: @escaping (ConnectionEnd) -> Void = { _ in }
  ) {
    count += 1
    let number = count
    switch framing {
    case .frames:
      let connection = serveFrames(number, input, output, ownsDescriptors, onEnd)
      if let greetingTime { connection.expectHello(within: greetingTime) }
    case .lines: serveLines(number, input, output, ownsDescriptors, onEnd)
    }
  }

  private func serveFrames(
    _ number: Int, _ input: Int32, _ output: Int32, _ ownsDescriptors: Bool,
    _ onEnd: @escaping (ConnectionEnd) -> Void
  ) -> FrameConnection {
    let connection = FrameConnection(
      loop: loop, role: .server, number: number, input: input, output: output,
      ownsDescriptors: ownsDescriptors,
      settings: settings)
    connections[number] = Session(connection: connection)
    connection.onHello = { [unowned self] (hello) throws(FrameError) in
      try welcome(hello, number)
    }
    connection.onTrouble = { [weak self] error in
      self?.observer?.connection(number, metTrouble: error)
    }
    connection.onEnd = { [weak self] end in
      self?.ended(number, end)
      onEnd(end)
    }
    return connection
  }

  private func serveLines(
    _ number: Int, _ input: Int32, _ output: Int32, _ ownsDescriptors: Bool,
    _ onEnd: @escaping (ConnectionEnd) -> Void
  ) {
    let device: any ServedDevice
    do throws(FrameError) {
      device = try devices.device(for: Hello())
    } catch {
      if ownsDescriptors {
        SystemCalls.closeDescriptor(input)
        if output != input { SystemCalls.closeDescriptor(output) }
      }
      return onEnd(ConnectionEnd(.failed(error)))
    }
    let connection = LineConnection(
      loop: loop, number: number, input: input, output: output, ownsDescriptors: ownsDescriptors,
      settings: settings, messenger: device.messenger)
    connections[number] = Session(connection: connection, device: device)
    observer?.connection(number, got: device, for: nil)
    connection.onTrouble = { [weak self] error in
      self?.observer?.connection(number, metTrouble: error)
    }
    connection.onEnd = { [weak self] end in
      self?.ended(number, end)
      onEnd(end)
    }
  }

  /// Serves every client of a socket, until ``shutDown(then:)`` closes it.
  public func serve(_ socket: ListeningSocket) {
    listener = socket
    acceptor = Acceptor(
      on: loop, socket.descriptor,
      onTrouble: { [weak self] failure in
        self?.observer?.refusedConnection("cannot accept a connection: \(failure.text)")
      },
      onConnection: { [weak self] descriptor in self?.takeIn(descriptor) })
  }

  private func takeIn(_ descriptor: Int32) {
    let refusal: String
    do throws(SystemCalls.Failure) {
      let user = try SystemCalls.peerUserID(descriptor)
      if user != SystemCalls.userID {
        refusal = "the client belongs to user \(user); only user \(SystemCalls.userID) is served"
      } else if connections.count >= maximumConnections {
        refusal = "\(connections.count) clients are connected, which is the most"
      } else {
        return serve(
          input: descriptor, output: descriptor, ownsDescriptors: true,
          greetingTime: settings.greetingTime)
      }
    } catch {
      refusal = "cannot tell whose client it is: \(error.text)"
    }
    observer?.refusedConnection(refusal)
    let writer = FrameWriter()
    try? writer.hello(Hello(limits: settings.limits, software: settings.software))
    writer.error(FrameError(.tooManyConnections, refusal))
    // Whoever does not take the reason in is not waited for.
    writer.withPending { bytes in _ = try? SystemCalls.writeAvailable(descriptor, bytes) }
    SystemCalls.closeDescriptor(descriptor)
  }

  private func welcome(
    _ hello: Hello, _ number: Int
  ) throws(FrameError) -> (RoutingMessenger, Hello) {
    let device = try devices.device(for: hello)
    connections[number]?.device = device
    observer?.connection(number, got: device, for: hello)
    let answer = Hello(
      limits: settings.limits, software: settings.software,
      device: device.name.isEmpty ? nil : device.name)
    return (device.messenger, answer)
  }

  private func ended(_ number: Int, _ end: ConnectionEnd) {
    guard let session = connections.removeValue(forKey: number) else { return }
    observer?.connection(number, ended: end)
    if let device = session.device { devices.release(device) }
    if connections.isEmpty, let whenEmpty {
      self.whenEmpty = nil
      whenEmpty()
    }
  }

  // MARK: - Ending

  /// Takes no more clients, lets the calls that are open be answered, for as long as the settings
  /// say, and ends all conversations.
  ///
  /// - Parameter done: called once, when the last one has ended.
  public func shutDown(then done: @escaping () -> Void) {
    stopListening()
    whenEmpty = done
    for session in connections.values { session.connection.drain() }
    if connections.isEmpty, let whenEmpty {
      self.whenEmpty = nil
      whenEmpty()
    }
  }

  /// Takes no more clients and removes the socket.
  public func stopListening() {
    acceptor?.stop()
    acceptor = nil
    listener?.close()
    listener = nil
  }
}
