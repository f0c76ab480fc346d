import ChannelRecordings
import CommandLineFlags
import TerminalSafety

/// One run of `pwbridge inspect`.
struct InspectRun {
  private let choices: InspectChoices
  private let codecs: ChannelCodecMap
  private let isStrict: Bool
  private let printsJSON: Bool
  private let console: Console
  private var pass: RecordingPass

  init(_ invocation: Invocation) {
    choices = invocation.options.inspect
    codecs = invocation.options.recording.codecs
    isStrict = invocation.options.serving.isStrict
    printsJSON = invocation.options.printsJSON
    console = invocation.console
    pass = RecordingPass(invocation.operands.first ?? "-", invocation.console)
  }

  mutating func run() throws(CommandFailure) {
    if choices.lints, choices.showsCalls {
      throw .usage(.other("--lint and --calls print different things; give one of them"))
    }
    if pass.path == "-", choices.lints {
      throw .usage(.other("--lint reads the recording twice, so it needs a file"))
    }
    if choices.lints {
      try lint()
    } else if choices.showsCalls {
      try printCalls()
    } else {
      try printTable()
    }
    try console.flush()
    try pass.end()
  }

  private mutating func printTable() throws(CommandFailure) {
    let inspection = try inspect()
    let shown = choices.separatesChannels ? inspection : inspection.grouped()
    if printsJSON {
      try console.write(InspectionJSON.bytes(shown))
      return try console.print("")
    }
    for line in InspectionText(shown).lines() { try console.print(line) }
  }

  private mutating func inspect() throws(CommandFailure) -> RecordingInspection {
    var inspector = RecordingInspector()
    let header = try pass.read { (event, place) throws(RecordingError) in
      inspector.add(event, at: place)
    }
    inspector.note(malformed: pass.malformed)
    return inspector.finish(codecs: known(header))
  }

  /// Codecs from the command line count for more than those of the header.
  private func known(_ header: RecordingHeader?) -> ChannelCodecMap {
    var known = header?.codecs ?? ChannelCodecMap()
    for entry in codecs.entries { known[entry.channel] = entry.codec }
    return known
  }

  private mutating func printCalls() throws(CommandFailure) {
    // A pipe is read once: what its channels speak is then only known where it was given.
    var map = codecs
    if pass.path != "-" { map = try inspect().codecs }
    let line = CallLine(codecs: map)
    var failure: CommandFailure?
    let (console, printsJSON) = (console, printsJSON)
    var inspector = RecordingInspector { call in
      guard failure == nil else { return }
      do throws(CommandFailure) {
        try console.print(printsJSON ? line.json(call).jsonSafeForTerminal : line.text(call))
      } catch {
        failure = error
      }
    }
    do throws(CommandFailure) {
      try pass.read(isFirst: pass.path == "-") { (event, place) throws(RecordingError) in
        inspector.add(event, at: place)
        if failure != nil { throw RecordingError(.system, "the output is closed", isFatal: true) }
      }
    } catch {
      throw failure ?? error
    }
    _ = inspector.finish(codecs: map)
    if let failure { throw failure }
  }

  private mutating func lint() throws(CommandFailure) {
    let inspection = try inspect()
    var lint = RecordingLint(inspection, keeping: choices.findings)
    try pass.read(isFirst: false) { (event, place) throws(RecordingError) in
      lint.add(event, at: place)
    }
    let groups = lint.finish()
    if printsJSON {
      try console.print(LintReport.json(groups).jsonSafeForTerminal)
    } else {
      for line in LintReport.lines(groups, form: pass.form) { try console.print(line) }
    }
    if isStrict, !groups.isEmpty {
      let count = groups.reduce(0) { $0 + $1.count }
      throw .checkFailed("--strict: \(count) finding\(count == 1 ? "" : "s")")
    }
  }
}

extension String {
  /// Fit for one line of a terminal.
  var safeForLine: String {
    utf8.allSatisfy { (0x20..<0x7f).contains($0) } ? self : safeForTerminal
  }
}
