import ChannelCodec
import ChannelNotation
import SystemInterface

extension ConformanceRun {
  /// Failures after which no more cases are generated.
  private static let mostFailures = 50
  /// Asked in one go, between two looks at what failed.
  private static let batch = 4096
  /// Inputs tried to make a failure smaller: by a call, and by asking another process.
  private static let tries = (inProcess: 4000, otherwise: 300)
  private static let longestShrinking: UInt64 = 20_000_000_000

  func runGenerated(_ results: inout ConformanceResults, _ testee: any Testee, done: Int) {
    var (next, failed) = (0, 0)
    let numbers = generatedNumbers
    while next < numbers.count, failure == nil {
      let start = next
      next = min(start + Self.batch, numbers.count)
      let failures = ask(numbers, start..<next, testee, &results)
      for number in failures {
        failed += 1
        if failed <= Self.mostFailures { results.cases.append(explain(number, testee)) }
      }
      onProgress(done + next, done + numbers.count)
      if failed >= Self.mostFailures { break }
    }
    if next < numbers.count || failed > Self.mostFailures { results.isPartial = true }
    results.generatedCount = next
  }

  private func make(_ number: Int) -> GeneratedCase {
    GeneratedCase(seed: options.seed, number: number, profile: list.profile)
  }

  /// The numbers of cases that failed.
  private func ask(
    _ numbers: GeneratedNumbers, _ places: Range<Int>, _ testee: any Testee,
    _ results: inout ConformanceResults
  ) -> [Int] {
    var failures: [Int] = []
    let kinds = GeneratedKind.allCases
    var passed = [Int](repeating: 0, count: kinds.count)
    var skipped = passed
    /// Those whose answers are awaited: expectations are made once.
    var open: [Int: (test: GeneratedCase, request: TestRequest)] = [:]
    do throws(TesteeFailure) {
      try testee.answer(count: places.count) { index in
        let test = make(numbers[places.lowerBound + index])
        let request = test.request
        open[index] = (test, request)
        return request
      } take: { index, answer in
        guard let (test, request) = open.removeValue(forKey: index) else { return }
        let judgement = Judge.judge(answer, test.expectation(request), request)
        switch judgement.verdict {
        case .pass: passed[test.number % kinds.count] += 1
        case .skipped: skipped[test.number % kinds.count] += 1
        case .fail, .crash, .timeout, .protocolError: failures.append(test.number)
        }
      }
    } catch {
      failure = error
    }
    for (index, kind) in kinds.enumerated() {
      if passed[index] > 0 { results.generatedPasses[kind.area, default: 0] += passed[index] }
      if skipped[index] > 0 { results.generatedSkips[kind.area, default: 0] += skipped[index] }
    }
    return failures.sorted()
  }

  // MARK: - Failures

  /// Makes the failed case as small as it gets and asks it once more.
  private func explain(_ number: Int, _ testee: any Testee) -> CaseResult {
    let original = make(number)
    let isInProcess = testee is InProcessTestee
    var shrinker = Shrinker(tries: isInProcess ? Self.tries.inProcess : Self.tries.otherwise)
    let end = SystemCalls.monotonicNanoseconds() &+ Self.longestShrinking
    let smallest = shrinker.smallest(original.source) { source in
      if SystemCalls.monotonicNanoseconds() > end { return nil }
      return judge(original.with(source), testee).map { judgement in
        judgement.verdict != .pass && judgement.verdict != .skipped
      }
    }
    let shrunk = original.with(smallest)
    let testCase = shrunk.testCase(shrunk.request, seed: options.seed)
    guard let judgement = judge(shrunk, testee) else {
      return testCase.result(.crash, event: failure?.description)
    }
    // It may have failed once, beside others, and not do it again.
    let isGone = judgement.verdict == .pass || judgement.verdict == .skipped
    var result = testCase.result(
      isGone ? .fail : judgement.verdict, actual: judgement.actual,
      event: isGone ? "it failed among other requests, and not alone" : judgement.note)
    if shrunk.sourceText != original.sourceText { result.shrunkFrom = original.sourceText }
    return result
  }

  private func judge(_ test: GeneratedCase, _ testee: any Testee) -> Judge.Judgement? {
    let request = test.request
    do throws(TesteeFailure) {
      let answer = try testee.answer(request)
      return Judge.judge(answer, test.expectation(request), request)
    } catch {
      failure = error
      return nil
    }
  }
}
