import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let file = Flag.path(
    FlagDeclaration(
      "file", short: "f", variable: "PATH", category: .input,
      summary: "Read the input from a file",
      details: """
        At most 64 MiB of message or 128 MiB of text are read, from a file or standard input. \
        `--file -` is standard input.
        """,
      commands: ["decode", "encode", "explain"]),
    dash: .standardInput,
    assign: { $0.file = $1 })

  static let raw = Flag.toggle(
    FlagDeclaration(
      "raw", short: "r", category: .input,
      summary: "Take or print the message as bytes instead of hex",
      details: """
        decode and explain then read the bytes of the message from standard input (-) or --file; \
        encode writes them to standard output, with no newline.
        """,
      commands: ["decode", "encode", "explain"]),
    set: { $0.isRaw = true })
}
