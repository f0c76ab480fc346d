import CommandLineFlags

/// What the flags of `inspect` and `export` say.
struct InspectChoices: Sendable {
  var showsCalls = false
  var lints = false
  var separatesChannels = false
  var findings = 5
  var trace: String?
  var packets: String?
}

extension Flag where Options == BridgeOptions {
  static let calls = Flag.toggle(
    FlagDeclaration(
      "calls", category: .recording,
      summary: "Print one line for each call instead of the table",
      details: """
        In the order in which calls were answered; those that never were come last.
        """,
      commands: ["inspect"]),
    set: { $0.inspect.showsCalls = true })

  static let lint = Flag.toggle(
    FlagDeclaration(
      "lint", category: .recording,
      summary: "Point at what would break on some platform",
      details: """
        Each finding has its place, the value's path, the platforms it concerns and the reason. \
        The recording is read twice, so it has to be a file.
        """,
      commands: ["inspect"]),
    set: { $0.inspect.lints = true })

  static let findings = Flag.number(
    FlagDeclaration(
      "findings", variable: "N", category: .recording,
      summary: "How many findings of each kind --lint shows; the rest is counted", fallback: "5",
      commands: ["inspect"]),
    in: 0...100_000,
    assign: { $0.inspect.findings = $1 })

  static let eachChannel = Flag.toggle(
    FlagDeclaration(
      "each-channel", category: .recording,
      summary: "Show channels one by one that differ in an id only",
      details: """
        Plugins make channels such as player/events/546c917b-b477-..., one for each player. \
        Without the flag they stand as player/events/* in one row.
        """,
      commands: ["inspect"]),
    set: { $0.inspect.separatesChannels = true })

  static let trace = Flag.path(
    FlagDeclaration(
      "trace", variable: "PATH", category: .recording,
      summary: "Write a trace for https://ui.perfetto.dev or chrome://tracing",
      details: """
        JSON with a track for each channel, a slice from each message to its answer, and an \
        instant for what gets no answer. `-` is standard output.
        """,
      commands: ["export"]),
    dash: .standardOutput,
    assign: { $0.inspect.trace = $1 })

  static let pcapng = Flag.path(
    FlagDeclaration(
      "pcapng", variable: "PATH", category: .recording,
      summary: "Write packets for Wireshark",
      details: """
        One packet for each message and answer. Protocol/wireshark has the dissector, and a \
        description of the packets. `-` is standard output.
        """,
      commands: ["export"]),
    dash: .standardOutput,
    assign: { $0.inspect.packets = $1 })
}
