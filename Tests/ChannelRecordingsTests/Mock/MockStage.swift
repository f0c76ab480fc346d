import ChannelCodec
import ChannelRecordings
import ChannelRouter

/// Writes recordings for tests, entry by entry.
struct MockScript {
  private(set) var events: [RecordedEvent] = []
  private var time: Int64 = 0

  /// What comes next is this much later.
  mutating func wait(_ microseconds: Int64) { time += microseconds }

  mutating func call(
    _ id: UInt64, _ channel: ChannelName, _ method: Value.Text, _ arguments: Value = .null
  ) {
    message(id, .dartToNative, channel, MockScript.bytes(method, arguments))
  }

  mutating func message(
    _ id: UInt64, _ direction: RecordedEvent.Direction, _ channel: ChannelName, _ payload: [UInt8]?
  ) {
    add(direction, channel, id, .message, payload)
  }

  mutating func native(_ id: UInt64, _ channel: ChannelName, _ payload: [UInt8]?) {
    message(id, .nativeToDart, channel, payload)
  }

  mutating func answer(
    _ id: UInt64, _ payload: [UInt8]?, kind: RecordedEvent.Kind = .reply,
    from direction: RecordedEvent.Direction = .nativeToDart
  ) {
    let message = events.first { $0.id == id && !$0.isAnswer && $0.direction != direction }
    add(direction, message?.channel ?? "?", id, kind, payload)
  }

  private mutating func add(
    _ direction: RecordedEvent.Direction, _ channel: ChannelName, _ id: UInt64,
    _ kind: RecordedEvent.Kind, _ payload: [UInt8]?
  ) {
    events.append(
      RecordedEvent(
        sequence: UInt64(events.count), microseconds: time, direction: direction, channel: channel,
        id: id, kind: kind, payload: payload))
  }

  static func bytes(_ method: Value.Text, _ arguments: Value = .null) -> [UInt8] {
    (try? StandardMethodCodec().encodeMethodCall(MethodCall(method, arguments))) ?? []
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    let text = RecordingText()
    for event in events { text.append(event, to: &bytes) }
    return bytes
  }

  func recording() throws -> MockRecording {
    try MockRecording(try RecordingReader(bytes: bytes))
  }
}

/// What a client got, in order.
enum Arrival: Hashable, CustomStringConvertible {
  case answer(UInt64, ReplyOutcome)
  case native(ChannelName, [UInt8]?)

  var description: String {
    switch self {
    case .answer(let id, let outcome): "answer to \(id): \(outcome)"
    case .native(let channel, let payload): "\(channel): \(payload.map { "\($0)" } ?? "nil")"
    }
  }
}

/// A mock and a client in one process, without a wire. Time stands still until it is told to go on.
final class MockStage: MessagePort {
  final class Here: PlatformThread {
    var isCurrent: Bool { true }
    func async(_ work: @escaping @Sendable () -> Void) { work() }
  }

  let messenger: RoutingMessenger
  let clock = DeviceClock(mode: .stepped, start: DeviceTime(microseconds: 0))
  let recording: MockRecording
  let usage: MockUsage
  let mock: MockDevice
  let real = RealTime()
  private(set) var arrivals: [Arrival] = []
  /// Called with each arrival.
  var onArrival: ((Arrival) -> Void)?

  /// The timers of real time.
  final class RealTime {
    var now = Duration.zero
    var timers: [(number: Int, due: Duration, work: () -> Void)] = []
    var count = 0

    func set(_ span: Duration, _ work: @escaping () -> Void) -> () -> Void {
      count += 1
      let number = count
      timers.append((number, now + span, work))
      return { [weak self] in self?.timers.removeAll { $0.number == number } }
    }

    func pass(_ span: Duration) {
      let end = now + span
      while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
        timers.removeAll { $0.number == next.number }
        now = next.due
        next.work()
      }
      now = end
    }
  }

  init(
    _ recording: MockRecording, _ options: MockOptions = MockOptions(),
    usage: MockUsage? = nil, episodes: EpisodeRecorder? = nil
  ) {
    self.recording = recording
    self.usage = usage ?? MockUsage(recording)
    messenger = RoutingMessenger(side: .native, thread: Here()) { 0 }
    mock = MockDevice(
      recording, on: messenger, clock: clock, options: options, usage: self.usage,
      episodes: episodes, timer: { [real] in real.set($0, $1) })
    messenger.attach(self)
  }

  convenience init(_ script: MockScript, _ options: MockOptions = MockOptions()) throws {
    self.init(try script.recording(), options)
  }

  func send(_ id: UInt64, _ channel: ChannelName, _ payload: [UInt8]?) {
    messenger.receive(payload, on: channel, id: id, from: self)
  }

  func call(
    _ id: UInt64, _ channel: ChannelName, _ method: Value.Text, _ arguments: Value = .null
  ) {
    send(id, channel, MockScript.bytes(method, arguments))
  }

  /// What came since the last time it was asked.
  func taken() -> [Arrival] {
    defer { arrivals = [] }
    return arrivals
  }

  func refusal(_ id: UInt64) -> Refusal? {
    for case .answer(id, .refused(let refusal)) in arrivals { return refusal }
    return nil
  }

  // MARK: - MessagePort

  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    arrive(.native(channel, message))
    reply?(.payload(nil))
  }

  func answer(_ id: UInt64, with outcome: ReplyOutcome) { arrive(.answer(id, outcome)) }
  func tell(_ report: MessengerReport) {}
  func breakOff() {}

  private func arrive(_ arrival: Arrival) {
    arrivals.append(arrival)
    onArrival?(arrival)
  }
}
