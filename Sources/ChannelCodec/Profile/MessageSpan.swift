/// What a run of bytes in a message is: a line of the annotated dump.
public struct MessageSpan: Sendable, Hashable {
  /// What kind of thing the bytes are.
  public enum Role: Sendable, Hashable {
    /// The byte that says what follows.
    case type
    case size
    case padding
    /// A number, text, or elements.
    case content
    /// The first byte of an envelope.
    case flag
    /// Bytes that nobody asks for.
    case trailing
    /// Where the message breaks.
    case fault
  }

  /// Offsets from byte 0 of the message; empty for a fault at the end.
  public var range: Range<Int>
  public var role: Role
  /// In words: `string of 14 bytes`, `padding to a multiple of 8`.
  public var meaning: String
  public var path: ValuePath
  /// Containers around it.
  public var depth: Int
}
