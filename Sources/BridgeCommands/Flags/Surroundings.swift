import CommandLineFlags

extension BridgeProgram {
  /// What the program looks at, or leaves behind, that no flag names. A test holds the variables
  /// against the sources.
  static let surroundings = (
    environment: [
      Surrounding(
        "PWBRIDGE_SOCKET",
        "The socket that call and state connect to without --socket. exec sets it for its command.",
        commands: ["call", "state", "exec"]),
      Surrounding(
        "PWBRIDGE_PROFILE",
        "Set by conform for its command: the profile under which the answers are judged.",
        commands: ["conform"]),
      Surrounding(
        "NO_COLOR", "Set to anything but an empty text, it turns --color auto into never.",
        commands: ["explain"]),
      Surrounding(
        "TERM", "Where it is dumb or not set, --color auto means never.", commands: ["explain"]),
      Surrounding(
        "TMPDIR", "Where exec and bench make the directory of their socket; /tmp without it.",
        commands: ["exec", "bench"]),
    ],
    files: [
      Surrounding(
        "$TMPDIR/pwbridge-XXXXXX/",
        "The directory of the socket of exec, which only its user may enter. exec removes it.",
        commands: ["exec"])
    ]
  )
}
