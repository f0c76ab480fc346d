import ChannelRouter
import ChannelTransport

/// Plays the native side of a recording before the handlers of one messenger.
///
/// A message gets its recorded answer: a reply, none, a drop or a refusal; one that stayed open
/// stays open. By place, what native code sends comes after as many messages from Dart as in the
/// recording, in the recorded order: an answer that came behind later messages, or behind messages
/// of native code, does so again. It waits for later messages only while the client sends any; see
/// ``MockOptions/quietTime``. Messages that were refused count among those from Dart, since they
/// stand for recorded ones; those that go to the device do not.
///
/// Belongs to the platform thread.
public final class MockDevice: MessageInterceptor {
  /// Runs work after a span of real time; the result takes it back.
  public typealias Timer = (_ span: Duration, _ work: @escaping () -> Void) -> () -> Void

  /// The code of the refusal for messages that are not in the recording.
  public static let refusalCode = FrameProblem.notRecorded.rawValue
  /// Steers the device, and goes to it unless the recording knows it.
  private static let controlChannel: ChannelName = "pwbridge/control"

  public let recording: MockRecording
  public let options: MockOptions

  private weak var messenger: RoutingMessenger?
  private let clock: DeviceClock
  private let usage: MockUsage
  private let episodes: EpisodeObserver?
  private let timer: Timer

  private var matcher: MockMatcher
  private var hasStarted = false
  private var isRetired = false
  private var startTime = DeviceTime(microseconds: 0)
  /// Messages from Dart that count.
  private var received = 0
  private var nextNative = 0
  /// Answers that wait for their place, in recorded order.
  private var held: [HeldAnswer] = []
  private var isReleasing = false
  private var stopQuietTimer: (() -> Void)?
  /// Calls that have no answer in the recording. Letting go of them would drop them.
  private var leftOpen: [BinaryReply] = []
  private var alarms: Set<DeviceClock.Alarm> = []

  private struct HeldAnswer {
    let call: BinaryReply
    let outcome: ReplyOutcome
    let position: Int
    /// How many messages from Dart have to have come.
    var gate: Int
  }

  /// Takes over the messages of a messenger. Other interceptors that are there come first.
  ///
  /// - Parameters:
  ///   - usage: shared by the devices of a recording.
  ///   - episodes: where modes that record write to; without it nothing is recorded.
  ///   - timer: for ``MockOptions/quietTime``.
  public init(
    _ recording: MockRecording, on messenger: RoutingMessenger, clock: DeviceClock,
    options: MockOptions = MockOptions(), usage: MockUsage, episodes: EpisodeRecorder? = nil,
    timer: @escaping Timer
  ) {
    self.recording = recording
    self.messenger = messenger
    self.clock = clock
    self.options = options
    self.usage = usage
    self.timer = timer
    self.episodes = episodes.map { EpisodeObserver($0) }
    matcher = MockMatcher(recording, options)
    messenger.interceptors.append(self)
    if let observer = self.episodes { messenger.observers.append(observer) }
  }

  /// Sends what native code sent before the first message from Dart. Call it once the first client
  /// is there; its first message does so as well.
  public func start() {
    guard !hasStarted, !isRetired else { return }
    hasStarted = true
    startTime = clock.now
    switch options.timing {
    case .place: release()
    case .time: scheduleNative()
    }
  }

  /// Ends the play: answers that wait are given, calls without an answer are dropped.
  public func retire() {
    guard !isRetired else { return }
    isRetired = true
    stopQuietTimer?()
    for alarm in alarms { clock.cancel(alarm) }
    alarms = []
    let answers = held
    held = []
    for answer in answers { answer.call.settle(answer.outcome) }
    leftOpen = []
  }

  /// Lets go of the open calls of a connection that has ended.
  public func forgetCalls(ofConnection number: Int) {
    leftOpen.removeAll { $0.port.number == number }
    held.removeAll { $0.call.port.number == number }
  }

  // MARK: - MessageInterceptor

  public func intercept(_ call: BinaryReply) -> Bool {
    guard !isRetired else { return false }
    start()
    if options.mode == .all { return pass(call) }
    switch matcher.take(call.message, on: call.channel) {
    case .found(let number, let isRepeated):
      play(number, for: call, isRepeated)
      return true
    case .missed(let miss):
      if call.channel == MockDevice.controlChannel,
        recording.groupsOfChannel[call.channel] == nil
      {
        return false
      }
      if episodes != nil { return pass(call) }
      refuse(call, miss)
      return true
    }
  }

  /// To the device, and into the recording.
  private func pass(_ call: BinaryReply) -> Bool {
    guard call.channel != MockDevice.controlChannel else { return false }
    usage.passed += 1
    episodes?.record(call)
    return false
  }

  private func refuse(_ call: BinaryReply, _ miss: MockMatcher.Miss) {
    usage.refused += 1
    let mismatch = MockMismatch(of: call.message, on: call.channel, in: recording, matcher)
    call.method = mismatch.method
    call.refuse(Refusal(code: MockDevice.refusalCode, text: mismatch.words(miss)))
    received += 1
    goOn()
  }

  private func play(_ number: Int, for call: BinaryReply, _ isRepeated: Bool) {
    let expectation = recording.expectations[number]
    usage.played += 1
    usage.use(message: number)
    if isRepeated { usage.repeated += 1 } else { received += 1 }
    defer { goOn() }
    guard let answer = expectation.answer else {
      if call.id != 0 { leftOpen.append(call) } else { call.drop() }
      return
    }
    switch options.timing {
    case .place where isRepeated: call.settle(answer.outcome)
    case .place:
      let entry = HeldAnswer(
        call: call, outcome: answer.outcome, position: answer.position,
        gate: received + answer.overtaken)
      let place = held.lastIndex { $0.position < entry.position }.map { $0 + 1 } ?? 0
      held.insert(entry, at: place)
    case .time: at(clock.now + answer.delay) { call.settle(answer.outcome) }
    }
  }

  // MARK: - By place

  private func goOn() {
    guard options.timing == .place else { return }
    release()
    stopQuietTimer?()
    stopQuietTimer = nil
    if !held.isEmpty { awaitQuiet() }
  }

  /// Sends everything whose place has come, in recorded order.
  private func release() {
    // What is sent may bring the next message, which is taken in here as well.
    guard !isReleasing else { return }
    isReleasing = true
    defer { isReleasing = false }
    while !isRetired {
      let ready = held.firstIndex { $0.gate <= received }
      let native = nextNative < recording.natives.count ? recording.natives[nextNative] : nil
      if let native, native.gate <= received,
        ready.map({ native.position < held[$0].position }) ?? true
      {
        sendNext()
      } else if let ready {
        let answer = held.remove(at: ready)
        answer.call.settle(answer.outcome)
      } else {
        return
      }
    }
  }

  private func awaitQuiet() {
    stopQuietTimer = timer(options.quietTime) { [weak self] in
      guard let self else { return }
      stopQuietTimer = nil
      releaseEarly()
    }
  }

  /// The client sends nothing more for the moment: it may be waiting for the answers that would be
  /// next.
  private func releaseEarly() {
    guard let first = held.map(\.gate).min() else { return }
    for place in held.indices where held[place].gate == first {
      held[place].gate = received
      usage.early += 1
    }
    release()
    if !held.isEmpty, stopQuietTimer == nil { awaitQuiet() }
  }

  // MARK: - By time

  private func scheduleNative() {
    guard nextNative < recording.natives.count else { return }
    at(startTime + recording.natives[nextNative].time) { [weak self] in
      self?.sendNext()
      self?.scheduleNative()
    }
  }

  private func at(_ time: DeviceTime, _ work: @escaping () -> Void) {
    var alarm: DeviceClock.Alarm?
    alarm = clock.schedule(at: time) { [weak self] in
      if let alarm { self?.alarms.remove(alarm) }
      work()
    }
    if let alarm { alarms.insert(alarm) }
  }

  // MARK: -

  private func sendNext() {
    let native = recording.natives[nextNative]
    usage.use(native: nextNative)
    usage.sent += 1
    nextNative += 1
    episodes?.isPlaying = true
    defer { episodes?.isPlaying = false }
    messenger?.send(
      native.payload, on: native.channel, reply: native.wantsReply ? { _ in } : nil)
  }
}

extension BinaryReply {
  /// Answers as recorded.
  func settle(_ outcome: ReplyOutcome) {
    switch outcome {
    case .payload(let payload): send(payload)
    case .dropped, .disconnected: drop()
    case .refused(let refusal): refuse(refusal)
    }
  }
}
