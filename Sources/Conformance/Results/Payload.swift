/// What is given to a testee or comes back from it.
public enum Payload: Sendable, Hashable {
  /// A message of these bytes; none of them is an empty message.
  case bytes([UInt8])
  /// No message at all, which is not the same as an empty one.
  case noMessage
  /// A value as one line of typed JSON (`Protocol/codec.md`, section 9).
  case value(String)
  /// An error, with its text; as an expectation, any error is right.
  case refusal(String)
}
