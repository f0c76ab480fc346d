import ChannelRecordings
import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let channel = Flag.text(
    FlagDeclaration(
      "channel", variable: "GLOB", category: .comparing,
      summary: "Only these channels; may be repeated",
      details: "* stands for any characters and ? for one: `xyz.luan/*`.",
      commands: ["replay", "diff"]),
    assign: { (options, text) throws(FlagRefusal) in
      guard !text.isEmpty else { throw FlagRefusal("expected a channel's name, or * for all") }
      options.replaying.channels.append(Glob(text))
    })

  static let ignore = Flag.text(
    FlagDeclaration(
      "ignore", variable: "RULE", category: .comparing,
      summary: "What may differ; may be repeated",
      details: """
        CHANNEL.METHOD: PATH, such as `PW.start*: $.token`, `*: $.items[*].id`, `*: $..time`. The \
        path begins at the result, the arguments or the event; the parts of an error are \
        $.error.code, $.error.message and $.error.details. Without a path all may differ, and \
        messages from native code may be missing or new.
        """,
      commands: ["replay", "diff"]),
    assign: { (options, text) throws(FlagRefusal) in
      do throws(PatternError) {
        options.replaying.rules.append(try IgnoreRule(text))
      } catch {
        throw FlagRefusal(error.text)
      }
    })

  static let asDart = Flag.toggle(
    FlagDeclaration(
      "as-dart", category: .comparing,
      summary: "Let differences pass that Dart does not see",
      details: """
        Such as the width of an integer, the order of a map, or how a size is written. Without the \
        flag answers have to be the same byte for byte.
        """,
      commands: ["replay", "diff"]),
    set: { $0.replaying.matching = .dart })

  static let speed = Flag.text(
    FlagDeclaration(
      "speed", variable: "FACTOR", category: .comparing,
      summary: "1 keeps the recorded pace, 10 is ten times as fast, 0 makes no pauses",
      fallback: "0", commands: ["replay"]),
    assign: { (options, text) throws(FlagRefusal) in
      let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
      guard isDecimal, let speed = Double(text), speed <= 1_000_000 else {
        throw FlagRefusal("expected a number such as 1, 10 or 0.5, or 0 for no pauses")
      }
      options.replaying.speed = speed
    })

  static let junit = Flag.path(
    FlagDeclaration(
      "junit", variable: "FILE", category: .comparing,
      summary: "Write the outcome as JUnit XML, a test case for each method",
      details: "`-` is standard output; the report then goes to standard error.",
      commands: ["replay"]),
    dash: .standardOutput,
    assign: { $0.replaying.junit = $1 })

  static let update = Flag.toggle(
    FlagDeclaration(
      "update", category: .comparing,
      summary: "Put what came into the recording in place of what was recorded",
      details: """
        The file is replaced at once when all has been replayed. Messages of Dart, times and \
        ignored differences stay; what was not recorded at all goes to the end.
        """,
      commands: ["replay"]),
    set: { $0.replaying.updates = true })
}
