import CommandLineFlags

extension Verb {
  /// `pwbridge export`: a recording for other programs to show.
  static let export = Verb(
    Command(
      "export",
      summary: "write a recording as a trace or as packets",
      purpose: """
        Turns a recording into what other programs show: with --trace the trace-event JSON that \
        https://ui.perfetto.dev and chrome://tracing draw, with --pcapng packets for Wireshark, \
        whose dissector is in Protocol/wireshark. Both may be given. The recording is read \
        twice, in memory that does not grow with it, so it has to be a file.
        """,
      usage: ["[--trace PATH] [--pcapng PATH] FILE"],
      operands: Operands("FILE", count: 1...1, kind: .files),
      examples: [
        Example(
          "A slice of a real app",
          """
          pwbridge export --trace - Tests/Fixtures/captures/desktop-app.jsonl \\
          | grep -o '"message":"Clipboard.getData.*' | head -n 1
          """,
          output: """
            "message":"Clipboard.getData 'text/plain'","reply":"success {text: 'Hello, World23'}"}},
            """),
        Example(
          "Packets begin as every pcapng file does",
          """
          pwbridge export --pcapng - Tests/Fixtures/captures/desktop-app.jsonl | od -An -tx1 -N 4
          """,
          output: " 0a 0d 0d 0a"),
        Example(
          "Without a form to write", "pwbridge export Tests/Fixtures/captures/desktop-app.jsonl",
          complaint: """
            pwbridge: nothing to write: give --trace PATH or --pcapng PATH
            try: pwbridge help export
            """, exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    var run = ExportRun(invocation)
    try run.run()
  }
}
