import CommandLineFlags

extension Verb {
  /// `pwbridge demo`: a stopwatch conversation over real bytes.
  static let demo = Verb(
    Command(
      "demo",
      summary: "watch a stopwatch app talk to the native side",
      purpose: """
        Starts `pwbridge serve` as another process and plays the Dart side of the guide's \
        stopwatch over its pipes: start, an update a second for a minute, three mistakes, stop. \
        For each call it prints the bytes both ways, what they mean and what the phone shows. The \
        device's clock is stepped, so that every run prints the same.
        """,
      usage: ["[--handler HANDLER]"],
      operands: .none,
      examples: [
        Example(
          "The first call", "pwbridge demo | sed -n '/taps Start/,/phone/p'",
          output: """
            The person taps Start.
              PW startLiveActivity {elapsedSeconds: 0}
              sent   07 11 73 74 61 72 74 4c 69 76 … 64 73 03 00 00 00 00  (42 bytes)
              reply  00 00  (2 bytes)
              means  success null
              phone  Lock Screen 00:00, active
            """),
        Example(
          "What the phone showed", "pwbridge demo | grep phone",
          output: """
              phone  Lock Screen 00:00, active
              phone  Lock Screen 00:01, active
              phone  Lock Screen 01:00, active
              phone  Lock Screen 00:00, active
              phone  Lock Screen 00:00, active
              phone  nothing on screen
              phone  nothing on screen
            """),
        Example(
          "The guide's own code leaves Dart waiting",
          "pwbridge demo --handler guide | tail -n 1",
          output: "65 calls, 1 reply, 64 never answered"),
      ])
  ) { invocation throws(CommandFailure) in
    try DemoRun(invocation).run()
  }
}
