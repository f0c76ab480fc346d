import ChannelCodec
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import SystemInterface

/// The log of a server: a line for each call once it is answered, for each message to Dart, and
/// for clients that come and go. Belongs to the loop's thread.
final class CallLog: TrafficObserver {
  enum Format: String, CaseIterable, Sendable {
    case text
    case json
  }

  private let output: LogOutput
  private let layout: any LogLayout
  private var clients: [ObjectIdentifier: [Int]] = [:]
  /// What handlers said about calls that have no answer yet.
  private var remarks: [CallKey: [MessengerReport]] = [:]

  private struct CallKey: Hashable {
    let messenger: ObjectIdentifier
    let call: UInt64
  }

  /// - Parameter showsClients: whether lines begin with the number of their client.
  init(output: LogOutput, format: Format, showsClients: Bool) {
    self.output = output
    layout =
      switch format {
      case .text: TextLayoutOfLog(showsClients: showsClients)
      case .json: JSONLayoutOfLog()
      }
    output.onFlush = { [weak self] in self?.writeRemarks() }
  }

  // MARK: - Clients

  func client(_ number: Int, got device: any ServedDevice, _ hello: Hello?) {
    clients[ObjectIdentifier(device.messenger), default: []].append(number)
    write(
      .connected(client: number, device: device.name, software: hello?.software ?? ""))
  }

  func client(_ number: Int, ended end: ConnectionEnd, on device: (any ServedDevice)?) {
    if let device {
      let key = ObjectIdentifier(device.messenger)
      clients[key]?.removeAll { $0 == number }
      if clients[key]?.isEmpty ?? false { clients[key] = nil }
    }
    write(.disconnected(client: number, end: end))
  }

  func client(_ number: Int, metTrouble error: FrameError) {
    write(.trouble(client: number, text: error.description))
  }

  func refusedClient(_ reason: String) { write(.refusedClient(reason)) }

  // MARK: - TrafficObserver

  func messenger(_ messenger: RoutingMessenger, received call: BinaryReply) {}

  func messenger(
    _ messenger: RoutingMessenger, answered call: BinaryReply, with outcome: ReplyOutcome
  ) {
    guard output.isOpen else { return }
    let reports = remarks.removeValue(forKey: key(messenger, call.number)) ?? []
    // What is answered after its client has gone reaches nobody; the client's own line lists it.
    if (call.port as? FrameConnection)?.isClosed ?? false { return }
    let message = GuessedMessage(call.message)
    write(
      .call(
        LoggedCall(
          client: call.port.number, isToDart: false, channel: call.channel,
          message: message, outcome: call.id == 0 ? nil : outcome,
          microseconds: messenger.age(of: call) / 1000,
          warnings: reports)))
  }

  func messenger(_ messenger: RoutingMessenger, sent message: SentMessage) {
    guard output.isOpen, !message.wantsReply else { return }
    write(.call(logged(message, nil, messenger)))
  }

  func messenger(
    _ messenger: RoutingMessenger, got outcome: ReplyOutcome, for message: SentMessage
  ) {
    guard output.isOpen else { return }
    write(.call(logged(message, outcome, messenger)))
  }

  func messenger(_ messenger: RoutingMessenger, reported report: MessengerReport) {
    guard output.isOpen else { return }
    // A dropped reply has its own words in the call's line.
    if report.kind == .replyDropped || report.kind == .messageMalformed { return }
    if report.call != 0 {
      remarks[key(messenger, report.call), default: []].append(report)
      output.requestFlush()
    } else {
      write(.report(client: client(of: messenger), report))
    }
  }

  // MARK: -

  private func logged(
    _ message: SentMessage, _ outcome: ReplyOutcome?, _ messenger: RoutingMessenger
  ) -> LoggedCall {
    let nanoseconds = messenger.journal.entry(message.number)?.nanoseconds
    return LoggedCall(
      client: client(of: messenger), isToDart: true, channel: message.channel,
      message: GuessedMessage(toDart: message.payload), outcome: outcome,
      microseconds: nanoseconds.map { $0 / 1000 }, warnings: [])
  }

  /// The client that a message to Dart goes to or a report is about; nil where several share it or none is there.
  private func client(of messenger: RoutingMessenger) -> Int? {
    guard let numbers = clients[ObjectIdentifier(messenger)], numbers.count == 1 else { return nil }
    return numbers[0]
  }

  private func key(_ messenger: RoutingMessenger, _ call: UInt64) -> CallKey {
    CallKey(messenger: ObjectIdentifier(messenger), call: call)
  }

  /// What was said about calls that are still open, or that were answered before, is not kept back.
  private func writeRemarks() {
    guard !remarks.isEmpty else { return }
    let held = remarks.sorted { $0.key.call < $1.key.call }
    remarks = [:]
    for (key, reports) in held {
      let numbers = clients[key.messenger] ?? []
      for report in reports {
        write(.report(client: numbers.count == 1 ? numbers[0] : nil, report))
      }
    }
  }

  private func write(_ event: LogEvent) {
    guard output.isOpen else { return }
    for line in layout.lines(of: event) { output.line(line) }
  }
}

/// What the log tells.
enum LogEvent {
  case connected(client: Int, device: String, software: String)
  case disconnected(client: Int, end: ConnectionEnd)
  case refusedClient(String)
  /// Something that the connection survives.
  case trouble(client: Int, text: String)
  case call(LoggedCall)
  /// Words about a call apart from its line, or about no call.
  case report(client: Int?, MessengerReport)
}

/// A message in either direction and what came of it.
struct LoggedCall {
  var client: Int?
  var isToDart: Bool
  var channel: ChannelName
  var message: GuessedMessage
  /// nil where no reply was wanted.
  var outcome: ReplyOutcome?
  var microseconds: UInt64?
  var warnings: [MessengerReport]
}

/// Makes lines that are fit for a terminal.
protocol LogLayout {
  func lines(of event: LogEvent) -> [String]
}
