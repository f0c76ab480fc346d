import AppDevice
import ChannelCodec
import ChannelRouter
import EmulatedDevice
import Foundation

@testable import Flutter

/// A fresh device with a Dart side that the test plays.
@MainActor final class TestDevice {
  let device: AppDevice
  let engine: FlutterEngine
  private let port = Port()
  private let lock = NSLock()
  private var nextID: UInt64 = 1

  init() {
    device = AppDevice.start()
    engine = FlutterEngine(name: "test")
    device.perform { [port] in $0.messenger.attach(port) }
  }

  var messenger: any FlutterBinaryMessenger { engine.binaryMessenger }

  /// What the device said, in order.
  var reports: [MessengerReport] { port.reports }
  /// What came to Dart without being an answer, in order.
  var delivered: [(channel: String, payload: [UInt8]?)] { port.delivered }

  /// Sends a message as Dart would; `0` of ids wants no reply.
  @discardableResult
  func send(_ message: [UInt8]?, on channel: String) -> UInt64 {
    let id = lock.withLock {
      nextID += 1
      return nextID
    }
    device.perform { [port] in
      _ = $0.messenger.receive(message, on: ChannelName(channel), id: id, from: port)
    }
    return id
  }

  /// Sends a message and waits for what comes of it; nil when nothing comes of it in two minutes.
  func ask(_ message: [UInt8]?, on channel: String) async -> ReplyOutcome? {
    let id = send(message, on: channel)
    return await outcome(of: id)
  }

  func outcome(of id: UInt64, within seconds: Double = 120) async -> ReplyOutcome? {
    await wait(seconds) { [port] in port.outcomes[id] }
  }

  /// Calls a method with the standard codec.
  func invoke(
    _ method: Value.Text, _ arguments: Value = .null, on channel: String
  ) async throws -> MethodOutcome {
    let codec = StandardMethodCodec()
    let outcome = await ask(
      try codec.encodeMethodCall(MethodCall(method, arguments)), on: channel)
    guard let outcome else { throw Unanswered() }
    return MethodOutcome(outcome, codec: codec)
  }

  struct Unanswered: Error {}

  /// The report of a kind, once it is there.
  func report(_ kind: MessengerReport.Kind) async -> MessengerReport? {
    await wait { [port] in port.reports.first { $0.kind == kind } }
  }

  /// Waits until so many messages have come to Dart.
  func deliveries(_ count: Int) async -> [(channel: String, payload: [UInt8]?)] {
    await wait { [port] in port.delivered.count >= count ? port.delivered : nil } ?? delivered
  }

  /// How Dart replies to messages from native code; nil is not at all.
  func replyFromDart(_ reply: (([UInt8]?) -> ReplyOutcome)?) { port.setReply(reply) }
}

/// What `find` finds, looked for until it is there or the time is over.
@MainActor func wait<Found>(_ seconds: Double = 120, _ find: () -> Found?) async -> Found? {
  let end = Date(timeIntervalSinceNow: seconds)
  while Date() < end {
    if let found = find() { return found }
    try? await Task.sleep(nanoseconds: 2_000_000)
  }
  return find()
}

private final class Port: MessagePort, @unchecked Sendable {
  private let lock = NSLock()
  private var answered: [UInt64: ReplyOutcome] = [:]
  private var told: [MessengerReport] = []
  private var received: [(channel: String, payload: [UInt8]?)] = []
  private var reply: (([UInt8]?) -> ReplyOutcome)?

  var outcomes: [UInt64: ReplyOutcome] { lock.withLock { answered } }
  var reports: [MessengerReport] { lock.withLock { told } }
  var delivered: [(channel: String, payload: [UInt8]?)] { lock.withLock { received } }
  func setReply(_ reply: (([UInt8]?) -> ReplyOutcome)?) { lock.withLock { self.reply = reply } }

  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply handler: BinaryReplyHandler?) {
    let reply = lock.withLock {
      received.append((channel.description, message))
      return self.reply
    }
    if let reply { handler?(reply(message)) }
  }
  func answer(_ id: UInt64, with outcome: ReplyOutcome) {
    lock.withLock { answered[id] = outcome }
  }
  func tell(_ report: MessengerReport) { lock.withLock { told.append(report) } }
  func breakOff() {}
}
