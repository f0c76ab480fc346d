import ChannelCodec
import ChannelRecordings
import ChannelRouter

/// A native side that does what a test says.
final class Stage: ReplayTarget {
  weak var receiver: (any ReplayReceiver)?
  /// What was sent, as `channel method`.
  var sent: [String] = []
  /// Called for each message; answers by ``answer(_:_:)`` or ``later(_:)``.
  var onSend: (Stage, MethodCall, ChannelName, UInt64) -> Void = { stage, _, _, number in
    stage.answer(number, .success(.null))
  }
  var isQuiet: Bool { work.isEmpty && !isStubborn }
  /// Pretends that something may always come.
  var isStubborn = false
  private var work: [() -> Void] = []

  func send(_ message: [UInt8]?, on channel: ChannelName, number: UInt64, wantsAnswer: Bool) {
    let call = (try? StandardMethodCodec().decodeMethodCall(message)) ?? MethodCall("?")
    sent.append("\(channel) \(call.method)")
    onSend(self, call, channel, number)
  }

  func wait(nanoseconds: UInt64) throws(ReplayFailure) {
    guard !work.isEmpty else { return }
    work.removeFirst()()
  }

  func answer(_ number: UInt64, _ envelope: Envelope) {
    receiver?.answered(number, with: .payload(Script.envelope(envelope)))
  }

  /// Does something in one of the next rounds.
  func later(_ work: @escaping () -> Void) { self.work.append(work) }

  func tell(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler? = nil) {
    receiver?.received(message, on: channel, reply: reply)
  }
}

/// A recording made line by line.
struct Script {
  private(set) var events: [RecordedEvent] = []

  static func envelope(_ envelope: Envelope) -> [UInt8] {
    (try? StandardMethodCodec().encodeEnvelope(envelope)) ?? []
  }

  static func call(_ method: Value.Text, _ arguments: Value = .null) -> [UInt8] {
    (try? StandardMethodCodec().encodeMethodCall(MethodCall(method, arguments))) ?? []
  }

  mutating func call(
    _ id: UInt64, _ method: Value.Text, _ arguments: Value = .null, on channel: ChannelName = "PW",
    at microseconds: Int64? = nil
  ) {
    add(.dartToNative, channel, id, .message, Script.call(method, arguments), microseconds)
  }

  mutating func reply(
    _ id: UInt64, _ value: Value = .null, on channel: ChannelName = "PW", at: Int64? = nil
  ) {
    add(.nativeToDart, channel, id, .reply, Script.envelope(.success(value)), at)
  }

  mutating func dropped(_ id: UInt64, on channel: ChannelName = "PW") {
    add(.nativeToDart, channel, id, .dropped, nil, nil)
  }

  mutating func native(
    _ id: UInt64, _ method: Value.Text, _ arguments: Value = .null,
    on channel: ChannelName = "PW"
  ) {
    add(.nativeToDart, channel, id, .message, Script.call(method, arguments), nil)
  }

  mutating func dartReply(_ id: UInt64, _ value: Value = .null, on channel: ChannelName = "PW") {
    add(.dartToNative, channel, id, .reply, Script.envelope(.success(value)), nil)
  }

  mutating func add(
    _ direction: RecordedEvent.Direction, _ channel: ChannelName, _ id: UInt64,
    _ kind: RecordedEvent.Kind, _ payload: [UInt8]?, _ microseconds: Int64?
  ) {
    events.append(
      RecordedEvent(
        sequence: UInt64(events.count), microseconds: microseconds ?? Int64(events.count),
        direction: direction, channel: channel, id: id, kind: kind, payload: payload))
  }

  /// The recording in text form.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    let printer = RecordingText()
    for event in events { printer.append(event, to: &bytes) }
    return bytes
  }

  /// Replays it; gives the summary and the mismatches.
  func play(
    on stage: any ReplayTarget, _ change: (inout ReplayOptions) throws -> Void = { _ in }
  ) throws -> (summary: ReplaySummary, mismatches: [ReplayMismatch]) {
    try Script.play(bytes, on: stage, change)
  }

  static func play(
    _ bytes: [UInt8], on stage: any ReplayTarget,
    _ change: (inout ReplayOptions) throws -> Void = { _ in }
  ) throws -> (summary: ReplaySummary, mismatches: [ReplayMismatch]) {
    var options = ReplayOptions()
    options.grace = .milliseconds(50)
    try change(&options)
    let replay = Replay(try RecordingReader(bytes: bytes), to: stage, options: options)
    var mismatches: [ReplayMismatch] = []
    replay.onMismatch = { mismatches.append($0) }
    try replay.run()
    return (replay.summary, mismatches)
  }
}
