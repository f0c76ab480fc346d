import ChannelCodec
import ChannelRecordings
import ChannelRouter
import ChannelTransport
import SystemInterface
import Testing

/// The real capture plays the native side for its own messages from Dart, over the wire.
@Suite("A real capture mocked against itself") struct CaptureMockTests {
  final class Device: ServedDevice {
    let name = ""
    let messenger: RoutingMessenger
    let mock: MockDevice

    init(_ player: MockPlayer, _ loop: EventLoop) {
      messenger = RoutingMessenger(side: .native, thread: loop.thread) {
        SystemCalls.monotonicNanoseconds()
      }
      let clock = DeviceClock(mode: .stepped, start: DeviceTime(microseconds: 0))
      mock = player.attach(to: messenger, clock: clock) { span, work in
        let timer = loop.after(span, work)
        return { timer.cancel() }
      }
    }
  }

  /// A server of mocks.
  final class Rig: DeviceProvider {
    let loop: EventLoop
    let player: MockPlayer
    var devices: [Device] = []

    init(quietTime: Duration) throws {
      loop = try EventLoop()
      var options = MockOptions()
      options.quietTime = quietTime
      player = try MockPlayer(
        path: Captures.desktopApp, options: options, header: RecordingHeader(),
        nanoseconds: SystemCalls.monotonicNanoseconds)
    }

    func device(for hello: Hello) throws(FrameError) -> any ServedDevice {
      let device = Device(player, loop)
      devices.append(device)
      let mock = Sendable_(device.mock)
      loop.thread.async { mock.value.start() }
      return device
    }

    func release(_ device: any ServedDevice) { (device as? Device)?.mock.retire() }
  }

  struct Sendable_: @unchecked Sendable {
    let value: MockDevice
    init(_ value: MockDevice) { self.value = value }
  }

  /// The capture as the client sees it.
  struct Capture {
    var sent: [(id: UInt64, channel: ChannelName, payload: [UInt8]?, before: Int)] = []
    var arrivals: [Arrival] = []
    var nativeChannels: Set<ChannelName> = []

    init() throws {
      let reader = try RecordingReader(path: Captures.desktopApp)
      try reader.readAll { event in
        switch (event.isAnswer, event.direction) {
        case (false, .dartToNative):
          sent.append((event.id, event.channel, event.payload, arrivals.count))
        case (true, .nativeToDart):
          if let outcome = event.outcome { arrivals.append(.answer(event.id, outcome)) }
        case (false, .nativeToDart):
          arrivals.append(.native(event.channel, event.payload))
          nativeChannels.insert(event.channel)
        case (true, .dartToNative): break
        }
      }
    }
  }

  /// - Parameter inStep: whether each message waits for what came before it in the recording;
  ///   else all go out at once.
  @Test("gives every answer and every message at its place", arguments: [true, false])
  func everything(inStep: Bool) throws {
    let capture = try Capture()
    #expect(capture.sent.count == 1012)
    // Nothing may come early here, however slow the machine.
    let rig = try Rig(quietTime: .seconds(60))
    let limits = FrameLimits(maximumOpenCalls: 4096)
    let server = BridgeServer(
      loop: rig.loop, devices: rig, settings: ConnectionSettings(limits: limits))
    let (ours, theirs) = try SystemCalls.makeSocketPair()
    server.serve(input: theirs, output: theirs, ownsDescriptors: true)
    let hello = Hello(limits: limits)
    let client = BridgeClient(loop: rig.loop, input: ours, output: ours, hello)
    var arrivals: [Arrival] = []
    for channel in capture.nativeChannels {
      client.messenger.setMessageHandler(on: channel) { message, reply in
        arrivals.append(.native(channel, message))
        reply.send(nil)
      }
    }
    try client.greet(hello)
    var open = 0
    for message in capture.sent {
      if inStep {
        let came = try client.run(for: .seconds(20)) { arrivals.count >= message.before }
        #expect(came, "before the message \(message.id)")
        guard came else { return }
      }
      open += 1
      client.messenger.send(message.payload, on: message.channel) { outcome in
        open -= 1
        if outcome != .disconnected { arrivals.append(.answer(message.id, outcome)) }
      }
    }
    try client.run(for: .seconds(20)) { arrivals.count >= capture.arrivals.count }
    // What should not come has time to do so.
    for _ in 0..<20 { try rig.loop.runOnce(timeout: .milliseconds(2)) }
    #expect(arrivals.count == capture.arrivals.count)
    let differing = zip(arrivals, capture.arrivals).enumerated().first { $1.0 != $1.1 }
    #expect(differing == nil, "the first difference is \(String(describing: differing))")
    #expect(open == 1, "one call is never answered in the capture")
    let usage = rig.player.usage
    #expect(usage.unusedCount == 0)
    #expect(
      (usage.played, usage.sent, usage.refused, usage.early) == (1012, 996, 0, 0),
      "\(usage.summary)")
  }
}
