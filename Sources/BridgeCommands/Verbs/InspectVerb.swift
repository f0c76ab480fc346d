import CommandLineFlags

extension Verb {
  /// `pwbridge inspect`: what is in a recording.
  static let inspect = Verb(
    Command(
      "inspect",
      summary: "show what a recording holds, and what is wrong with it",
      purpose: """
        Reads a recording once, in memory that does not grow with it, and prints a table of its \
        channels and methods: how many messages, their bytes with those of the replies, the \
        largest of them, replies, null replies, errors, messages without an answer, answers \
        behind the first (again), replies that came after that of a later message (late), and \
        how long replies took: the 50th, 90th and 99th percentile, within 3.2 percent, and the \
        longest. Behind a channel stands what it seems to speak, and how sure that is.

        Entries that cannot be read are reported with their line and passed over; the exit code \
        is 1 then.
        """,
      usage: ["[--each-channel] [--json] FILE", "--calls [--json] FILE", "--lint [--strict] FILE"],
      operands: Operands("FILE", count: 1...1, kind: .files),
      examples: [
        Example(
          "The channels of a real app",
          "pwbridge inspect Tests/Fixtures/captures/desktop-app.jsonl | head -n 3",
          output: """
            2,008 messages, 1,772 replies in 76.2s on 20 channels (17 but for ids in names)
            204 null replies, 9 errors, 7 replies out of order
            236 messages without an answer: 1 open at the end, 235 of a kind that never is (events)
            """),
        Example(
          "One line for each call",
          "pwbridge inspect --calls Tests/Fixtures/captures/desktop-app.jsonl | head -n 2",
          output: """
                  8  0.318913s  -> flutter/isolate  42us  no payload
                 10  0.318963s  -> flutter/keyboard getKeyboardState  49us  success {}
            """),
        Example(
          "A number that is now an Integer, now a Long",
          """
          m='{"dir":"dart->native","channel":"p","kind":"message"'
          printf '%s,"id":%s,"hex":"%s"}\\n' \\
          "$m" 1 0701610301000000 "$m" 2 070161040000000001000000 > w.jsonl
          pwbridge inspect --lint w.jsonl | tail -n 1; rm w.jsonl
          """,
          output: """
                line 2: -> p a: int64 here, the other width before at arguments (byte 3)
            """),
        Example(
          "A line that is no entry", "echo '{}' | pwbridge inspect -",
          output: """
            0 messages, 0 replies in 0us on 0 channels

            1 entry could not be read
            """,
          complaint: """
            pwbridge: standard input, line 1: the line lacks "dir", "channel", "id", "kind", "hex"
            """, exitCode: 1),
      ])
  ) { invocation throws(CommandFailure) in
    var run = InspectRun(invocation)
    try run.run()
  }
}
