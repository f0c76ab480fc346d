import SystemInterface

/// The signals that a loop was asked to handle, until they are cancelled.
public final class SignalWatch {
  private var source: SignalSource?
  private var watch: Watch?
  private weak var loop: EventLoop?

  fileprivate init(_ loop: EventLoop, _ source: SignalSource, _ handler: @escaping (Signal) -> Void)
  {
    self.loop = loop
    self.source = source
    watch = loop.watch(source.descriptor) { _ in
      for signal in source.take() { handler(signal) }
    }
  }

  /// The signals do again what they do by default, unless another watch wants them.
  public func cancel() {
    if let watch { loop?.unwatch(watch) }
    watch = nil
    source = nil
  }
}

extension EventLoop {
  /// Calls `handler` on the loop's thread when one of the signals comes. Signals that come in quick
  /// succession may be reported as one.
  @discardableResult
  public func onSignal(
    _ signals: [Signal], _ handler: @escaping (Signal) -> Void
  ) throws(SystemCalls.Failure) -> SignalWatch {
    SignalWatch(self, try SignalSource(signals), handler)
  }
}
