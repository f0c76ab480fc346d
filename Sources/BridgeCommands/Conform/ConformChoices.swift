import Conformance

/// What the flags of `conform` say.
struct ConformChoices: Sendable {
  var vectors: String?
  var filters: [CasePattern] = []
  var listsCases = false
  var cases = 0
  var seed: UInt64 = 1
  var testee = ProcessTestee.Options()
  var knownFailures: String?
  var fixes = false
  var isStrict = false
  var name: String?
  var explained = 5
  var isQuiet = false
  var junit: String?
  var json: String?
  var html: String?
  var compares = false

  /// The flags whose files go to standard output.
  var flagsOnOutput: [String] {
    [("--json", json), ("--junit", junit), ("--html", html)].filter { $0.1 == "-" }.map(\.0)
  }
}
