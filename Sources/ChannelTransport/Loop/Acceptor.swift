import SystemInterface

/// Takes the connections of a listening socket as they come, a bounded number in a round. When
/// the process runs out of descriptors it waits a while before it tries again, since the waiting
/// connection would otherwise wake the loop without end.
public final class Acceptor {
  /// How long to wait after a shortage.
  public static let restAfterShortage: Duration = .milliseconds(100)

  private weak var loop: EventLoop?
  private let listener: Int32
  private let onConnection: (Int32) -> Void
  private let onTrouble: (SystemCalls.Failure) -> Void
  private var watch: Watch?

  /// Starts to accept. The loop holds the acceptor until ``stop()``.
  ///
  /// - Parameters:
  ///   - listener: a non-blocking listening socket, which stays the caller's to close.
  ///   - perRound: the most connections to take before others get their turn.
  ///   - onTrouble: is told of every failed attempt.
  ///   - onConnection: gets a non-blocking descriptor, its own to close.
  @discardableResult
  public init(
    on loop: EventLoop, _ listener: Int32, perRound: Int = 16,
    onTrouble: @escaping (SystemCalls.Failure) -> Void,
    onConnection: @escaping (Int32) -> Void
  ) {
    self.loop = loop
    self.listener = listener
    self.onConnection = onConnection
    self.onTrouble = onTrouble
    watch = loop.watch(listener) { _ in self.accept(atMost: perRound) }
  }

  /// Accepts no more.
  public func stop() {
    if let watch { loop?.unwatch(watch) }
    watch = nil
  }

  private func accept(atMost limit: Int) {
    for _ in 0..<limit {
      // A handler may have stopped this.
      guard let watch, let loop else { return }
      do throws(SystemCalls.Failure) {
        guard let connection = try SystemCalls.acceptConnection(listener) else { return }
        onConnection(connection)
      } catch {
        loop.rest(watch, for: Self.restAfterShortage)
        onTrouble(error)
        return
      }
    }
  }
}
