import CommandLineFlags

/// A command and its work.
public struct Verb: Sendable {
  public let command: Command
  let run: @Sendable (Invocation) throws(CommandFailure) -> Void

  public init(
    _ command: Command, run: @escaping @Sendable (Invocation) throws(CommandFailure) -> Void
  ) {
    self.command = command
    self.run = run
  }
}

/// What a verb gets to work with.
public struct Invocation {
  public let command: Command
  public let options: BridgeOptions
  public let operands: [String]
  public let console: Console
}

extension Verb {
  /// All verbs, in the order of the help text.
  public static let all: [Verb] = [
    demo, serve, exec, call, state,
    record, replay, diff, convert,
    inspect, export,
    conform,
    decode, encode, explain,
    bench, completions, manual, version, help,
  ]
}
