import CommandLineFlags

extension Verb {
  /// `pwbridge call`: one call, or several to one device.
  static let call = Verb(
    Command(
      "call",
      summary: "call a method of the native side and print the reply",
      purpose: """
        Sends a method call, with arguments in typed or plain JSON, and prints the result as typed \
        JSON. It asks the server of --socket or PWBRIDGE_SOCKET, or else a fresh device in this \
        process. With - it reads lines `CHANNEL METHOD [JSON]` from standard input and sends them \
        one after the other to the same device; empty lines and lines that begin with # are passed \
        over.

        Warnings of the device and its messages to Dart go to standard error. An error envelope is \
        printed as {"error":...} and makes the exit code 1, as does a call that brings no \
        result.
        """,
      usage: ["[FLAGS] CHANNEL METHOD [JSON]", "[FLAGS] -"],
      operands: Operands("CHANNEL METHOD [JSON]", count: 1...3),
      examples: [
        Example(
          "Start a Live Activity",
          #"pwbridge call PW startLiveActivity '{"elapsedSeconds":0}'"#, output: #"{"null":null}"#),
        Example(
          "The guide's error for arguments that are no map",
          "pwbridge call --plain PW startLiveActivity '[1]'",
          output: """
            {"error":{"code":"418","message":"Live activity didn't invoked","details":null}}
            """, exitCode: 1),
        Example(
          "Nine hours on one device, whose clock is stepped; the system ends an activity after eight",
          """
          printf '%s\\n' 'PW startLiveActivity {"elapsedSeconds":0}' \\
          'pwbridge/control clock.advance {"by":"9h"}' 'PW updateLiveActivity {"elapsedSeconds":1}' \\
          | pwbridge call --plain -o clock=stepped -o start-time=0 - | cut -c 1-89
          """,
          output: """
            null
            {"mode":"stepped","microseconds":32400000000,"time":"1970-01-01T09:00:00Z","nextAlarm":"1
            {"error":{"code":"418","message":"Live activity didn't updated: the activity has ended; s
            """),
        Example(
          "A method that the guide's code never answers",
          "pwbridge call --handler guide PW stopLiveActivity 2>&1 | tail -n 1",
          output: """
            pwbridge: PW stopLiveActivity: dropped: the handler let go of its reply without \
            answering; on a device the Future in Dart stays pending for ever
            """),
        Example(
          "A mistyped method", "pwbridge call PW stopLiveActivty",
          complaint: """
            warning: PW: no method "stopLiveActivty", so Dart throws a \
            MissingPluginException; did you mean stopLiveActivity?
            pwbridge: PW stopLiveActivty: not implemented; Dart throws a MissingPluginException
            """, exitCode: 1),
      ])
  ) { invocation throws(CommandFailure) in
    let operands = invocation.operands
    if operands.contains("-") {
      guard operands.count == 1 else {
        throw .usage(.other("- stands for calls in standard input; give it alone"))
      }
      let run = try CallRun(invocation)
      defer { run.close() }
      return try run.runLines()
    }
    let request = try CallRequest(operands)
    let run = try CallRun(invocation)
    defer { run.close() }
    try run.run(request)
  }
}
