/// What became of one case.
public enum Verdict: String, Sendable, CaseIterable {
  /// The answer is one of the expected ones.
  case pass
  /// The testee answered, and the answer is wrong.
  case fail
  /// The testee said that it does not do this, or the run never got to it.
  case skipped
  /// The testee ended while it owed the answer.
  case crash
  /// No answer came in time.
  case timeout
  /// An answer came that breaks the rules between runner and testee.
  case protocolError = "protocol-error"
}

/// How much a case counts.
public enum Level: String, Sendable, CaseIterable {
  /// Every codec must do this; a failure fails the run.
  case required
  /// Implementations differ, or the input is exotic; a failure is a warning.
  case recommended
}
