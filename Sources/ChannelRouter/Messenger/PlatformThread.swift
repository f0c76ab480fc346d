/// The one thread that a side's handlers run on, as `main` is on a device. Whoever is elsewhere
/// asks it to do the work.
public protocol PlatformThread: AnyObject, Sendable {
  /// Whether the caller is on it.
  var isCurrent: Bool { get }
  /// Runs `work` on the thread later, in the order of the calls. Never at once.
  func async(_ work: @escaping @Sendable () -> Void)
}
