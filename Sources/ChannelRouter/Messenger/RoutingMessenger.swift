/// A messenger that routes messages to handlers by channel, for either side of the bridge.
///
/// The native side answers a message on an unknown channel with an empty reply, which Dart takes
/// for "no plugin" (`shell/common/shell.cc`); the Dart side keeps it until a listener comes
/// (`lib/ui/channel_buffers.dart`). Handlers run one after the other in the order in which
/// messages arrived. Everything here belongs to the platform thread.
public final class RoutingMessenger: BinaryMessenger {
  public enum Side: Sendable {
    case native
    case dart
  }

  public let thread: any PlatformThread
  public let side: Side
  /// The last calls and what came of them.
  public let journal: Journal
  /// Messages that wait: on the Dart side for a listener, on the native side for a connection.
  public let buffers: ChannelBuffers
  @exclusivity(unchecked) public var observers: [any TrafficObserver] = []
  /// Asked in order, before the handlers.
  @exclusivity(unchecked) public var interceptors: [any MessageInterceptor] = []
  /// Gets the messages of channels that nobody handles.
  public var fallback: BinaryMessageHandler?

  private let nanoseconds: () -> UInt64
  @exclusivity(unchecked) private var routes: [ChannelName: Route] = [:]
  @exclusivity(unchecked) private var latest: Route?
  private var ports: [any MessagePort] = []
  @exclusivity(unchecked) private var count: UInt64 = 0

  /// - Parameter nanoseconds: a monotonic clock, for durations.
  public init(
    side: Side, thread: any PlatformThread, journal: Journal = Journal(),
    nanoseconds: @escaping () -> UInt64
  ) {
    self.side = side
    self.thread = thread
    self.journal = journal
    self.nanoseconds = nanoseconds
    buffers = ChannelBuffers()
    buffers.onReport = { [unowned self] report in self.report(report, through: nil) }
  }

  // MARK: - Handlers

  public func setMessageHandler(on channel: ChannelName, _ handler: BinaryMessageHandler?) {
    let route = route(channel)
    route.handler = handler
    if side == .dart, handler != nil { drain(channel) }
  }

  public func hasHandler(on channel: ChannelName) -> Bool { routes[channel]?.handler != nil }

  /// The channels that somebody handles.
  public var handledChannels: [ChannelName] {
    routes.values.filter { $0.handler != nil }.map(\.name)
  }

  // MARK: - From the other side

  /// Takes in a message from the other side. It is answered through `port`.
  /// - Parameter id: 0 when no reply is wanted.
  /// - Returns: the call while it is still open, for ``cancel(_:)``.
  @discardableResult
  public func receive(
    _ message: [UInt8]?, on channel: ChannelName, id: UInt64, from port: any MessagePort
  ) -> OpenCall? {
    count += 1
    let call = BinaryReply(
      message, on: channel, id: id, number: count, arrival: nanoseconds(), port: port,
      messenger: self)
    journal.received(call)
    if !observers.isEmpty {
      for observer in observers { observer.messenger(self, received: call) }
    }
    let route = route(channel)
    route.sender = ObjectIdentifier(port)
    for interceptor in interceptors where interceptor.intercept(call) {
      return call.isDelivered ? nil : OpenCall(call)
    }
    if let handler = route.handler {
      handler(message, call)
    } else if side == .dart {
      buffer(call)
    } else if channel == ChannelBuffers.controlChannel {
      buffers.handleControlMessage(message)
      call.send(nil)
    } else if let fallback {
      fallback(message, call)
    } else {
      call.send(nil)
    }
    return call.isDelivered ? nil : OpenCall(call)
  }

  /// A call that waits for its reply. Does not keep it: releasing the reply must be noticed.
  public final class OpenCall {
    weak var reply: BinaryReply?
    public let number: UInt64
    public let label: String

    init(_ call: BinaryReply) {
      reply = call
      number = call.number
      label = call.label
    }
  }

  /// Notes that the caller no longer cares. A reply still goes out.
  public func cancel(_ call: OpenCall) {
    call.reply?.cancel()
    for interceptor in interceptors { interceptor.cancelled(call.number) }
  }

  func answer(_ call: BinaryReply, with outcome: ReplyOutcome) {
    call.isDelivered = true
    journal.answered(call, with: outcome, at: nanoseconds())
    if outcome == .dropped, call.id != 0 {
      call.report(
        .replyDropped, .warning,
        "\(call.label): the handler released its reply without answering; "
          + "on a device this Future would never complete")
    }
    if !observers.isEmpty {
      for observer in observers { observer.messenger(self, answered: call, with: outcome) }
    }
    if call.id != 0 { call.port.answer(call.id, with: outcome) }
  }

  /// Nanoseconds since a call arrived.
  public func age(of call: BinaryReply) -> UInt64 { nanoseconds() &- call.arrival }

  // MARK: - To the other side

  public func send(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    count += 1
    let sent = SentMessage(
      number: count, channel: channel, payload: message, wantsReply: reply != nil)
    journal.sent(sent, at: nanoseconds())
    for observer in observers { observer.messenger(self, sent: sent) }
    let handler = reply.map { reply in
      { [self] (outcome: ReplyOutcome) in
        journal.settled(sent, with: outcome, at: nanoseconds())
        for observer in observers { observer.messenger(self, got: outcome, for: sent) }
        reply(outcome)
      }
    }
    if let port = port(for: channel) {
      port.deliver(message, on: channel, reply: handler)
    } else if channel == ChannelBuffers.controlChannel {
      buffers.handleControlMessage(message)
      handler?(.payload(nil))
    } else {
      buffers.push(message, on: channel) { outcome in
        handler?(outcome)
      } deliver: {
        [unowned self] message, settle in
        guard let port = self.port(for: channel) else { return settle(.disconnected) }
        port.deliver(message, on: channel, reply: handler == nil ? nil : settle)
      }
    }
  }

  /// The connection that last spoke on the channel, or else the oldest.
  private func port(for channel: ChannelName) -> (any MessagePort)? {
    if ports.count > 1, let sender = routes[channel]?.sender,
      let port = ports.first(where: { ObjectIdentifier($0) == sender })
    {
      return port
    }
    return ports.first
  }

  // MARK: - Connections

  /// Adds a connection. What waited for the first one is sent now, in order.
  public func attach(_ port: any MessagePort) {
    ports.append(port)
    if side == .native, ports.count == 1 { buffers.drainAll() }
  }

  public func detach(_ port: any MessagePort) {
    ports.removeAll { $0 === port }
    for route in routes.values where route.sender == ObjectIdentifier(port) { route.sender = nil }
    for interceptor in interceptors { interceptor.disconnected(port) }
  }

  public var isConnected: Bool { !ports.isEmpty }

  // MARK: - Reports

  /// Passes on a report to the observers, the journal and the connection that it concerns, or to
  /// all connections.
  public func report(_ report: MessengerReport, through port: (any MessagePort)? = nil) {
    journal.noted(report)
    for observer in observers { observer.messenger(self, reported: report) }
    guard side == .native else { return }
    if let port { return port.tell(report) }
    for port in ports { port.tell(report) }
  }

  // MARK: -

  private final class Route {
    let name: ChannelName
    @exclusivity(unchecked) var handler: BinaryMessageHandler?
    @exclusivity(unchecked) var sender: ObjectIdentifier?
    init(_ name: ChannelName) { self.name = name }
  }

  /// The route of a channel; most messages come on the channel of the one before.
  private func route(_ name: ChannelName) -> Route {
    if let latest, latest.name == name { return latest }
    if let route = routes[name] {
      latest = route
      return route
    }
    let route = Route(name)
    // Names come from outside: those that nobody handles are not kept without a bound.
    if routes.count >= RoutingMessenger.mostIdleRoutes {
      routes = routes.filter { $0.value.handler != nil }
    }
    routes[name] = route
    latest = route
    return route
  }

  private static let mostIdleRoutes = 4096

  /// Keeps a message until the channel has a listener.
  private func buffer(_ call: BinaryReply) {
    let channel = call.channel
    if channel == ChannelBuffers.controlChannel {
      buffers.handleControlMessage(call.message)
      call.send(nil)
      return
    }
    buffers.push(call.message, on: channel) { outcome in
      if case .payload(let payload) = outcome { call.send(payload) }
    } deliver: { [unowned self] message, _ in
      guard let handler = self.routes[channel]?.handler else { return }
      handler(message, call)
    }
  }

  /// Hands on what waited for a listener, one message a turn as Dart does.
  private func drain(_ channel: ChannelName) {
    guard buffers.count(on: channel) > 0 else { return }
    let box = ThreadBound(self)
    thread.async {
      let messenger = box.value
      guard messenger.hasHandler(on: channel) else { return }
      messenger.buffers.drainOne(channel)
      messenger.drain(channel)
    }
  }
}

/// Carries something of the platform thread through code that has to be sendable. Only the
/// platform thread may look inside.
struct ThreadBound<Content>: @unchecked Sendable {
  let value: Content
  init(_ value: Content) { self.value = value }
}
