import ChannelCodec
import ChannelRouter
import SystemInterface

/// The Dart side of a bridge: sends messages to a device and gets its replies, by a loop that the
/// caller runs.
///
/// ``messenger`` is a binary messenger as Dart has one, so that ``MethodChannel``,
/// ``EventChannel`` and ``BasicMessageChannel`` work on it; the calls here wait for their answers.
/// Belongs to the thread that made it.
public final class BridgeClient {
  /// Why a client could not connect, or is no longer connected.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
  }

  public let loop: EventLoop
  public let messenger: RoutingMessenger
  /// What the server says of itself.
  public private(set) var server: Hello?
  /// How the conversation ended, once it has.
  public private(set) var end: ConnectionEnd?
  /// Gets the log lines that the server sends.
  public var onLog: ((ReceivedLog) -> Void)?
  /// Gets errors that answer no call.
  public var onError: ((ReceivedError) -> Void)?

  private let connection: FrameConnection
  private let child: ChildProcess?

  /// Connects to the server of a Unix socket and greets it.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for its greeting.
  ///   - prepare: sets handlers before the first message can come. A channel without one keeps a
  ///     single message.
  public static func connect(
    to path: String, hello: Hello = Hello(), timeout: Duration = .seconds(5),
    prepare: (RoutingMessenger) -> Void = { _ in }
  ) throws(Failure) -> BridgeClient {
    let loop = try makeLoop()
    let descriptor: Int32
    do {
      descriptor = try SystemCalls.connectSocket(path)
    } catch {
      throw Failure("\(path): \(error.text)")
    }
    let client = BridgeClient(loop: loop, input: descriptor, output: descriptor, child: nil, hello)
    prepare(client.messenger)
    try client.greet(hello, timeout)
    return client
  }

  /// Starts a server that speaks frames on its standard input and output, and greets it.
  ///
  /// - Parameters:
  ///   - command: the program, looked up in `PATH`, and its arguments.
  ///   - prepare: as for ``connect(to:hello:timeout:prepare:)``.
  public static func spawn(
    _ command: [String], hello: Hello = Hello(), timeout: Duration = .seconds(5),
    prepare: (RoutingMessenger) -> Void = { _ in }
  ) throws(Failure) -> BridgeClient {
    let loop = try makeLoop()
    let child: ChildProcess
    do throws(SystemCalls.Failure) {
      child = try ChildProcess(command, input: .piped, output: .piped)
    } catch {
      throw Failure("cannot start \(command.first ?? ""): \(error.text)")
    }
    guard let input = child.output, let output = child.input else {
      throw Failure("no pipes to \(command.first ?? "")")
    }
    let client = BridgeClient(loop: loop, input: input, output: output, child: child, hello)
    prepare(client.messenger)
    try client.greet(hello, timeout)
    return client
  }

  /// Speaks over descriptors that are connected already, which become the client's to close.
  public init(
    loop: EventLoop, input: Int32, output: Int32, child: ChildProcess? = nil,
    _ hello: Hello = Hello()
  ) {
    self.loop = loop
    self.child = child
    messenger = RoutingMessenger(side: .dart, thread: loop.thread) {
      SystemCalls.monotonicNanoseconds()
    }
    connection = FrameConnection(
      loop: loop, role: .client, input: input, output: output,
      settings: ConnectionSettings(limits: hello.limits, software: hello.software),
      messenger: messenger)
    connection.onWelcome = { [weak self] in self?.server = $0 }
    connection.onEnd = { [weak self] in self?.end = $0 }
    connection.onLog = { [weak self] in self?.onLog?($0) }
    connection.onError = { [weak self] in self?.onError?($0) }
  }

  deinit {
    connection.close(.brokenOff)
    if let child { BridgeClient.end(child) }
  }

  /// A server that was started here ends with its input; one that does not is told to.
  private static func end(_ child: ChildProcess) {
    let start = SystemCalls.monotonicNanoseconds()
    while (try? child.checkForEnd()) == .some(nil) {
      guard SystemCalls.monotonicNanoseconds() - start < 6_000_000_000 else {
        try? SystemCalls.killProcess(child.processID)
        _ = try? child.wait()
        return
      }
      _ = try? PollTable().wait(nanoseconds: 2_000_000)
    }
  }

  private static func makeLoop() throws(Failure) -> EventLoop {
    do {
      return try EventLoop()
    } catch {
      throw Failure("cannot start an event loop: \(error.text)")
    }
  }

  /// Sends the hello and waits for the server's.
  public func greet(_ hello: Hello, _ timeout: Duration = .seconds(5)) throws(Failure) {
    do {
      try connection.sendHello(hello)
    } catch {
      throw Failure(error.description)
    }
    try run(for: timeout) { self.server != nil }
    guard server != nil else { throw Failure("the server did not greet within \(timeout)") }
  }

  // MARK: - Calls

  /// Runs the loop until `isDone` or the time is over.
  ///
  /// - Returns: whether it was done.
  /// - Throws: when the conversation ends before.
  @discardableResult
  public func run(for span: Duration, until isDone: () -> Bool) throws(Failure) -> Bool {
    let start = SystemCalls.monotonicNanoseconds()
    while !isDone() {
      if let end { throw Failure(end.description) }
      let elapsed = Duration.nanoseconds(SystemCalls.monotonicNanoseconds() - start)
      guard elapsed < span else { return false }
      do {
        try loop.runOnce(timeout: span - elapsed)
      } catch {
        throw Failure("cannot wait: \(error.text)")
      }
    }
    return true
  }

  /// Sends a message and waits for what comes of it.
  public func send(
    _ message: [UInt8]?, on channel: ChannelName, timeout: Duration = .seconds(30)
  ) throws(Failure) -> ReplyOutcome {
    var outcome: ReplyOutcome?
    messenger.send(message, on: channel) { outcome = $0 }
    try run(for: timeout) { outcome != nil }
    guard let outcome else { throw Failure("\(channel): no answer within \(timeout)") }
    return outcome
  }

  /// Calls a method and waits for what comes of it.
  public func invoke(
    _ method: Value.Text, _ arguments: Value = .null, on channel: ChannelName,
    codec: any MethodCodec = StandardMethodCodec(), timeout: Duration = .seconds(30)
  ) throws(Failure) -> MethodOutcome {
    let message: [UInt8]
    do {
      message = try codec.encodeMethodCall(MethodCall(method, arguments))
    } catch {
      throw Failure("\(channel) \(method): the arguments cannot be encoded: \(error)")
    }
    return MethodOutcome(try send(message, on: channel, timeout: timeout), codec: codec)
  }

  /// Says goodbye, waits until the server has answered what is open, and closes.
  public func close(timeout: Duration = .seconds(5)) {
    connection.drain()
    _ = try? run(for: timeout) { self.end != nil }
    connection.close(.finished)
  }
}

extension ConnectionEnd: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .finished: "the conversation is over"
    case .failed(let error): error.description
    case .refused(let error): error.description
    case .lost(let text): text
    case .brokenOff: "the connection was broken off"
    }
  }
}
