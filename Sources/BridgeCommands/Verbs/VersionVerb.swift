import CommandLineFlags

extension Verb {
  /// `pwbridge version`.
  static let version = Verb(
    Command(
      "version",
      summary: "print the version",
      purpose: "Prints the name and version of the program, as --version does.",
      usage: [""],
      operands: .none,
      examples: [
        Example("The version", "pwbridge version", output: "pwbridge \(BridgeVersion.text)"),
        Example(
          "The number alone", "pwbridge --version | cut -d ' ' -f 2", output: BridgeVersion.text),
        Example(
          "It takes nothing else", "pwbridge version --raw",
          complaint: """
            pwbridge: version does not take --raw; decode, encode, explain do
            try: pwbridge help version
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try invocation.console.print(BridgeProgram.versionLine)
  }
}
