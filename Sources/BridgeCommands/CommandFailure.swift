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
  /// All has been said; the process ends with this code.
  case ended(Int32)

  static func malformed(_ error: CodecError) -> CommandFailure { .checkFailed(error.description) }
}

/// What the process reports to whoever started it.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let success = ExitCode(rawValue: 0)
  public static let checkFailed = ExitCode(rawValue: 1)
  public static let usage = ExitCode(rawValue: 2)
}
