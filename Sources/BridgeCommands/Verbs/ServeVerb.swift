import CommandLineFlags

extension Verb {
  /// `pwbridge serve`: a device at the other end of a pipe or socket.
  static let serve = Verb(
    Command(
      "serve",
      summary: "answer method calls as an iPhone with the guide's app would",
      purpose: """
        Speaks frames (Protocol/frames.md) on standard input and output, which carry nothing else, \
        or with --socket to many clients of a Unix socket. Each client has a fresh device of its \
        own; clients that name the same device share it. Channels are PW, pushwoosh and \
        pwbridge/control (Protocol/control.md).

        Standard error has a line for each call. The end of the input, SIGTERM and SIGINT let open \
        calls be answered first; a second signal ends the server at once.
        """,
      usage: ["[FLAGS]", "[FLAGS] --socket PATH"],
      operands: .none,
      examples: [
        Example(
          "A call typed as a line of text",
          """
          echo "PW $(pwbridge encode -c call '{"method":"startLiveActivity","args":\
          {"elapsedSeconds":0}}')" | pwbridge serve --framing lines --quiet
          """,
          output: "0000"),
        Example(
          "The same call where Live Activities are switched off, and only its error's code",
          """
          echo "PW $(pwbridge encode -c call '{"method":"startLiveActivity","args":\
          {"elapsedSeconds":0}}')" | pwbridge serve --framing lines --quiet -o authorization=off \
          | pwbridge decode -c envelope - | cut -c 1-22
          """,
          output: #"{"error":{"code":"418""#),
        Example(
          "Something that speaks no frames",
          "echo 'hello world' | pwbridge serve > /dev/null",
          complaint: """
            pwbridge: not-a-frame at byte 2: this is no stream of frames: it begins with \
            "hello world", text; frames are binary; to type messages give --framing lines
            """, exitCode: 2),
        Example(
          "A mistyped option", "pwbridge serve --option handlr=guide",
          complaint: """
            pwbridge: --option "handlr=guide": no device option "handlr"; did you mean handler?
            try: pwbridge help serve
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try ServeRun(
      invocation.options.serving, invocation.options.recording, invocation.console
    ).run()
  }
}
