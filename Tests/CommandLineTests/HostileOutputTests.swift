import CommandLineFlags
import Foundation
import ProgramRunner
import TerminalSafety
import TestSurroundings
import Testing

/// What recordings and values hold never reaches the terminal raw, and JSON means the same.
@Suite("Hostile text in output", .timeLimit(.minutes(10 * Surroundings.slowness)))
struct HostileOutputTests {
  private static let name = "a\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e000}\u{10fffe}b👩‍👩‍👧é"
  private static let method: [UInt8] = [7, 4, 0xc2, 0x9b, 0x61, 0x62, 0]

  /// A recording that says what it may say unescaped; white space between tokens as well.
  private static let recording: [UInt8] = {
    let hex = method.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let line =
      "{\"channel\":\"\(name)\",\"id\":7,\"dir\":\"dart->native\",\"kind\":\"message\",\"hex\":"
      + "\"\(hex)\",\"x\":[\t\r\"\(name)\"]}"
    return Array("\(line)\n".utf8)
  }()

  private func run(_ line: String) throws -> BuiltProgram.Outcome {
    let outcome = try BuiltProgram.run(line, input: Self.recording, limit: .seconds(100))
    #expect(outcome.complaint == "", "\(line)")
    #expect(outcome.code == 0, "\(line)")
    return outcome
  }

  private func expectSafe(_ text: String, _ line: String) {
    let raw = text.unicodeScalars.filter { !$0.isSafeForTerminal && $0 != "\n" }
    #expect(raw.isEmpty, "\(line): \(raw.map { String($0.value, radix: 16) })")
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func convert() throws {
    for line in [
      "pwbridge convert - -", "pwbridge convert --form binary - - | pwbridge convert - -",
      "pwbridge convert --shown new - - | cat", "pwbridge convert - /dev/stdout | cat",
    ] {
      let outcome = try run(line)
      expectSafe(outcome.text, line)
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.count == 1)
      let entry = try object(lines[0])
      #expect(entry["channel"] as? String == Self.name)
      #expect(entry["x"] as? [String] == [Self.name])
      #expect(outcome.text.contains("👩‍👩‍👧é"))
    }
  }

  @Test func theHeaderToo() throws {
    let line =
      "{ printf '{\"pwbridge\":\"recording\",\"version\":1,\"time\":\"us\",\"software\":\"\\302\\233\"}\\n';"
      + " cat; } | pwbridge convert - -"
    let outcome = try run(line)
    expectSafe(outcome.text, line)
    let first = try #require(outcome.text.split(separator: "\n").first)
    #expect(try object(first)["software"] as? String == "\u{9b}")
  }

  @Test func aFileKeepsItsBytes() throws {
    let outcome = try run(
      "d=$(mktemp -d); cat > $d/a; pwbridge convert $d/a $d/b; pwbridge convert $d/b $d/c; "
        + "cmp $d/b $d/c && cat $d/b; rm -r $d")
    #expect(outcome.text.contains("\"\(Self.name)\""))
  }

  @Test func inspect() throws {
    let line = "d=$(mktemp -d); cat > $d/a; pwbridge inspect --json $d/a; rm -r $d"
    let outcome = try run(line)
    expectSafe(outcome.text, line)
    let channels = try #require(try object(outcome.text)["channels"] as? [[String: Any]])
    #expect(channels.map { $0["channel"] as? String } == [Self.name])
    let methods = try #require(channels[0]["methods"] as? [[String: Any]])
    #expect(methods.map { $0["method"] as? String } == ["\u{9b}ab"])
  }

  @Test(arguments: ["--calls", "--calls --json", "--lint", "--lint --json", ""])
  func inspectInOtherForms(flags: String) throws {
    let line = "d=$(mktemp -d); cat > $d/a; pwbridge inspect \(flags) $d/a; rm -r $d"
    expectSafe(try run(line).text, line)
  }

  @Test func trace() throws {
    let line = "d=$(mktemp -d); cat > $d/a; pwbridge export --trace - $d/a; rm -r $d"
    let outcome = try run(line)
    expectSafe(outcome.text, line)
    #expect(try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) is [String: Any])
  }

  @Test(
    arguments: [
      "--option 'handler=X'", "--option 'X=1'", "--fault 'PW: X'", "--fault 'PW#X: close'",
      "--fault 'PW: delay X'", "--fault 'PW: error \"X'", "--channel-codec 'X=X'",
      "--log X", "--X", "--drain X",
    ])
  func complaints(flags: String) throws {
    let hostile = "y\u{9b}31m\u{202e}\u{2028}\u{e000}"
    let line = "pwbridge serve \(flags.replacing("X", with: hostile))"
    let outcome = try BuiltProgram.run(line, limit: .seconds(100))
    #expect(outcome.code == 2)
    #expect(outcome.complaint.contains("y"))
    expectSafe(outcome.complaint, line)
  }

  // MARK: - New files

  @Test func convertLeavesNothingBehindWhenItIsEnded() throws {
    let entry = #"{"channel":"c","id":1,"dir":"dart->native","kind":"message","hex":""}"#
    for signal in ["TERM", "INT", "HUP"] {
      // A shell's background commands ignore SIGINT, so another one starts it.
      let line = """
        d=$(mktemp -d); mkfifo $d/in; echo old > $d/out
        python3 -c 'import os,signal,sys; signal.signal(2, signal.SIG_DFL); \
        os.execvp(sys.argv[1], sys.argv[1:])' pwbridge convert $d/in $d/out & run=$!
        exec 3> $d/in; echo '\(entry)' >&3
        n=0; until ls $d | grep -q new || [ $n -gt 400 ]; do sleep 0.05; n=$((n+1)); done
        ls $d | wc -l; kill -\(signal) $run; wait $run; echo $(($? > 128)); ls $d; cat $d/out; rm -r $d
        """
      let outcome = try BuiltProgram.run(line, limit: .seconds(100))
      #expect(outcome.text == "3\n1\nin\nout\nold\n", "\(signal): \(outcome.complaint)")
    }
  }

  @Test func convertKeepsTheModeAndLeavesNothingBehindWhenItFails() throws {
    let outcome = try BuiltProgram.run(
      """
      d=$(mktemp -d); cat > $d/a; chmod 640 $d/a; pwbridge convert $d/a $d/a; stat -c %a $d/a
      echo '{' >> $d/a; echo '{}' >> $d/a; cp $d/a $d/b; pwbridge convert $d/b $d/a 2> /dev/null
      echo $?; cmp $d/a $d/b; ls $d; rm -r $d
      """, input: Self.recording, limit: .seconds(100))
    #expect(outcome.text == "640\n1\na\nb\n", "\(outcome.complaint)")
  }

  @Test func aDeviceIsWrittenToAndStays() throws {
    let outcome = try run("pwbridge convert - /dev/null; ls -l /dev/null | cut -c 1")
    #expect(outcome.text == "c\n")
  }
}
