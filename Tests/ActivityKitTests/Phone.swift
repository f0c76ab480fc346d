import ActivityKit
import AppDevice
import ChannelCodec
import ChannelRouter
import DeviceTurns
import EmulatedDevice
import LiveActivities
import Synchronization
import Testing

/// Everything here works on the one device of the process, one test after the other.
@Suite(.serialized, .oneDevice) struct ActivityKitTests {}

struct StopwatchWidgetAttributes: ActivityAttributes {
  struct ContentState: Codable, Hashable {
    var elapsedTime: Int
  }
}

/// A type with something of everything.
struct OrderAttributes: ActivityAttributes, Equatable {
  struct Item: Codable, Hashable {
    var name: String
    var count: UInt8
  }
  enum Phase: String, Codable { case placed, delivered }
  struct ContentState: Codable, Hashable {
    var phase: Phase
    var eta: Date
    var items: [Item] = []
    var totals: [String: Double] = [:]
    var code = Data()
    var note: String?
    var big: UInt64 = 0
  }
  var number: Int
  var shop: String
}

typealias Stopwatch = Activity<StopwatchWidgetAttributes>
typealias Order = Activity<OrderAttributes>

/// The app's device on a clock that stands still, with what it reported.
final class Phone: Sendable {
  let device: AppDevice
  private let listener = Listener()
  static let start = Date(timeIntervalSince1970: 1_800_000_000)

  init(_ settings: String...) throws {
    var options = DeviceOptions()
    for setting in ["clock=stepped", "start-time=1800000000"] + settings {
      try options.set(setting)
    }
    device = AppDevice.start(options: options)
    device.perform { [listener] in $0.messenger.observers.append(listener) }
  }

  func store<Result>(_ body: (ActivityStore) throws -> Result) rethrows -> Result {
    try device.perform { try body($0.store) }
  }

  func set(_ name: String, _ value: String) throws {
    try device.perform { try $0.setOption(name, to: value) }
  }

  func advance(hours: Double = 0, seconds: Double = 0) {
    device.perform { $0.clock.advance(by: .seconds(hours * 3600 + seconds)) }
  }

  /// Calls the control channel as a client does.
  func control(_ method: String, _ arguments: Value = .null) throws -> Value {
    let codec = StandardMethodCodec()
    let message = try codec.encodeMethodCall(.init(Value.Text(method), arguments))
    let port = Port()
    device.perform {
      _ = $0.messenger.receive(message, on: "pwbridge/control", id: 1, from: port)
    }
    guard case .payload(let reply)? = port.outcome.withLock({ $0 }),
      case .success(let value)? = try codec.decodeEnvelope(reply)
    else {
      Issue.record("\(method): \(String(describing: port.outcome.withLock { $0 }))")
      return .null
    }
    return value
  }

  /// What the device has said so far, those that were on their way included.
  var reports: [String] {
    device.perform { _ in }
    return listener.texts.withLock { $0 }
  }

  func reports(_ words: String) -> Int { reports.filter { $0.contains(words) }.count }

  private final class Listener: TrafficObserver, Sendable {
    let texts = Mutex<[String]>([])
    func messenger(_ messenger: RoutingMessenger, received call: BinaryReply) {}
    func messenger(_ messenger: RoutingMessenger, answered: BinaryReply, with: ReplyOutcome) {}
    func messenger(_ messenger: RoutingMessenger, sent message: SentMessage) {}
    func messenger(_ messenger: RoutingMessenger, got: ReplyOutcome, for: SentMessage) {}
    func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport) {
      texts.withLock { $0.append("\(report.level): \(report.text)") }
    }
  }

  private final class Port: MessagePort, Sendable {
    let outcome = Mutex<ReplyOutcome?>(nil)
    func deliver(_: [UInt8]?, on: ChannelName, reply: BinaryReplyHandler?) {}
    func answer(_ id: UInt64, with outcome: ReplyOutcome) {
      self.outcome.withLock { $0 = outcome }
    }
    func tell(_ report: MessengerReport) {}
    func breakOff() {}
  }
}

/// What a sequence has given out, gathered while the test goes on.
final class Gathered<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let isOver = Mutex(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Subscribes before it returns.
  init<Source: AsyncSequence & Sendable>(_ source: Source) where Source.Element == Element {
    let iterator = Unsafe(source.makeAsyncIterator())
    let task = Task { [weak self] in
      var iterator = iterator.value
      while let element = try? await iterator.next() {
        self?.elements.withLock { $0.append(element) }
      }
      self?.isOver.withLock { $0 = true }
    }
    self.task.withLock { $0 = task }
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// The elements once there are `count`, or those that came within ten seconds.
  func first(_ count: Int) async throws -> [Element] {
    for _ in 0..<1000 where all.count < count { try await Task.sleep(for: .milliseconds(10)) }
    return all
  }

  /// Whether the sequence ends within ten seconds.
  func ends() async throws -> Bool {
    for _ in 0..<1000 where !isOver.withLock({ $0 }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    return isOver.withLock { $0 }
  }

  var all: [Element] { elements.withLock { $0 } }
}

struct Unsafe<Content>: @unchecked Sendable {
  let value: Content
  init(_ value: Content) { self.value = value }
}

func content(
  _ elapsed: Int, stale: Date? = nil, relevance: Double = 0
) -> ActivityContent<StopwatchWidgetAttributes.ContentState> {
  ActivityContent(
    state: .init(elapsedTime: elapsed), staleDate: stale, relevanceScore: relevance)
}

func start(
  _ elapsed: Int = 0, pushType: PushType? = nil, stale: Date? = nil, relevance: Double = 0
) throws -> Stopwatch {
  try Stopwatch.request(
    attributes: .init(), content: content(elapsed, stale: stale, relevance: relevance),
    pushType: pushType)
}

/// The error of a request that has to fail.
func refusal(_ body: () throws -> some Any) -> ActivityAuthorizationError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ActivityAuthorizationError
  }
}

extension Date {
  func plus(hours: Double) -> Date { addingTimeInterval(hours * 3600) }
}
