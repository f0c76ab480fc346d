import ChannelCodec
import CommandLineFlags

/// Why a command ends early.
public enum CommandFailure: Error {
  /// The input was looked at and found wanting; one line that is safe for a terminal.
  case checkFailed(String)
  case usage(UsageError.Problem)
  /// The system refused: a file that cannot be opened, a full disk; a line as above.
  case trouble(String)
  /// Whoever read the output has gone, as `head` does.
  case outputClosed

  static func malformed(_ error: CodecError) -> CommandFailure { .checkFailed(error.description) }
}

/// What the process reports to whoever started it.
public enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case checkFailed = 1
  case usage = 2
}
