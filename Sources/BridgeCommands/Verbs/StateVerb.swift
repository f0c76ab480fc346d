import CommandLineFlags

extension Verb {
  /// `pwbridge state`: the activities of a device.
  static let state = Verb(
    Command(
      "state",
      summary: "print the Live Activities of a device",
      purpose: """
        Asks a server, through the channel pwbridge/control, for the activities of a device: which \
        states they are in, what they show and since when. Without --device the device is a fresh \
        one, so it has none.
        """,
      usage: ["[--socket PATH] [--device NAME] [--json]"],
      operands: .none,
      examples: [
        Example(
          "After a start on a device that stays",
          """
          pwbridge exec -o clock=stepped -- sh -c 'pwbridge call -d phone PW startLiveActivity \\
          {\\\"elapsedSeconds\\\":65} > /dev/null; pwbridge state -d phone'
          """,
          output: """
            1  active  6078BF18-0FF8-432F-911F-5A75F7215B2A  StopwatchWidgetAttributes {elapsedTime: 65}
               shows 01:05, started 0s ago by app, 0 updates, in the Dynamic Island
            """, complaint: "pwbridge: 1 call"),
        Example("A fresh device has none", "pwbridge state", output: "no activities"),
        Example("The same for programs", "pwbridge state --json", output: "[]"),
        Example(
          "No server there", "pwbridge state --socket nowhere",
          complaint: "pwbridge: nowhere: connecting: No such file or directory", exitCode: 2),
      ])
  ) { invocation throws(CommandFailure) in
    try StateRun(invocation).run()
  }
}
