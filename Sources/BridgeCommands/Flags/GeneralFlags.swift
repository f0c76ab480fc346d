import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let color = Flag.choice(
    FlagDeclaration(
      "color", variable: "WHEN", category: .general,
      summary: "Whether to colour the output",
      details: """
        The environment variable NO_COLOR, set to anything, and TERM=dumb turn `auto` into `never`.
        """,
      fallback: "auto", commands: ["explain"]),
    of: ColorChoice.self, summary: { $0.summary },
    assign: { $0.color = $1 })

  static let help = Flag.help(
    FlagDeclaration(
      "help", short: "h", category: .general,
      summary: "Print help; -h prints a short form"))

  static let version = Flag.version(
    FlagDeclaration("version", short: "V", category: .general, summary: "Print the version"))
}

extension ColorChoice {
  fileprivate var summary: String {
    switch self {
    case .auto: "when the output is a terminal"
    case .always: "in any case"
    case .never: "in no case"
    }
  }
}
