import CommandLineFlags

extension Verb {
  /// `pwbridge manual`.
  static let manual = Verb(
    Command(
      "manual",
      summary: "print a manual page",
      purpose: """
        Prints the manual page of a verb, or without one that of the program, in the language of \
        man. Read one with `pwbridge manual serve | man -l -`, or store each where man looks: that \
        of the program as man1/pwbridge.1 below ~/.local/share/man, that of serve as \
        man1/pwbridge-serve.1 and so on, after which `man pwbridge` and `man pwbridge-serve` show \
        them. A release has them all in its folder man.
        """,
      usage: ["[VERB]"],
      operands: Operands("VERB", count: 0...1, kind: .command),
      examples: [
        Example(
          "The heading of the program's page",
          "pwbridge manual | grep '^.TH' | cut -d ' ' -f 1-3", output: ".TH PWBRIDGE 1"),
        Example(
          "The sections of a verb's page", "pwbridge manual completions | grep '^.SH' | head -n 3",
          output: ".SH NAME\n.SH SYNOPSIS\n.SH DESCRIPTION"),
        Example(
          "A mistyped verb", "pwbridge manual serv",
          complaint: """
            pwbridge: unknown verb "serv"; did you mean serve?
            try: pwbridge help
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    let grammar = BridgeProgram.grammar
    let command = invocation.operands.first.flatMap { grammar.command(named: $0) }
    let page = grammar.manualPage(
      about: command, version: BridgeVersion.text, date: BridgeVersion.commitDate ?? "")
    try invocation.console.write(page.utf8)
  }
}
