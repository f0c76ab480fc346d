import ChannelRecordings
import ChannelRouter
import CommandLineFlags
import TerminalSafety

/// One run of `pwbridge diff`.
final class DiffRun {
  private let options: BridgeOptions
  private let console: Console
  private let first: RecordingReader
  private let second: RecordingReader
  private let comparer: MessageComparer
  private var told: UInt64 = 0
  private var faults: UInt64 = 0
  private var failure: CommandFailure?
  private var progress: ProgressLine

  init(_ invocation: Invocation) throws(CommandFailure) {
    options = invocation.options
    console = invocation.console
    guard invocation.operands.count == 2 else {
      throw .usage(.other("diff compares two recordings: pwbridge diff A B"))
    }
    if invocation.operands == ["-", "-"] {
      throw .usage(.other("only one of the recordings can be standard input"))
    }
    first = try ReplayChoices.open(invocation.operands[0])
    second = try ReplayChoices.open(invocation.operands[1])
    comparer = options.replaying.comparer(options.recording, first.header)
    progress = ProgressLine(total: first.size)
  }

  func run() throws(CommandFailure) {
    let diff = RecordingDiff(
      calls(of: first), calls(of: second), comparer: comparer,
      matching: options.replaying.matching)
    diff.onFinding = { [unowned self] in tell($0) }
    diff.onProgress = { [unowned self] in progress.update(first.byteOffset) }
    do throws(RecordingError) {
      try diff.run()
    } catch {
      progress.finish()
      throw .checkFailed(error.description)
    }
    progress.finish()
    first.tellTornTail(console)
    second.tellTornTail(console)
    if let failure { throw failure }
    if told > ReplayChoices.mostTold {
      try console.print("… and \(told - ReplayChoices.mostTold) more that are not shown")
    }
    let totals = diff.totals
    if !totals.isClean { try console.print(DiffRun.text(totals)) }
    if !totals.isClean || faults > 0 { throw .ended(ExitCode.checkFailed.rawValue) }
  }

  private func calls(of reader: RecordingReader) -> RecordedCalls {
    let channels = options.replaying.channels
    let calls = RecordedCalls(reader) { name in
      channels.isEmpty || channels.contains { $0.matches(name.utf8) }
    }
    calls.onFault = { [unowned self] text, place in
      faults += 1
      guard faults <= 20 else { return }
      progress.finish()
      let place = place.map { ", \($0.text)" } ?? ""
      console.complain("pwbridge: \("\(reader.name)\(place): \(text)".safeForTerminal)")
    }
    return calls
  }

  private func tell(_ finding: RecordingDiff.Finding) {
    told += 1
    guard told <= ReplayChoices.mostTold, failure == nil else { return }
    progress.finish()
    do throws(CommandFailure) {
      for line in finding.lines(comparer) { try console.print(line.safeForTerminal) }
    } catch {
      failure = error
    }
  }

  private static func text(_ totals: RecordingDiff.Totals) -> String {
    var parts = ["\(totals.same + totals.ignored + totals.sameInDart) calls the same"]
    let counts: [(UInt64, String)] = [
      (totals.changed, "changed"), (totals.moved, "moved"),
      (totals.onlyFirst, "only in the first"), (totals.onlySecond, "only in the second"),
    ]
    for (count, word) in counts where count > 0 { parts.append("\(count) \(word)") }
    return parts.joined(separator: ", ")
  }
}
