/// Why a value would not decode in the widget extension, in the words
/// `content-state.elapsedTime: expected Int, found 1.5`.
public struct DecodingProblem: Sendable, Hashable, CustomStringConvertible {
  public var path: String
  public var expected: String
  /// nil: there is no such key.
  public var found: String?

  public init(path: String, expected: String, found: String?) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  public var description: String {
    guard let found else { return "\(path): missing, expected \(expected)" }
    return "\(path): expected \(expected), found \(found)"
  }
}
