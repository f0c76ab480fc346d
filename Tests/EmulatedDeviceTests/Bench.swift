import ChannelCodec
import ChannelNotation
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Synchronization
import Testing

/// A platform thread that runs what it was given when the test says so.
final class HandThread: PlatformThread {
  private let queue = Mutex<[@Sendable () -> Void]>([])
  var isCurrent: Bool { true }

  func async(_ work: @escaping @Sendable () -> Void) { queue.withLock { $0.append(work) } }

  /// Runs what has been asked for, and what that asks for.
  func drain() {
    while let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}

/// Dart's end of a connection: keeps what came and answers what the test tells it to.
final class DartEnd: MessagePort {
  struct Message {
    var channel: ChannelName
    var bytes: [UInt8]?
    var reply: BinaryReplyHandler?
  }

  var messages: [Message] = []
  var answers: [UInt64: [ReplyOutcome]] = [:]
  var reports: [MessengerReport] = []
  var isBroken = false
  /// Answers messages at once.
  var onMessage: ((Message) -> ReplyOutcome?)?

  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    let message = Message(channel: channel, bytes: message, reply: reply)
    messages.append(message)
    if let outcome = onMessage?(message) { reply?(outcome) }
  }
  func answer(_ id: UInt64, with outcome: ReplyOutcome) { answers[id, default: []].append(outcome) }
  func tell(_ report: MessengerReport) { reports.append(report) }
  func breakOff() { isBroken = true }
}

/// A device with one connection, whose clock stands still.
final class Bench {
  static let codec = StandardMethodCodec()

  let thread = HandThread()
  let port = DartEnd()
  let device: EmulatedDevice
  private var lastID: UInt64 = 0

  init(_ settings: String...) throws {
    var options = DeviceOptions()
    for setting in ["clock=stepped", "start-time=2026-01-01T00:00:00Z"] + settings {
      try options.set(setting)
    }
    device = EmulatedDevice(
      name: "bench", options: options, thread: thread, nanoseconds: { 0 },
      wallClock: DeviceTime(microseconds: 0))
    device.messenger.attach(port)
  }

  /// Sends a call; its answer may come later.
  @discardableResult
  func send(_ channel: ChannelName, _ method: String, _ arguments: Value = .null) throws -> UInt64 {
    try send(channel, message: Bench.codec.encodeMethodCall(.init(Value.Text(method), arguments)))
  }

  @discardableResult
  func send(_ channel: ChannelName, message: [UInt8]?) -> UInt64 {
    lastID += 1
    device.messenger.receive(message, on: channel, id: lastID, from: port)
    return lastID
  }

  /// What came of a call; nil while it is open.
  func outcome(_ id: UInt64) -> ReplyOutcome? { port.answers[id]?.last }

  /// Sends a call, runs the thread, and tells what came of it; nil if it is open.
  func outcome(
    _ channel: ChannelName, _ method: String, _ arguments: Value = .null
  ) throws -> ReplyOutcome? {
    let id = try send(channel, method, arguments)
    thread.drain()
    return outcome(id)
  }

  /// The envelope of a reply.
  func call(
    _ channel: ChannelName, _ method: String, _ arguments: Value = .null
  ) throws -> MethodOutcome {
    MethodOutcome(
      try #require(try outcome(channel, method, arguments)), codec: Bench.codec)
  }

  /// The value of a control call that has to succeed.
  @discardableResult
  func control(_ method: String, _ arguments: Value = .null) throws -> Value {
    let outcome = try call("pwbridge/control", method, arguments)
    guard case .success(let value) = outcome else {
      Issue.record("\(method): \(outcome)")
      throw Failure()
    }
    return value
  }

  /// The error of a call that has to fail.
  func failure(
    _ channel: ChannelName, _ method: String, _ arguments: Value = .null
  ) throws -> ErrorEnvelope {
    let outcome = try call(channel, method, arguments)
    guard case .error(let error) = outcome else {
      Issue.record("\(method): \(outcome)")
      throw Failure()
    }
    return error
  }

  struct Failure: Error {}

  /// The content states that the activity with this number went through.
  func states(_ number: Int = 1) -> [Value] {
    let all = device.store.dismissedActivities + device.store.activitiesOnScreen
    return all.first { $0.number == number }?.changes.compactMap(\.contentState) ?? []
  }

  var warnings: [String] { port.reports.filter { $0.kind == .remark }.map(\.text) }
}

extension Value {
  /// From JSON, for short tests.
  static func json(_ text: String) throws -> Value {
    try #require(try JSONMessageCodec().decode(Array(text.utf8)))
  }
}
