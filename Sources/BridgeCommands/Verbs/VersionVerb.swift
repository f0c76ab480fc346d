import CommandLineFlags

extension Verb {
  /// `pwbridge version`.
  static let version = Verb(
    Command(
      "version",
      summary: "print the version and what it was built from",
      purpose: """
        Prints the name and version of the program as --version does, and below them the commit \
        that it was built from (with `+changes` where the files were not those of the commit), the \
        compiler, the system it is for, and whether it needs libraries of that system. Only builds \
        made by the release script know their commit.
        """,
      usage: ["[--json]"],
      operands: .none,
      examples: [
        Example(
          "The version", "pwbridge version | head -n 1", output: "pwbridge \(BridgeVersion.text)"),
        Example(
          "The number alone", "pwbridge --version | cut -d ' ' -f 2", output: BridgeVersion.text),
        Example(
          "For a program", "pwbridge version --json | cut -d , -f 1",
          output: #"{"version":"\#(BridgeVersion.text)""#),
        Example(
          "It takes nothing else", "pwbridge version --raw",
          complaint: """
            pwbridge: version does not take --raw; decode, encode, explain do
            try: pwbridge help version
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    if invocation.options.printsJSON {
      try invocation.console.print(BridgeVersion.json)
    } else {
      for line in BridgeVersion.lines { try invocation.console.print(line) }
    }
  }
}
