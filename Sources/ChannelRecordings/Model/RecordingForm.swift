/// The two ways in which a recording is written; `Protocol/recording.md` has both.
public enum RecordingForm: String, Sendable, CaseIterable {
  /// JSON Lines, to be read, edited, compared and committed.
  case text
  /// The same entries packed, for large sessions.
  case binary

  /// By the end of a file's name: `.pwrec` is binary, everything else text.
  public init(path: String) {
    self = path.utf8.suffix(6).elementsEqual(".pwrec".utf8) ? .binary : .text
  }
}
