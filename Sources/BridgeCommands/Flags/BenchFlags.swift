import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let payloads = Flag.path(
    FlagDeclaration(
      "payloads", variable: "DIR", category: .input,
      summary: "Where the benchmark's messages are",
      details: """
        A folder with a_call_start.bin, b_call_default.bin and so on; those of the repository are \
        in Tests/Fixtures/bench. Two large ones are generated.
        """,
      fallback: "Tests/Fixtures/bench", commands: ["bench"]),
    dash: .refused,
    assign: { $0.payloads = $1 })

  static let rounds = Flag.number(
    FlagDeclaration(
      "rounds", variable: "N", category: .general,
      summary: "How often each figure is taken", fallback: "15",
      commands: ["bench"]),
    in: 1...1000,
    assign: { $0.rounds = $1 })

  static let json = Flag.toggle(
    FlagDeclaration(
      "json", category: .input, summary: "Print JSON instead of a table",
      commands: ["bench", "state", "inspect", "version"]),
    set: { $0.printsJSON = true })
}
