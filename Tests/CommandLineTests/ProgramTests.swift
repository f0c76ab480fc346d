import CommandLineFlags
import ProgramRunner
import TerminalSafety
import TestSurroundings
import Testing

/// The program from outside: streams, exit codes and odd surroundings.
@Suite("Program") struct ProgramTests {
  private func run(_ line: String, input: [UInt8] = []) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(line, input: input)
  }

  private func run(_ line: String, input: String) throws -> BuiltProgram.Outcome {
    try run(line, input: Array(input.utf8))
  }

  // MARK: - Input

  @Test(
    "one message, many ways to give it",
    arguments: [
      "pwbridge decode 0305000000",
      "pwbridge decode 03 05 00 00 00",
      "pwbridge decode '03 05\n00 00 00\n'",
      "pwbridge decode -- 0305000000",
      "echo 0305000000 | pwbridge decode -",
      "printf '03 05 00\\r\\n00 00' | pwbridge decode -",
      "echo 0305000000 | pwbridge decode --file /dev/stdin",
      "echo 0305000000 | pwbridge decode --file -",
      "printf '\\003\\005\\000\\000\\000' | pwbridge decode --raw -",
      "printf '\\003\\005\\000\\000\\000' | pwbridge decode -r -f /dev/stdin",
      "pwbridge encode '{\"int32\":5}' | pwbridge decode -",
      "pwbridge encode --raw '{\"int32\":5}' | pwbridge decode --raw -",
      "echo '{\"int32\":5}' | pwbridge encode - | pwbridge decode -",
    ]) func sources(line: String) throws
  {
    let outcome = try run(line)
    let expected = try run("pwbridge decode 03 05 00 00 00")
    #expect(outcome.text == expected.text)
    #expect(outcome.text.hasSuffix("\n") && outcome.text.contains("int32"))
    #expect(outcome.complaint == "")
    #expect(outcome.code == 0)
  }

  @Test(
    "no payload is a word",
    arguments: [
      "pwbridge encode null", "pwbridge decode null", "pwbridge encode null | pwbridge decode -",
      "printf ' null\\r\\n' | pwbridge decode -",
    ]) func noPayload(line: String) throws
  {
    let outcome = try run(line)
    #expect(outcome.text == "null\n")
    #expect(outcome.code == 0)
  }

  @Test func noPayloadHasNoRawForm() throws {
    let outcome = try run("pwbridge encode --raw null")
    #expect(outcome.output == [])
    #expect(outcome.complaint == "pwbridge: no payload has no bytes that --raw could write\n")
    #expect(outcome.code == 1)
  }

  @Test(
    "malformed input: one line, exit code 1",
    arguments: [
      ("pwbridge decode -", ""),
      ("pwbridge decode --raw -", ""),
      ("pwbridge decode ''", ""),
      ("pwbridge decode 030", ""),
      ("pwbridge decode 03zz", ""),
      ("pwbridge decode -", "nul"),
      ("pwbridge decode 03 05", ""),
      ("pwbridge encode -", ""),
      ("pwbridge encode '{'", ""),
      ("pwbridge encode '{\"int32\":5000000000}'", ""),
      ("pwbridge decode --raw -", "03 05 00 00 00"),
      ("pwbridge explain 0g", ""),
    ]) func malformed(line: String, input: String) throws
  {
    let outcome = try run(line, input: input)
    #expect(outcome.output == [])
    #expect(outcome.complaint.hasPrefix("pwbridge: "))
    #expect(outcome.complaint.filter { $0 == "\n" }.count == 1)
    #expect(outcome.code == 1)
  }

  // MARK: - Usage

  @Test(
    "usage: one line and where to read on, exit code 2",
    arguments: [
      ("pwbridge", "missing verb", "try: pwbridge help"),
      (
        "pwbridge decode --profil ios 00", "unknown flag --profil; did you mean --profile?",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge decode", "decode needs HEX, - for standard input, or --file PATH",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge encode", "encode needs JSON, - for standard input, or --file PATH",
        "try: pwbridge help encode"
      ),
      (
        "pwbridge encode null null", "encode has no use for \"null\"", "try: pwbridge help encode"
      ),
      (
        "pwbridge decode - 00", "- stands for all of the input; give it alone",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge decode --file x 00", "--file and operands are two inputs; give one of them",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge decode --raw 00",
        "--raw reads bytes from standard input (-) or --file, not operands",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge decode --max-depth 0 00",
        "--max-depth \"0\": expected a number from 1 to 100000", "try: pwbridge help decode"
      ),
      (
        "pwbridge decode -x 14 00",
        "-x \"14\": types 0 to 14 belong to the standard codec; extensions begin at 15",
        "try: pwbridge help decode"
      ),
      (
        "pwbridge help decoed", "unknown verb \"decoed\"; did you mean decode?",
        "try: pwbridge help"
      ),
      ("pwbridge completions", "completions needs SHELL", "try: pwbridge help completions"),
      (
        "pwbridge decode \"$(printf '\\377')\"",
        "argument 2 is not UTF-8; use --file or standard input (-) for bytes",
        "try: pwbridge help"
      ),
    ]) func usage(line: String, message: String, advice: String) throws
  {
    let outcome = try run(line)
    #expect(outcome.output == [])
    #expect(outcome.complaint == "pwbridge: \(message)\n\(advice)\n")
    #expect(outcome.code == 2)
  }

  @Test(
    "help that was asked for is output",
    arguments: [
      "pwbridge help", "pwbridge --help", "pwbridge -h", "pwbridge help decode",
      "pwbridge decode --help", "pwbridge decode -h", "pwbridge --help decode",
      "pwbridge decode --no-such-flag --help", "pwbridge version", "pwbridge -V",
    ]) func help(line: String) throws
  {
    let outcome = try run(line)
    #expect(outcome.text.hasPrefix("pwbridge"))
    #expect(outcome.complaint == "")
    #expect(outcome.code == 0)
  }

  // MARK: - The system

  @Test(
    "input that is out of reach: exit code 2",
    arguments: [
      ("pwbridge decode -f /no/such", "cannot open \"/no/such\": No such file or directory"),
      ("pwbridge decode -f /", "cannot read \"/\": Is a directory"),
      ("pwbridge decode - < /", "cannot read standard input: Is a directory"),
      ("pwbridge decode - <&-", "cannot read standard input: Bad file descriptor"),
      (
        "pwbridge encode -f \"$(printf 'a\\033b')\"",
        "cannot open \"a\\u{1b}b\": No such file or directory"
      ),
      ("pwbridge version >&-", "cannot write the output: Bad file descriptor"),
    ]) func outOfReach(line: String, message: String) throws
  {
    let outcome = try run(line)
    #expect(outcome.complaint == "pwbridge: \(message)\n")
    #expect(outcome.code == 2)
  }

  @Test("endless input is refused, not gathered") func endless() throws {
    // A sanitizer reserves terabytes.
    let limit = Surroundings.isSanitized ? "" : "ulimit -v 4000000; "
    let raw = try run("\(limit)pwbridge decode --raw -f /dev/zero")
    #expect(
      raw.complaint == "pwbridge: \"/dev/zero\" holds more than 64 MiB, the most that is read\n")
    #expect(raw.code == 2)
    let text = try run("pwbridge encode - < /dev/zero")
    #expect(
      text.complaint == "pwbridge: standard input holds more than 128 MiB, the most that is read\n")
    #expect(text.code == 2)
  }

  @Test("a reader that leaves early ends the program without a word") func closedPipe() throws {
    let line = "{ pwbridge help decode; echo $? >&2; } | true"
    // Writing may win the race against `true`, so the pipe is closed before.
    let waiting = "{ sleep 0.2; pwbridge help decode; echo $? >&2; } | true"
    for line in [line, waiting] {
      #expect(try run(line).complaint == "0\n")
    }
  }

  @Test("colour only where it is wanted") func color() throws {
    #expect(try !run("pwbridge explain 0305000000").output.contains(0x1b))
    #expect(try run("pwbridge explain --color always 0305000000").output.contains(0x1b))
    #expect(try !run("pwbridge explain --color=never 0305000000").output.contains(0x1b))
  }

  @Test("what a message holds never reaches the terminal raw") func hostileText() throws {
    let hostile = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e000}\u{10fffe}\r\nb👩‍👩‍👧é"
    let message: [UInt8] = [7, UInt8(hostile.utf8.count)] + hostile.utf8
    for verb in ["decode", "explain --color never"] {
      let outcome = try run("pwbridge \(verb) --raw -", input: message)
      #expect(outcome.code == 0)
      let scalars = outcome.text.unicodeScalars
      #expect(scalars.allSatisfy { $0.isSafeForTerminal || $0 == "\n" })
      #expect(outcome.text.contains("👩‍👩‍👧é"))
    }
    let again = "pwbridge decode --raw - | pwbridge encode --raw -"
    #expect(try run(again, input: message).output == message)
    let path = try run("pwbridge decode 0d 01 07 04 1b5b324a 03", input: "")
    #expect(path.code == 1 && !path.complaint.unicodeScalars.contains("\u{1b}"))
  }

  @Test("large and deep messages") func large() throws {
    let size = 1 << 20
    let zeros = try run("head -c \(size) /dev/zero | pwbridge decode -r -c binary - | cat")
    #expect(zeros.output.count == size * 2 + "{'uint8list':''}\n".utf8.count)
    let hex = try run("head -c \(size) /dev/zero | pwbridge encode -r -c binary -")
    #expect(hex.code == 1)

    let deep = [UInt8]((0..<60_000).flatMap { _ in [0x0c, 0x01] }) + [0]
    let refused = try run("pwbridge decode --raw -", input: deep)
    #expect(refused.complaint.hasPrefix("pwbridge: depthExceeded at byte 1024"))
    #expect(refused.code == 1)
    let deeper = "--max-depth 100000 --raw -"
    let again = try run("pwbridge decode \(deeper) | pwbridge encode \(deeper)", input: deep)
    #expect(again.output == deep)
    let explained = try run("pwbridge explain --raw - | cut -c 1-60 | tail -n 7", input: deep)
    #expect(explained.text.hasPrefix("strict   refuses      depthExceeded"))
  }
}
