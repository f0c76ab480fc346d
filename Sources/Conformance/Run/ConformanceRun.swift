import ChannelCodec
import SystemInterface

/// Asks a testee the cases of the vectors, and generated ones, and gathers the results.
public final class ConformanceRun {
  public struct Options: Sendable {
    /// Generated cases.
    public var generatedCount = 0
    public var seed: UInt64 = 1
    public var knownFailures = KnownFailures()
    /// Only cases whose id or area matches one of these; empty for all.
    public var filters: [CasePattern] = []

    public init() {}
  }

  let list: CaseList
  let options: Options
  /// Told now and then with the number of answers and of cases.
  public var onProgress: (Int, Int) -> Void = { _, _ in }
  /// Why the run ended early; nil where it did not.
  public internal(set) var failure: TesteeFailure?

  public init(_ list: CaseList, options: Options = Options()) {
    self.list = list
    self.options = options
  }

  /// The cases of the vectors that the filters let through.
  public var cases: [TestCase] {
    if options.filters.isEmpty { return list.cases }
    return list.cases.filter { testCase in
      options.filters.contains { $0.matches(testCase.id) || $0.matches(testCase.area) }
    }
  }

  /// How many cases there are, generated ones included.
  public var caseCount: Int { cases.count + generatedCount }
  public var isEmpty: Bool { caseCount == 0 }
  /// The testee could not even be started.
  public private(set) var hasAskedNothing = true

  /// Which generated cases are wanted under the filters: all of them, or those named one by one.
  var generatedNumbers: GeneratedNumbers {
    let isWhole =
      options.filters.isEmpty
      || options.filters.contains { filter in
        GeneratedKind.allCases.contains { filter.matches($0.area) }
      }
    if isWhole { return .first(options.generatedCount) }
    return .these(options.filters.compactMap { GeneratedCase.number(of: $0.text) })
  }

  /// Runs all cases. A testee that is given up leaves the rest skipped, with the reason.
  public func run(_ testee: any Testee) -> ConformanceResults {
    let start = SystemCalls.monotonicNanoseconds()
    var results = ConformanceResults(testee: testee.name, profile: list.profile.rawValue)
    results.vectorsDigest = list.digest
    results.isPartial = !options.filters.isEmpty
    let cases = cases
    results.cases = runVectors(cases, testee, total: cases.count + generatedCount)
    if generatedCount > 0 {
      results.seed = options.seed
      runGenerated(&results, testee, done: cases.count)
    }
    if failure != nil { results.isPartial = true }
    options.knownFailures.mark(&results)
    results.restarts = testee.restarts
    results.seconds = Double(SystemCalls.monotonicNanoseconds() - start) / 1e9
    return results
  }

  private var generatedCount: Int { generatedNumbers.count }

  private func runVectors(
    _ cases: [TestCase], _ testee: any Testee, total: Int
  ) -> [CaseResult] {
    var results = [CaseResult?](repeating: nil, count: cases.count)
    var done = 0
    do throws(TesteeFailure) {
      try testee.answer(count: cases.count) { number in
        cases[number].request
      } take: { number, answer in
        hasAskedNothing = false
        let testCase = cases[number]
        let judgement = Judge.judge(answer, testCase.expectation, testCase.request)
        results[number] = testCase.result(
          judgement.verdict, actual: judgement.actual, event: judgement.note)
        done += 1
        if done % 256 == 0 { onProgress(done, total) }
      }
    } catch {
      failure = error
    }
    let reason = "not asked: the testee was \(failure?.description ?? "not there")"
    return zip(cases, results).map { testCase, result in
      result ?? testCase.result(.skipped, event: reason)
    }
  }
}
