import ChannelTransport
import SystemInterface

/// Stands between clients and a server that speak frames: passes every byte on untouched, both ways,
/// and records the messages in them. Belongs to the loop's thread.
public final class RecordingProxy {
  /// Where the bytes of one side come from and go to.
  public struct Ends: Sendable {
    /// Non-blocking; for a socket both are the same.
    public var input: Int32
    public var output: Int32
    /// Whether the proxy closes them.
    public var areOwned: Bool

    public init(input: Int32, output: Int32, areOwned: Bool = true) {
      self.input = input
      self.output = output
      self.areOwned = areOwned
    }
  }

  private let loop: EventLoop
  private let log: EntryLog
  private let maximumPayload: Int
  private let onTrouble: (String) -> Void
  private var connections: [UInt64: ProxiedConnection] = [:]
  private var connectionCount: UInt64 = 0

  /// - Parameters:
  ///   - codecs: of the channels whose codec is known; others are guessed.
  ///   - maximumPayload: larger payloads pass but are not recorded.
  ///   - onTrouble: is told what cannot be recorded, once for each reason and connection.
  public init(
    on loop: EventLoop, _ writer: RecordingWriter, shows: Bool = true,
    codecs: ChannelCodecMap = ChannelCodecMap(), maximumPayload: Int = 64 << 20,
    onTrouble: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.maximumPayload = maximumPayload
    self.onTrouble = onTrouble
    log = EntryLog(
      writer, shows: shows, codecs: codecs,
      nanoseconds: { SystemCalls.monotonicNanoseconds() },
      onStop: { error in
        onTrouble("recording ends here, passing on does not: \(error.description)")
      })
  }

  /// How many connections are open.
  public var openCount: Int { connections.count }
  /// How many entries have been written.
  public var count: UInt64 { log.count }
  /// Why the recording has ended early; nil while it goes on.
  public var failure: RecordingError? { log.failure }

  /// Relays between a client and a server until both have ended.
  ///
  /// - Parameter onEnd: is called once, after the descriptors have been closed.
  public func connect(
    client: Ends, server: Ends, onEnd: @escaping () -> Void = {}
  ) {
    connectionCount += 1
    let number = connectionCount
    let name = "connection \(number)"
    let tap = FrameTap(
      log, connection: number > 1 ? number : nil, maximumPayload: maximumPayload,
      onTrouble: { [onTrouble] text in onTrouble("\(name): \(text)") })
    connections[number] = ProxiedConnection(on: loop, client, server, tap) { [weak self] in
      self?.connections[number] = nil
      onEnd()
    }
  }

  /// Breaks all connections off.
  public func closeAll() {
    let all = connections.values
    connections = [:]
    for connection in all { connection.close() }
  }
}

/// One client with its server.
private final class ProxiedConnection {
  private let client: RecordingProxy.Ends
  private let server: RecordingProxy.Ends
  private let onEnd: () -> Void
  private var toServer: ByteRelay?
  private var toClient: ByteRelay?
  private var isOpen = true
  private var isServerOutputOpen = true

  init(
    on loop: EventLoop, _ client: RecordingProxy.Ends, _ server: RecordingProxy.Ends,
    _ tap: FrameTap, onEnd: @escaping () -> Void
  ) {
    self.client = client
    self.server = server
    self.onEnd = onEnd
    toServer = ByteRelay(on: loop, from: client.input, to: server.output) { bytes in
      tap.feed(bytes, .dartToNative)
    } onEnd: { [weak self] failure in
      self?.toServerEnded(failure)
    }
    toClient = ByteRelay(on: loop, from: server.input, to: client.output) { bytes in
      tap.feed(bytes, .nativeToDart)
    } onEnd: { [weak self] failure in
      self?.toClientEnded(failure)
    }
  }

  /// The client has said all, or the server takes no more: it may still answer, or say why.
  private func toServerEnded(_ failure: SystemCalls.Failure?) {
    toServer = nil
    if toClient == nil { return end() }
    if failure == nil { hangUp(server) }
  }

  /// The server has said all: nothing more will come of what the client may still send.
  private func toClientEnded(_ failure: SystemCalls.Failure?) {
    toClient = nil
    end()
  }

  private func hangUp(_ ends: RecordingProxy.Ends) {
    if ends.input == ends.output {
      try? SystemCalls.endWriting(ends.output)
    } else if ends.areOwned {
      SystemCalls.closeDescriptor(ends.output)
      isServerOutputOpen = false
    }
  }

  private func end() {
    guard isOpen else { return }
    close()
    onEnd()
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    toServer?.stop()
    toClient?.stop()
    (toServer, toClient) = (nil, nil)
    for ends in [client, server] where ends.areOwned {
      SystemCalls.closeDescriptor(ends.input)
      let isOpen = ends.output != server.output || isServerOutputOpen
      if ends.output != ends.input, isOpen { SystemCalls.closeDescriptor(ends.output) }
    }
  }
}
