import BridgeCommands
import CommandLineFlags
import Testing

@Suite("Help") struct HelpTests {
  static let grammar = BridgeProgram.grammar

  @Test func shortHelpOfAVerb() throws {
    let explain = try #require(HelpTests.grammar.command(named: "completions"))
    #expect(
      HelpTests.grammar.help(about: explain, isFull: false) == """
        pwbridge completions: print a script that completes verbs and flags in a shell

        Usage:
          pwbridge completions SHELL

        SHELL:
          bash
          zsh
          fish

        General:
          -h, --help     Print help; -h prints a short form
          -V, --version  Print the version

        pwbridge help completions says more and shows examples.

        """)
  }

  @Test func fullHelpOfAVerb() throws {
    let version = try #require(HelpTests.grammar.command(named: "version"))
    #expect(
      HelpTests.grammar.help(about: version, isFull: true) == """
        pwbridge version: print the version and what it was built from

        Usage:
          pwbridge version [--json]

        Prints the name and version of the program as --version does, and below them the
        commit that it was built from (with `+changes` where the files were not those of
        the commit), the compiler, the system it is for, and whether it needs libraries
        of that system. Only builds made by the release script know their commit.

        Input and output:
              --json
              Print JSON instead of a table.

        General:
          -h, --help
              Print help; -h prints a short form.
          -V, --version
              Print the version.

        Exit codes:
          0  all is well
          1  the input was read and is malformed, or a check or call failed
          2  the command line is wrong, or an input or output is out of reach

        Examples:
          The version:
            $ pwbridge version | head -n 1
            pwbridge 0.1.0
          The number alone:
            $ pwbridge --version | cut -d ' ' -f 2
            0.1.0
          For a program:
            $ pwbridge version --json | cut -d , -f 1
            {"version":"0.1.0"
          It takes nothing else:
            $ pwbridge version --raw
            pwbridge: version does not take --raw; decode, encode, explain do
            try: pwbridge help version
            (exit code 2)

        """)
  }

  @Test(arguments: [true, false]) func everyTextIsComplete(isFull: Bool) {
    let overview = HelpTests.grammar.help(about: nil, isFull: isFull)
    for command in HelpTests.grammar.commands {
      #expect(overview.contains("  \(command.name) "), "\(command.name)")
      let text = HelpTests.grammar.help(about: command, isFull: isFull)
      for flag in HelpTests.grammar.flags(of: command) {
        #expect(text.contains("--\(flag.declaration.long)"), "\(command.name)")
        for choice in flag.choices { #expect(text.contains(choice.name), "\(command.name)") }
      }
      #expect(!text.contains("\n\n\n"), "\(command.name)")
    }
  }

  /// Examples are lines to copy and are never wrapped; all other text is.
  @Test func textFitsATerminal() {
    for command in HelpTests.grammar.commands {
      let text = HelpTests.grammar.help(about: command, isFull: true)
      let lines = text.split(separator: "\n").prefix { $0 != "Examples:" }
      for line in lines { #expect(line.count <= 80, "\(line)") }
    }
  }
}
