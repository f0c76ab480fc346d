import ProgramRunner
import Testing

@testable import BridgeCommands
@testable import CommandLineFlags

/// `-` as the file that a flag writes.
@Suite("Files on standard output") struct DashTests {
  /// A command line for each flag of the table that writes a file, and how what it writes begins.
  private static let lines: [String: (line: String, start: String)] = [
    "replay --junit": ("pwbridge replay r.jsonl --junit -", "<?xml"),
    "export --trace": ("pwbridge export r.jsonl --trace -", "{"),
    "export --pcapng": ("pwbridge export r.jsonl --pcapng -", "\n\r\r\n"),
    "conform --junit": ("pwbridge conform --only standard.bool.true* --junit -", "<?xml"),
    "conform --json": ("pwbridge conform --only standard.bool.true* --json -", "{"),
    "conform --html": ("pwbridge conform --only standard.bool.true* --html -", "<!"),
  ]

  @Test func everyFlagHasALine() {
    let flags = BridgeProgram.grammar.flags.filter { $0.dash == .standardOutput }
    let names = flags.flatMap { flag in
      (flag.declaration.commands ?? []).map { "\($0) --\(flag.declaration.long)" }
    }
    #expect(Set(names) == Set(Self.lines.keys))
  }

  @Test(arguments: lines.keys.sorted()) func theFileAloneIsOnStandardOutput(name: String) throws {
    let (line, start) = try #require(Self.lines[name])
    let script = """
      folder=$(mktemp -d) && cd $folder
      echo 'PW startLiveActivity {"elapsedSeconds":0}' |
        pwbridge exec -q --record r.jsonl -- pwbridge call - > log 2>&1
      \(line); code=$?
      test -e ./- && echo "a file has the name -"
      cd / && rm -r $folder; exit $code
      """
    let outcome = try BuiltProgram.run(script, limit: .seconds(120))
    #expect(outcome.code == 0, "\(outcome.complaint)")
    #expect(outcome.text.hasPrefix(start), "\(outcome.text.prefix(200))")
    #expect(!outcome.text.contains("a file has the name -"))
    // What is printed without the flag is told beside.
    let reports = ["replay": "as recorded", "conform": "required recommended"]
    let verb = String(name.prefix { $0 != " " })
    guard let report = reports[verb] else { return }
    #expect(!outcome.text.contains(report) && outcome.complaint.contains(report))
  }

  @Test func twoFilesCannotShareIt() throws {
    let outcome = try BuiltProgram.run("pwbridge conform --json - --html -", limit: .seconds(60))
    #expect(outcome.code == 2)
    #expect(outcome.complaint.contains("not those of --json and --html"), "\(outcome.complaint)")
    #expect(outcome.output.isEmpty)
  }

  /// A reader that has had enough is no trouble.
  @Test func theReaderMayGo() throws {
    let line = "{ pwbridge conform --quiet --json -; echo $? >&2; } | true"
    let outcome = try BuiltProgram.run(line, limit: .seconds(120))
    #expect(outcome.complaint == "0\n")
  }
}
