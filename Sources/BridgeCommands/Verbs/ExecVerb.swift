import CommandLineFlags

extension Verb {
  /// `pwbridge exec`: a command with a server at its side.
  static let exec = Verb(
    Command(
      "exec",
      summary: "run a command, such as a test, with a server at its side",
      purpose: """
        Starts a server on a private socket, puts the socket's path into the environment variable \
        PWBRIDGE_SOCKET and runs the command with the same standard streams. SIGINT, SIGTERM and \
        SIGHUP are passed on to it. When it has ended, a summary of its calls is written to \
        standard error, also with --quiet; the log of calls only with --log.

        The exit code is the command's own, 128 and more if a signal ended it, 127 if it was not \
        found and 126 if it cannot be run. With --strict a command that succeeded while calls got \
        no answer counts as failed, with 1; so does, with 2, one whose recording is not whole.
        """,
      usage: ["[FLAGS] -- COMMAND..."],
      operands: Operands("COMMAND", count: 1...Int.max, endWithProgram: true),
      examples: [
        Example(
          "A command that calls the device",
          """
          pwbridge exec -- pwbridge call PW startLiveActivity '{"elapsedSeconds":0}'
          """,
          output: #"{"null":null}"#, complaint: "pwbridge: 1 call"),
        Example(
          "A call that the guide's code never answers, found out by --strict",
          """
          pwbridge exec --strict --handler guide -- sh -c \\
          'pwbridge call PW stopLiveActivity 2> /dev/null; true'
          """,
          complaint: """
            pwbridge: 1 call, 1 dropped
              dropped: PW stopLiveActivity
            pwbridge: --strict: 1 call got no answer
            """, exitCode: 1),
        Example(
          "The exit code is the command's", "pwbridge exec -- sh -c 'exit 7'",
          complaint: "pwbridge: 0 calls", exitCode: 7),
        Example(
          "A command that is not there", "pwbridge exec -- no-such-command",
          complaint: #"pwbridge: "no-such-command": No such file or directory"#, exitCode: 127),
      ])
  ) { invocation throws(CommandFailure) in
    try ExecRun(
      invocation.options.serving, invocation.options.recording, invocation.operands,
      invocation.console
    ).run()
  }
}
