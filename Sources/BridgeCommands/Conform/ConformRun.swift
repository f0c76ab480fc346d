import ChannelCodec
import CommandLineFlags
import Conformance
import SystemInterface
import TerminalSafety

/// One run of `pwbridge conform`.
struct ConformRun {
  private let choices: ConformChoices
  private let profile: Profile
  private let color: ColorChoice
  private let operands: [String]
  private let console: Console

  init(_ invocation: Invocation) throws(CommandFailure) {
    choices = invocation.options.conform
    profile = invocation.options.profile
    color = invocation.options.color
    operands = invocation.operands
    console = invocation.console
    if choices.fixes, choices.knownFailures == nil {
      throw .usage(.other("--fix rewrites a list; say which with --known-failures FILE"))
    }
    if choices.fixes, !choices.filters.isEmpty {
      throw .usage(.other("--fix needs a whole run: leave --only out"))
    }
    let flags = choices.flagsOnOutput
    if flags.count > 1 {
      let names = flags.joined(separator: " and ")
      throw .usage(.other("only one file can be standard output, not those of \(names)"))
    }
    if !flags.isEmpty { console.printToErrors() }
  }

  func run() throws(CommandFailure) {
    if choices.compares { return try compare() }
    let list = try caseList()
    var options = ConformanceRun.Options()
    options.filters = choices.filters
    options.generatedCount = choices.cases
    options.seed = choices.seed
    options.knownFailures = try knownFailures()
    let run = ConformanceRun(list, options: options)
    if choices.listsCases {
      for testCase in run.cases { try console.print(testCase.id.safeForTerminal) }
      return
    }
    if run.isEmpty { throw .usage(.other("no case has such an id or area; --list prints them")) }
    let results = measure(run)
    if let failure = run.failure, run.hasAskedNothing { throw .trouble(failure.description) }
    try report(results)
    if let failure = run.failure {
      try console.flush()
      console.complain("pwbridge: the testee was \(failure.description.safeForTerminal)")
    }
    let isFixed = try fix(options.knownFailures, results)
    if !isFixed, !results.isSuccess(strict: choices.isStrict) || run.failure != nil {
      throw .ended(ExitCode.checkFailed.rawValue)
    }
  }

  // MARK: - Parts

  private func caseList() throws(CommandFailure) -> CaseList {
    do throws(VectorFailure) {
      let files =
        try choices.vectors.map { (folder) throws(VectorFailure) in
          try VectorSource.files(in: folder)
        } ?? VectorSource.compiledIn
      return try CaseList(files, profile: profile)
    } catch {
      throw .trouble(error.description)
    }
  }

  private func knownFailures() throws(CommandFailure) -> KnownFailures {
    guard let path = choices.knownFailures else { return KnownFailures() }
    let text = try console.readFile(path, limit: .text)
    return KnownFailures(String(decoding: text, as: UTF8.self))
  }

  private func measure(_ run: ConformanceRun) -> ConformanceResults {
    var progress = ProgressLine(
      total: choices.isQuiet ? nil : UInt64(run.caseCount), unit: .cases)
    run.onProgress = { done, _ in progress.update(UInt64(done)) }
    let start = SystemCalls.wallClockMicroseconds()
    var results: ConformanceResults
    if operands.isEmpty {
      results = run.run(InProcessTestee(profile: profile))
    } else {
      var options = choices.testee
      options.profile = profile.rawValue
      options.interruption = try? SignalSource([.interrupt, .terminate, .hangUp])
      let testee = ProcessTestee(operands, options: options)
      results = run.run(testee)
      testee.finish()
    }
    progress.finish()
    results.startedAt = UTCTime.text(microseconds: start)
    if let name = choices.name { results.testee = name }
    return results
  }

  // MARK: - Output

  private func report(_ results: ConformanceResults) throws(CommandFailure) {
    if let path = choices.json { try console.writeFile(ResultFile.bytes(of: results), to: path) }
    if let path = choices.junit {
      try console.writeFile(JUnitFile.bytes(of: results, strict: choices.isStrict), to: path)
    }
    if let path = choices.html { try console.writeFile(HTMLReport.bytes(of: [results]), to: path) }
    if choices.isQuiet { return }
    let report = TerminalReport(
      usesColor: console.usesColor(color), explainedCount: choices.explained,
      command: operands.isEmpty ? nil : operands,
      isStrict: choices.isStrict)
    try console.write(report.text(of: results).utf8)
  }

  private func compare() throws(CommandFailure) {
    guard let path = choices.html else {
      throw .usage(.other("--compare makes a page; say where it goes with --html FILE"))
    }
    guard !operands.isEmpty else { throw .usage(.missingOperand("FILE")) }
    var runs: [ConformanceResults] = []
    for operand in operands {
      let bytes = try console.readFile(operand, limit: .text)
      do throws(ResultFileError) {
        runs.append(try ResultFile.results(bytes))
      } catch {
        throw .trouble("\(operand.quotedForTerminal): \(error.description)")
      }
    }
    try console.writeFile(HTMLReport.bytes(of: runs), to: path)
  }

  private func fix(
    _ list: KnownFailures, _ results: ConformanceResults
  ) throws(CommandFailure) -> Bool {
    guard choices.fixes, let path = choices.knownFailures else { return false }
    guard !results.isPartial else {
      throw .checkFailed("\(path): not rewritten, because not all cases were run")
    }
    let revision = list.revised(by: results, isStrict: choices.isStrict)
    try console.replaceFile(Array(revision.text.utf8), at: path)
    try console.print(
      "\(path.safeForTerminal): \(revision.added) added, \(revision.removed) removed")
    guard revision.unlisted > 0 else { return true }
    console.complain(
      "pwbridge: \(revision.unlisted) generated cases failed; their ids depend on the seed, so "
        + "they are not listed")
    return false
  }
}
