/// A time span that an ``EventLoop`` waits for in real time. It goes off once, even when nobody
/// holds it.
public final class LoopTimer {
  /// Whether it has still to go off.
  public var isPending: Bool { entry.isWaiting }

  private let entry: Entry
  private weak var loop: EventLoop?

  init(_ loop: EventLoop, due: UInt64, _ action: @escaping () -> Void) {
    self.loop = loop
    entry = Entry(action)
    loop.dueTimes.set(entry, due: due)
  }

  /// Takes it back; one that has gone off is none of its business.
  public func cancel() {
    loop?.dueTimes.remove(entry)
    let action = entry.action
    entry.action = nil
    // Let go last: objects that end with it may cancel timers as well.
    withExtendedLifetime(action) {}
  }

  private final class Entry: DueEntry {
    var action: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    override func run() {
      let action = self.action
      self.action = nil
      action?()
    }
  }
}
