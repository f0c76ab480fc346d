import CommandLineFlags

extension Verb {
  /// `pwbridge diff`: two recordings compared.
  static let diff = Verb(
    Command(
      "diff",
      summary: "compare two recordings call by call",
      purpose: """
        Aligns the calls of two recordings by channel, method and arguments, so that a call that \
        is missing or new does not make all behind it differ, and compares messages and answers by \
        structure. Times, ids and readable decodings do not count, and the two may be in different \
        forms.

        Lines begin with ! for a call that changed, - for one that only A has, + for one that only \
        B has, and > for one that moved. Calls are aligned within 512 calls around. The exit \
        code is 0 without any difference and 1 otherwise.
        """,
      usage: ["[FLAGS] A B"],
      operands: Operands("A B", count: 1...Int.max, kind: .files),
      examples: [
        Example(
          "An answer that changed, and a call that went away",
          """
          a=$(mktemp) && b=$(mktemp) && printf '%s\\n' \\
          '{"seq":0,"t_us":0,"dir":"dart->native","channel":"PW","id":0,"kind":"message",\
          "hex":"070573746172740d0107016e0300000000"}' \\
          '{"seq":1,"t_us":5,"dir":"native->dart","channel":"PW","id":0,"kind":"reply",\
          "hex":"000301000000"}' \\
          '{"seq":2,"t_us":9,"dir":"dart->native","channel":"PW","id":1,"kind":"message",\
          "hex":"070473746f7000"}' > $a
          head -n 2 $a | sed s/000301/000302/ > $b
          pwbridge diff $a $b; rm $a $b
          """,
          output: """
            ! line 1, line 1: PW start {n: 0}
              answer $: recorded 1, now 2
                Dart sees it
            - line 3: PW stop
            0 calls the same, 1 changed, 1 only in the first
            """),
        Example(
          "The same conversation in both forms",
          """
          d=$(mktemp -d) && pwbridge exec --record $d/a.jsonl -- pwbridge call PW defaultSetup \
          2> /dev/null && pwbridge convert $d/a.jsonl $d/a.pwrec && pwbridge diff $d/a.jsonl \
          $d/a.pwrec && echo no difference; rm -r $d
          """,
          output: """
            {"null":null}
            no difference
            """),
        Example(
          "One recording is not enough", "pwbridge diff session.jsonl",
          complaint: """
            pwbridge: diff compares two recordings: pwbridge diff A B
            try: pwbridge help diff
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try DiffRun(invocation).run()
  }
}
