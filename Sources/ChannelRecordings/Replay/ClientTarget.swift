import ChannelRouter
import ChannelTransport

/// A native side behind a socket or in another process, spoken to in frames.
public final class ClientTarget: ReplayTarget, MessageInterceptor {
  public weak var receiver: (any ReplayReceiver)?

  private let client: BridgeClient

  /// Takes over what the server sends by itself.
  public init(_ client: BridgeClient) {
    self.client = client
    client.messenger.interceptors.append(self)
  }

  public func send(
    _ message: [UInt8]?, on channel: ChannelName, number: UInt64, wantsAnswer: Bool
  ) {
    let reply: BinaryReplyHandler? =
      wantsAnswer ? { [weak self] in self?.receiver?.answered(number, with: $0) } : nil
    client.messenger.send(message, on: channel, reply: reply)
  }

  public func wait(nanoseconds: UInt64) throws(ReplayFailure) {
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
    guard call.channel != ChannelBuffers.controlChannel, let receiver else { return false }
    if call.id == 0 {
      receiver.received(call.message, on: call.channel, reply: nil)
      call.send(nil)
      return true
    }
    receiver.received(call.message, on: call.channel) { outcome in
      switch outcome {
      case .payload(let payload): call.send(payload)
      case .refused(let refusal): call.refuse(refusal)
      case .dropped, .disconnected: call.drop()
      }
    }
    return true
  }
}
