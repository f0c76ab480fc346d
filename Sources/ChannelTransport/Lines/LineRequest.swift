import ChannelRouter

/// One line of the text framing as it comes in: `CHANNEL HEX`, or `< HEX` to answer a message that
/// came the other way.
public enum LineRequest: Hashable, Sendable {
  /// `CHANNEL HEX`.
  case message(channel: ChannelName, payload: [UInt8]?)
  /// Answers the oldest message from the other side that has no answer yet.
  case answer(payload: [UInt8]?)
}

/// Why a line was refused, and where.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  /// In characters, from 1.
  public var column: Int
  /// What was found and what belongs there.
  public var text: String

  /// An error at that place.
  public init(line: Int, column: Int, _ text: String) {
    self.line = line
    self.column = column
    self.text = text
  }

  /// Place and words in one line.
  public var description: String { "line \(line), column \(column): \(text)" }
}
