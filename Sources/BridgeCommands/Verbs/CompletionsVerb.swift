import CommandLineFlags

extension Verb {
  /// `pwbridge completions`.
  static let completions = Verb(
    Command(
      "completions",
      summary: "print a script that completes verbs and flags in a shell",
      purpose: """
        Prints a script for the shell. Load it in the shell's start-up file, for example with \
        `source <(pwbridge completions bash)` in ~/.bashrc or ~/.zshrc, or store it as \
        ~/.config/fish/completions/pwbridge.fish.
        """,
      usage: ["SHELL"],
      operands: Operands(
        "SHELL", count: 1...1, kind: .oneOf(Shell.allCases.map { Choice($0.rawValue) })),
      examples: [
        Example(
          "What to do with the script for bash", "pwbridge completions bash | head -n 2",
          output: "# Completions of pwbridge for bash:\n#   source <(pwbridge completions bash)"),
        Example(
          "The first line of a zsh completion", "pwbridge completions zsh | head -n 1",
          output: "#compdef pwbridge"),
        Example(
          "A mistyped shell", "pwbridge completions bsah",
          complaint: """
            pwbridge: unknown shell "bsah"; did you mean bash?
            try: pwbridge help completions
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    // The parser has let no other operand through.
    guard let shell = invocation.operands.first.flatMap(Shell.init(rawValue:)) else {
      throw .usage(.missingOperand("SHELL"))
    }
    try invocation.console.write(BridgeProgram.grammar.completions(for: shell).utf8)
  }
}
