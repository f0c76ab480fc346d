/// One run of the conformance cases against one testee.
public struct ConformanceResults: Sendable, Hashable {
  /// The command line, the name that was given, or `pwbridge (in-process)`.
  public var testee: String
  /// Whose behaviour was expected: a name of `Profile`.
  public var profile: String
  /// What the generated cases were made from; nil when there were none.
  public var seed: UInt64?
  /// Generated cases asked for.
  public var generatedCount: Int
  /// Tells runs over different vectors apart.
  public var vectorsDigest: String?
  /// When the run began, as `2026-01-31T12:00:00Z`.
  public var startedAt: String?
  public var seconds: Double
  /// Cases were left out by a filter, or the run was stopped.
  public var isPartial: Bool
  public var cases: [CaseResult]
  /// Generated cases that passed, by area such as `generated.decode`; they are not in ``cases``.
  public var generatedPasses: [String: Int]
  /// Generated cases that the testee skipped, by area; not in ``cases`` either.
  public var generatedSkips: [String: Int] = [:]
  /// Entries of the list of known failures whose cases all pass; each fails the run.
  public var staleKnownFailures: [String]
  /// Entries of that list that match no case of the run.
  public var unknownListEntries: [String]
  /// How often the testee had to be started again.
  public var restarts: Int

  /// A run with these facts and no cases yet.
  public init(
    testee: String, profile: String, seed: UInt64? = nil, generatedCount: Int = 0,
    vectorsDigest: String? = nil, startedAt: String? = nil, seconds: Double = 0,
    isPartial: Bool = false, cases: [CaseResult] = [], generatedPasses: [String: Int] = [:],
    staleKnownFailures: [String] = [], unknownListEntries: [String] = [], restarts: Int = 0
  ) {
    self.testee = testee
    self.profile = profile
    self.seed = seed
    self.generatedCount = generatedCount
    self.vectorsDigest = vectorsDigest
    self.startedAt = startedAt
    self.seconds = seconds
    self.isPartial = isPartial
    self.cases = cases
    self.generatedPasses = generatedPasses
    self.staleKnownFailures = staleKnownFailures
    self.unknownListEntries = unknownListEntries
    self.restarts = restarts
  }

  /// Whether every required case passes, is skipped or is listed as known, and no list entry is
  /// stale.
  public var isSuccess: Bool { isSuccess(strict: false) }

  /// As ``isSuccess``; with `strict`, recommended cases count like required ones.
  public func isSuccess(strict: Bool) -> Bool {
    staleKnownFailures.isEmpty
      && !cases.contains { $0.isUnknownFailure && (strict || $0.level == .required) }
  }
}
