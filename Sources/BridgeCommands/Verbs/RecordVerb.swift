import CommandLineFlags

extension Verb {
  /// `pwbridge record`: a proxy that records.
  static let record = Verb(
    Command(
      "record",
      summary: "stand between a client and a server and record what they say",
      purpose: """
        Passes every byte on as it is, both ways, and writes the messages and answers in them to a \
        recording. The server is at the socket that --to names, or is a command behind -- that \
        speaks frames on its standard input and output. The client is at standard input and \
        output, or with --listen there are many on a socket; a command is then started for each.

        What is no frame is passed on as well; it is only said that it cannot be recorded. To \
        record what pwbridge itself answers, serve and exec take --record without a proxy.

        On a socket only the same user is let in. SIGTERM, SIGINT and SIGHUP end the proxy: it \
        takes no more clients, removes its socket, and passes the signal on to the commands that \
        it has started, which have 3 s to end. A second signal ends all at once. The exit code is \
        that of the command, and 0 with --listen or --to; 2 in place of 0 where the recording is \
        not whole.
        """,
      usage: [
        "--record FILE [--listen PATH] --to PATH", "--record FILE [--listen PATH] -- COMMAND...",
      ],
      operands: Operands("COMMAND", count: 0...Int.max, endWithProgram: true),
      examples: [
        Example(
          "A call recorded between a client and a server",
          """
          f=$(mktemp) && pwbridge exec -- sh -c '
            pwbridge record --record '$f' --listen $PWBRIDGE_SOCKET.2 --to $PWBRIDGE_SOCKET \\
              2> /dev/null & until [ -S $PWBRIDGE_SOCKET.2 ]; do sleep 0.05; done
            pwbridge call --socket $PWBRIDGE_SOCKET.2 PW defaultSetup; kill $!; wait $!
          ' 2> /dev/null; grep -o '"dir".*' $f; rm $f
          """,
          output: """
            {"null":null}
            "dir":"dart->native","channel":"PW","id":0,"kind":"message",\
            "hex":"070c64656661756c74536574757000","shown":"defaultSetup"}
            "dir":"native->dart","channel":"PW","id":0,"kind":"reply",\
            "hex":"0000","shown":"success null"}
            """),
        Example(
          "What is no frame passes as it is",
          "echo hello | pwbridge record --record /dev/null -- cat",
          output: "hello",
          complaint: """
            pwbridge: connection 1: what goes dart->native can no longer be recorded; it is \
            passed on all the same: not-a-frame at byte 2: this is no stream of frames: it begins \
            with "hello", text; frames are binary; to type messages give --framing lines
            """),
        Example(
          "It has to know where to write",
          "pwbridge record --to /tmp/server",
          complaint: """
            pwbridge: record needs a file to write to: --record FILE
            try: pwbridge help record
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try RecordRun(
      invocation.options.recording, invocation.operands,
      maximumPayload: invocation.options.serving.maximumPayload,
      maximumConnections: invocation.options.serving.maximumConnections
    ).run()
  }
}
