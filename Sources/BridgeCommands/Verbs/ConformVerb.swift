import CommandLineFlags

extension Verb {
  /// `pwbridge conform`: any codec against the vectors.
  static let conform = Verb(
    Command(
      "conform",
      summary: "test any implementation of Flutter's codecs, byte by byte",
      purpose: """
        Asks a testee to decode, encode and do both, and compares the answers with the vectors in \
        this program. The testee is a command behind -- that reads requests on its standard input \
        and writes answers to its standard output; without one it is this program's own codec. \
        Protocol/conformance.md says how to write one, which takes some fifty lines, and shows one \
        in Python.

        Required cases are those on which Dart, Android, iOS and Linux agree; one that fails makes \
        the exit code 1. Recommended ones are told and do not count, unless --strict says so. With \
        --profile the behaviour of one platform is expected, the odd parts included.

        A testee that ends or hangs is started again; the request that did it gets the blame, and \
        the run goes on.
        """,
      usage: ["[FLAGS] [-- COMMAND...]", "--html FILE --compare FILE..."],
      operands: Operands("COMMAND", count: 0...Int.max, kind: .files, endWithProgram: true),
      examples: [
        Example(
          "Which cases there are", "pwbridge conform --list --only 'standard.bool.*'",
          output: """
            standard.bool.true.decode
            standard.bool.true.encode
            standard.bool.true.roundtrip
            standard.bool.false.decode
            standard.bool.false.encode
            standard.bool.false.roundtrip
            """),
        Example(
          "A testee that does nothing yet: the place to begin",
          """
          pwbridge conform --only 'standard.bool.*' --requests words -- \\
          sh -c 'while read id rest; do echo "$id skipped not yet"; done' | head -n 4
          """,
          output: """
                               required recommended
            area             pass  fail  pass  fail  skip
            standard-values     .     .     .     .     6
            total               .     .     .     .     6
            """),
        Example(
          "A command that is not there", "pwbridge conform -- no-such-program",
          complaint: "pwbridge: cannot start no-such-program: No such file or directory",
          exitCode: 2),
        Example(
          "A list to rewrite, but which one?", "pwbridge conform --fix",
          complaint: """
            pwbridge: --fix rewrites a list; say which with --known-failures FILE
            try: pwbridge help conform
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try ConformRun(invocation).run()
  }
}
