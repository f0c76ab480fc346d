/// How many cases of an area, or of a run, ended in which way. Every case is counted once.
struct ResultTally {
  var requiredPass = 0
  /// Wrong answers that are not known; so are ``recommendedFail``.
  var requiredFail = 0
  var recommendedPass = 0
  var recommendedFail = 0
  var skipped = 0
  var crash = 0
  var timeout = 0
  var protocolError = 0
  /// Failures of any kind that are listed.
  var known = 0
  /// Failures of any kind, not listed, of required cases.
  var requiredUnknownFailures = 0

  mutating func count(_ result: CaseResult) {
    if result.isFailure, result.knownReason != nil {
      known += 1
      return
    }
    if result.isFailure, result.level == .required { requiredUnknownFailures += 1 }
    switch (result.verdict, result.level) {
    case (.pass, .required): requiredPass += 1
    case (.pass, .recommended): recommendedPass += 1
    case (.fail, .required): requiredFail += 1
    case (.fail, .recommended): recommendedFail += 1
    case (.skipped, _): skipped += 1
    case (.crash, _): crash += 1
    case (.timeout, _): timeout += 1
    case (.protocolError, _): protocolError += 1
    }
  }

  /// Numbers out of a file may be anything; far below the largest one, sums cannot overflow.
  private static let most = 1 << 56

  private mutating func countGenerated(_ passes: Int) {
    requiredPass = min(requiredPass + min(max(passes, 0), Self.most), Self.most)
  }

  private mutating func skipGenerated(_ skips: Int) {
    skipped = min(skipped + min(max(skips, 0), Self.most), Self.most)
  }

  var passed: Int { requiredPass + recommendedPass }
  /// Failures that nobody has listed.
  var failed: Int { requiredFail + recommendedFail + crash + timeout + protocolError }
  /// Cases that were answered, or ought to have been.
  var judged: Int { passed + failed + known }
  var all: Int { judged + skipped }

  /// The tally of each area in the order of the run, generated ones last, and of everything.
  static func areas(
    of results: ConformanceResults
  ) -> (rows: [(area: String, tally: ResultTally)], total: ResultTally) {
    var order: [String] = []
    var tallies: [String: ResultTally] = [:]
    var total = ResultTally()
    for result in results.cases {
      if tallies[result.area] == nil { order.append(result.area) }
      tallies[result.area, default: ResultTally()].count(result)
      total.count(result)
    }
    for (area, count) in results.generatedPasses.sorted(by: { $0.key < $1.key }) {
      if tallies[area] == nil { order.append(area) }
      tallies[area, default: ResultTally()].countGenerated(count)
      total.countGenerated(count)
    }
    for (area, count) in results.generatedSkips.sorted(by: { $0.key < $1.key }) {
      if tallies[area] == nil { order.append(area) }
      tallies[area, default: ResultTally()].skipGenerated(count)
      total.skipGenerated(count)
    }
    return (order.map { ($0, tallies[$0] ?? ResultTally()) }, total)
  }
}
