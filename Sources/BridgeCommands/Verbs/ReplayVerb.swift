import CommandLineFlags

extension Verb {
  /// `pwbridge replay`: a recording played to a native side.
  static let replay = Verb(
    Command(
      "replay",
      summary: "send what was recorded and compare what comes",
      purpose: """
        Sends the messages that Dart sent in a recording, in order, and compares every answer with \
        the recorded one: byte for byte, and where that fails by structure, with the path of each \
        difference and whether Dart would see it. Calls that overlapped may overlap again. \
        Messages from native code are expected in the order of their channel.

        The native side is a fresh device in this process, with the options that the recorded one \
        had; or with --to a server; or a command behind -- that speaks frames on its standard \
        input and output. FILE may be - for standard input.

        A call that the recording leaves unanswered must stay so; a dropped reply and none at all \
        are the same to Dart, and here. The exit code is 1 if anything is not as recorded.
        """,
      usage: ["[FLAGS] FILE", "[FLAGS] --to SOCKET FILE", "[FLAGS] FILE -- COMMAND..."],
      operands: Operands("FILE", count: 1...Int.max, kind: .files, endWithProgram: true),
      examples: [
        Example(
          "A recording that still holds",
          """
          f=$(mktemp) && printf '%s\\n' 'PW startLiveActivity {"elapsedSeconds":0}' \\
          'PW updateLiveActivity {"elapsedSeconds":1}' \\
          | pwbridge exec --record $f -- pwbridge call - > /dev/null 2>&1
          pwbridge replay $f; rm $f
          """,
          output: """
                                   messages      same    differ
            PW startLiveActivity          1         1         0
            PW updateLiveActivity         1         1         0
            2 sent, 2 as recorded, 0 differ
            """),
        Example(
          "The guide's code, which never answers stopLiveActivity",
          """
          printf '%s\\n' '{"seq":0,"t_us":0,"dir":"dart->native","channel":"PW","id":0,\
          "kind":"message","hex":"071073746f704c697665416374697669747900"}' \\
          '{"seq":1,"t_us":9,"dir":"native->dart","channel":"PW","id":0,"kind":"reply",\
          "hex":"0000"}' | pwbridge replay --handler guide -
          """,
          output: """
            line 1: PW stopLiveActivity
              $: recorded success null, now no answer (dropped)
                Dart sees it

                                 messages      same    differ
            PW stopLiveActivity         1         0         1
            1 sent, 0 as recorded, 1 differs
            to take what came for what is right: --update
            """, exitCode: 1),
        Example(
          "A rule that is none", "pwbridge replay --ignore 'PW.*: token' session.jsonl",
          complaint: """
            pwbridge: --ignore "PW.*: token": a path begins with $, as in $.token or $.items[*].id
            try: pwbridge help replay
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try ReplayRun(invocation).run()
  }
}
