import ChannelCodec
import Synchronization

@testable import ChannelRouter

/// A platform thread that runs what it was given when the test says so.
final class ManualThread: PlatformThread {
  private let queue = Mutex<[@Sendable () -> Void]>([])
  /// The thread of the test is the platform thread unless it says otherwise.
  private let elsewhere = Atomic<Bool>(false)

  var isCurrent: Bool { !elsewhere.load(ordering: .acquiring) }

  func async(_ work: @escaping @Sendable () -> Void) { queue.withLock { $0.append(work) } }

  /// From here on the caller counts as another thread.
  func leave() { elsewhere.store(true, ordering: .releasing) }
  func comeBack() { elsewhere.store(false, ordering: .releasing) }

  /// Runs `body` as another thread would.
  func fromElsewhere(_ body: () -> Void) {
    leave()
    body()
    comeBack()
  }

  /// Runs what has been asked for, and what that asks for.
  func drain() {
    while let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}

/// A connection that keeps what goes through it.
final class RecordingPort: MessagePort {
  struct Delivery {
    var message: [UInt8]?
    var channel: ChannelName
    var reply: BinaryReplyHandler?
  }

  var deliveries: [Delivery] = []
  var answers: [(id: UInt64, outcome: ReplyOutcome)] = []
  var reports: [MessengerReport] = []
  var isBroken = false

  func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    deliveries.append(Delivery(message: message, channel: channel, reply: reply))
  }
  func answer(_ id: UInt64, with outcome: ReplyOutcome) { answers.append((id, outcome)) }
  func tell(_ report: MessengerReport) { reports.append(report) }
  func breakOff() { isBroken = true }
}

/// A Dart side and a native side, joined without bytes on a wire between them.
final class Pair {
  let thread = ManualThread()
  let native: RoutingMessenger
  let dart: RoutingMessenger
  private var links: [Link] = []

  init() {
    native = RoutingMessenger(side: .native, thread: thread) { 0 }
    dart = RoutingMessenger(side: .dart, thread: thread) { 0 }
    let (toNative, toDart) = (Link(to: native), Link(to: dart))
    (toNative.back, toDart.back) = (toDart, toNative)
    links = [toNative, toDart]
    dart.attach(toNative)
    native.attach(toDart)
  }

  /// One direction: what one side's port delivers, the other side receives.
  private final class Link: MessagePort {
    unowned let target: RoutingMessenger
    unowned var back: Link!
    var open: [UInt64: BinaryReplyHandler] = [:]
    var count: UInt64 = 0

    init(to target: RoutingMessenger) { self.target = target }

    func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
      var id: UInt64 = 0
      if let reply {
        count += 1
        id = count
        open[id] = reply
      }
      target.receive(message, on: channel, id: id, from: back)
    }
    func answer(_ id: UInt64, with outcome: ReplyOutcome) {
      back.open.removeValue(forKey: id)?(outcome)
    }
    func tell(_ report: MessengerReport) {}
    func breakOff() {}
  }
}

/// Keeps what a messenger tells.
final class RecordingObserver: TrafficObserver {
  var lines: [String] = []

  func messenger(_: RoutingMessenger, received call: BinaryReply) {
    lines.append("received \(call.label)")
  }
  func messenger(_: RoutingMessenger, answered call: BinaryReply, with outcome: ReplyOutcome) {
    lines.append("answered \(call.label) \(outcome.name)")
  }
  func messenger(_: RoutingMessenger, sent message: SentMessage) {
    lines.append("sent \(message.channel)")
  }
  func messenger(_: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage) {
    lines.append("got \(message.channel) \(outcome.name)")
  }
  func messenger(_: RoutingMessenger, reported report: MessengerReport) {
    lines.append("reported \(report.kind.rawValue)")
  }
}

extension ReplyOutcome {
  var name: String {
    switch self {
    case .payload(nil): "empty"
    case .payload(let bytes?): "\(bytes)"
    case .dropped: "dropped"
    case .refused(let refusal): "refused \(refusal.code)"
    case .disconnected: "disconnected"
    }
  }
}

func call(_ method: String, _ arguments: Value = .null) throws -> [UInt8] {
  try StandardMethodCodec().encodeMethodCall(MethodCall(Value.Text(method), arguments))
}
