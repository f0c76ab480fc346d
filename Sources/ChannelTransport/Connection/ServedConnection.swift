/// A conversation that a server holds, in whichever framing.
protocol ServedConnection: AnyObject {
  /// The other side's calls that have no answer yet, by name.
  var openCalls: [String] { get }
  /// Takes no more messages, waits for open calls and ends.
  func drain()
}

extension FrameConnection: ServedConnection {}

/// How messages are written on the wire.
public enum Framing: String, Sendable, CaseIterable {
  /// Binary frames, as `Protocol/frames.md` has them.
  case frames
  /// A line of text for each message, for people and shells.
  case lines
}
