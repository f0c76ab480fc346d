import CommandLineFlags

extension Verb {
  /// `pwbridge convert`: between the two forms of a recording.
  static let convert = Verb(
    Command(
      "convert",
      summary: "rewrite a recording as text or binary",
      purpose: """
        Reads a recording of either form and writes it to TO: in binary where the name ends in \
        .pwrec, else as text, one JSON object a line. Nothing is lost on the way, so that a \
        recording that was converted there and back is the same byte for byte, as long as its \
        lines are laid out as they are written here. - stands for standard input and output; on \
        standard output characters that could steer a terminal are escaped, as JSON allows.

        TO appears whole or not at all, and may be FROM. A file that is there is replaced by a new \
        one with its mode.

        An entry that was cut off at the end, as by a recorder that was killed, is reported and \
        left out. Any other entry that cannot be read ends the conversion with its line and the \
        reason, unless --skip-errors is given.
        """,
      usage: ["[FLAGS] FROM TO"],
      operands: Operands("FILE", count: 2...2, kind: .files),
      examples: [
        Example(
          "A line written by hand, as recordings have it",
          """
          echo '{"channel":"PW","id":7,"dir":"dart->native","kind":"message","hex":\
          "07057374617274 00"}' | tr -d ' ' | pwbridge convert - -
          """,
          output: """
            {"seq":0,"t_us":0,"dir":"dart->native","channel":"PW","id":7,"kind":"message",\
            "hex":"0705737461727400"}
            """),
        Example(
          "To binary and back, with the readable decoding",
          """
          echo '{"channel":"PW","id":7,"dir":"native->dart","kind":"reply","hex":"0000"}' \
          | pwbridge convert --form binary - - \
          | pwbridge convert --shown new --channel-codec PW=standard-method - - | tail -n 1
          """,
          output: """
            {"seq":0,"t_us":0,"dir":"native->dart","channel":"PW","id":7,"kind":"reply",\
            "hex":"0000","shown":"success null"}
            """),
        Example(
          "A line that is wrong",
          """
          echo '{"channel":"PW","id":7,"dir":"native->dart","kind":"reply","hex":"00x0"}' \
          | pwbridge convert - -
          """,
          complaint: """
            pwbridge: standard input, line 1, column 69: "hex" has x, which is no \
            hexadecimal digit
            """, exitCode: 1),
      ])
  ) { invocation throws(CommandFailure) in
    var run = ConvertRun(
      invocation.options.recording, invocation.operands, invocation.console)
    try run.run()
  }
}
