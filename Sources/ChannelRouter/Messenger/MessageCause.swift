/// The message that code runs for. Whoever calls an app's handler binds it, and the tasks that the
/// handler starts inherit it, however late they run.
public struct MessageCause: Sendable, Hashable {
  /// Counts up with the messages of a messenger.
  public var number: UInt64
  /// Channel and method, as reports name a call.
  public var label: String

  public init(number: UInt64, label: String) { (self.number, self.label) = (number, label) }

  /// nil outside of handlers and their tasks.
  @TaskLocal public static var current: MessageCause?
}
