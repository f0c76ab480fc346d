import ChannelRouter
import ChannelTransport
import SystemInterface

/// A native side in this process: a messenger whose loop the replay runs.
public final class InProcessTarget: ReplayTarget, MessagePort {
  public weak var receiver: (any ReplayReceiver)?

  private let messenger: RoutingMessenger
  private let loop: EventLoop
  private let hasAlarms: () -> Bool
  private var isBrokenOff = false
  /// Rounds of the loop in a row that found nothing to do.
  private var idleRounds = 0

  /// Attaches itself to the messenger.
  ///
  /// - Parameter hasAlarms: whether something is due by itself later, such as an alarm of the
  ///   device's clock. While nothing is, an idle loop means that nothing will come.
  public init(messenger: RoutingMessenger, loop: EventLoop, hasAlarms: @escaping () -> Bool) {
    self.messenger = messenger
    self.loop = loop
    self.hasAlarms = hasAlarms
    messenger.attach(self)
  }

  /// Takes the port away from the messenger.
  public func detach() { messenger.detach(self) }

  public func send(
    _ message: [UInt8]?, on channel: ChannelName, number: UInt64, wantsAnswer: Bool
  ) {
    idleRounds = 0
    guard !isBrokenOff else {
      if wantsAnswer { receiver?.answered(number, with: .disconnected) }
      return
    }
    messenger.receive(message, on: channel, id: wantsAnswer ? number : 0, from: self)
  }

  public func wait(nanoseconds: UInt64) throws(ReplayFailure) {
    do throws(SystemCalls.Failure) {
      let span = Duration.nanoseconds(Int64(clamping: nanoseconds))
      let didWork = try loop.runOnce(timeout: idleRounds == 0 ? .zero : span)
      idleRounds = didWork ? 0 : idleRounds + 1
    } catch {
      throw ReplayFailure("cannot wait: \(error.text)")
    }
  }

  public var isQuiet: Bool { idleRounds > 0 && !hasAlarms() }

  // MARK: - MessagePort

  public func deliver(_ message: [UInt8]?, on channel: ChannelName, reply: BinaryReplyHandler?) {
    guard !isBrokenOff, let receiver else {
      reply?(.disconnected)
      return
    }
    receiver.received(message, on: channel, reply: reply)
  }

  public func answer(_ id: UInt64, with outcome: ReplyOutcome) {
    receiver?.answered(id, with: isBrokenOff ? .disconnected : outcome)
  }

  public func tell(_ report: MessengerReport) {}

  public func breakOff() { isBrokenOff = true }
}
