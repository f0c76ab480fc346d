import CommandLineFlags

extension Verb {
  /// `pwbridge help`.
  static let help = Verb(
    Command(
      "help",
      summary: "explain a verb",
      purpose: """
        Prints what a verb is for, which flags it takes and examples of it; without a verb, what \
        verbs there are. VERB --help prints the same, VERB -h a short form.
        """,
      usage: ["[VERB]"],
      operands: Operands("VERB", count: 0...1, kind: .command),
      examples: [
        Example(
          "The first line about a verb", "pwbridge help version | head -n 1",
          output: "pwbridge version: print the version and what it was built from"),
        Example(
          "How a verb may be called", "pwbridge help completions | sed -n 3,4p",
          output: "Usage:\n  pwbridge completions SHELL"),
        Example(
          "A mistyped verb", "pwbridge help decoed",
          complaint: """
            pwbridge: unknown verb "decoed"; did you mean decode?
            try: pwbridge help
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    let grammar = BridgeProgram.grammar
    let command = invocation.operands.first.flatMap { grammar.command(named: $0) }
    try invocation.console.write(grammar.help(about: command, isFull: true).utf8)
  }
}
