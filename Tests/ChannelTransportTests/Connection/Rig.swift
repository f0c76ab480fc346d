import ChannelCodec
import ChannelRouter
import SystemInterface

@testable import ChannelTransport

/// A server and raw bytes or a client at the other end of a socket, all on one loop.
final class Rig: DeviceProvider, ServerObserver {
  final class Device: ServedDevice {
    let name: String
    let messenger: RoutingMessenger
    init(_ name: String, _ messenger: RoutingMessenger) {
      (self.name, self.messenger) = (name, messenger)
    }
  }

  let loop: EventLoop
  var server: BridgeServer!
  var devices: [Device] = []
  var released = 0
  var ends: [ConnectionEnd] = []
  var troubles: [FrameError] = []
  var refusals: [String] = []
  /// Gives every new device its handlers.
  var prepare: (RoutingMessenger) -> Void = { _ in }

  init(_ settings: ConnectionSettings = ConnectionSettings(), framing: Framing = .frames) throws {
    // Conversations are short: looking would begin after most of them.
    loop = try EventLoop(restBeforeLooking: 0)
    server = BridgeServer(
      loop: loop, devices: self, settings: settings, framing: framing, observer: self)
  }

  func device(for hello: Hello) throws(FrameError) -> any ServedDevice {
    if let option = hello.options.first {
      throw FrameError(.deviceOptions, "no option \(option.name)")
    }
    if let name = hello.device, let known = devices.first(where: { $0.name == name }) {
      return known
    }
    let messenger = RoutingMessenger(side: .native, thread: loop.thread) {
      SystemCalls.monotonicNanoseconds()
    }
    prepare(messenger)
    let device = Device(hello.device ?? "", messenger)
    devices.append(device)
    return device
  }

  func release(_ device: any ServedDevice) { released += 1 }
  func connection(_ number: Int, got device: any ServedDevice, for hello: Hello?) {}
  func connection(_ number: Int, metTrouble error: FrameError) { troubles.append(error) }
  func connection(_ number: Int, ended end: ConnectionEnd) { ends.append(end) }
  func refusedConnection(_ reason: String) { refusals.append(reason) }

  /// A raw end of a new conversation.
  func connect() throws -> RawEnd {
    let (ours, theirs) = try SystemCalls.makeSocketPair()
    server.serve(input: theirs, output: theirs, ownsDescriptors: true)
    return RawEnd(ours, self)
  }

  /// A client of a new conversation, greeted.
  func client(_ hello: Hello = Hello()) throws -> BridgeClient {
    let (ours, theirs) = try SystemCalls.makeSocketPair()
    server.serve(input: theirs, output: theirs, ownsDescriptors: true)
    let client = BridgeClient(loop: loop, input: ours, output: ours, hello)
    try client.greet(hello)
    return client
  }

  struct TimedOut: Error {}

  func run(until isDone: () -> Bool) throws {
    let start = SystemCalls.monotonicNanoseconds()
    while !isDone() {
      guard SystemCalls.monotonicNanoseconds() - start < 20_000_000_000 else { throw TimedOut() }
      try loop.runOnce(timeout: .milliseconds(20))
    }
  }

  /// Lets everything that is under way arrive.
  func settle() throws {
    for _ in 0..<20 { try loop.runOnce(timeout: .milliseconds(1)) }
  }
}

/// The other end of a conversation, as bytes.
final class RawEnd {
  private let rig: Rig
  private(set) var descriptor: Int32
  private(set) var bytes: [UInt8] = []
  private(set) var hasEnded = false

  init(_ descriptor: Int32, _ rig: Rig) { (self.descriptor, self.rig) = (descriptor, rig) }

  deinit { close() }

  func close() {
    if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) }
    descriptor = -1
  }

  func endWriting() throws { try SystemCalls.endWriting(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    try rig.run {
      let count = rest.withUnsafeBytes {
        (try? SystemCalls.writeAvailable(descriptor, $0)) ?? nil
      }
      rest = rest.dropFirst(count ?? 0)
      return rest.isEmpty
    }
  }

  func send(_ build: (FrameWriter) throws -> Void) throws {
    let writer = FrameWriter()
    try build(writer)
    try send(writer.takePending())
  }

  func hello(_ hello: Hello = Hello()) throws { try send { try $0.hello(hello) } }

  /// Reads what is there.
  func read() {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while !hasEnded {
      let count = chunk.withUnsafeMutableBytes {
        (try? SystemCalls.readAvailable(descriptor, into: $0)) ?? nil
      }
      guard let count else { return }
      if count == 0 { hasEnded = true }
      bytes += chunk[..<count]
    }
  }

  /// The frames that have come by now.
  func frames() throws -> [Frame] {
    read()
    let reader = FrameReader(limits: FrameLimits(maximumPayload: 1 << 30))
    reader.feed(bytes)
    var frames: [Frame] = []
    while let event = try reader.next() {
      if case .frame(let frame) = event { frames.append(frame) }
    }
    return frames
  }

  /// Waits until that many frames have come, the server's hello counted.
  func frames(_ count: Int) throws -> [Frame] {
    var frames: [Frame] = []
    try rig.run {
      frames = (try? self.frames()) ?? []
      return frames.count >= count
    }
    return frames
  }

  /// Waits for the end, then gives all frames.
  func allFrames() throws -> [Frame] {
    try rig.run {
      read()
      return hasEnded
    }
    return try frames()
  }
}
