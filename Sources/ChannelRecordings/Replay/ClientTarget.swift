import ChannelRouter
import ChannelTransport

/// A native side behind a socket or in another process, spoken to in frames.
public final class ClientTarget: ReplayTarget, MessageInterceptor {
  public weak var receiver: (any ReplayReceiver)?

  private var client: BridgeClient?
  /// What came before the replay began.
  private var early: [BinaryReply] = []
  private static let mostEarly = 64 << 10

  public init() {}

  /// Takes over what the server sends by itself. To be called before the server is greeted: it may
  /// send at once.
  public func watch(_ messenger: RoutingMessenger) { messenger.interceptors.append(self) }

  /// Sends through a client, whose messenger is being watched.
  public func send(through client: BridgeClient) { self.client = client }

  public func send(
    _ message: [UInt8]?, on channel: ChannelName, number: UInt64, wantsAnswer: Bool
  ) {
    let reply: BinaryReplyHandler? =
      wantsAnswer ? { [weak self] in self?.receiver?.answered(number, with: $0) } : nil
    client?.messenger.send(message, on: channel, reply: reply)
  }

  public func wait(nanoseconds: UInt64) throws(ReplayFailure) {
    if !early.isEmpty, let receiver {
      let waiting = early
      early = []
      for call in waiting { hand(call, to: receiver) }
      return
    }
    guard let client else { return }
    var hasLooked = false
    do throws(BridgeClient.Failure) {
      try client.run(for: .nanoseconds(Int64(clamping: max(nanoseconds, 1)))) {
        if hasLooked { return true }
        hasLooked = true
        return false
      }
    } catch {
      throw ReplayFailure("the native side has gone: \(error.description)")
    }
  }

  /// What another process may still do is not known.
  public var isQuiet: Bool { false }

  public func intercept(_ call: BinaryReply) -> Bool {
    guard call.channel != ChannelBuffers.controlChannel else { return false }
    guard let receiver, early.isEmpty else {
      guard early.count < ClientTarget.mostEarly else { return false }
      early.append(call)
      return true
    }
    hand(call, to: receiver)
    return true
  }

  private func hand(_ call: BinaryReply, to receiver: any ReplayReceiver) {
    if call.id == 0 {
      receiver.received(call.message, on: call.channel, reply: nil)
      call.send(nil)
      return
    }
    receiver.received(call.message, on: call.channel) { outcome in
      switch outcome {
      case .payload(let payload): call.send(payload)
      case .refused(let refusal): call.refuse(refusal)
      case .dropped, .disconnected: call.drop()
      }
    }
  }
}
