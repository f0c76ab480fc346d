import ChannelRecordings
import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let mock = Flag.path(
    FlagDeclaration(
      "mock", variable: "FILE", category: .mocking,
      summary: "Let a recording play the native side",
      details: """
        A message from Dart gets its recorded answer, and what native code sent comes at its \
        recorded place. Each device plays the recording from its start. At the end the entries \
        that no device has used are named; with --strict they, and messages that were not in the \
        recording, make the exit code 1. The whole recording is held in memory, \
        of which it may take 1 GiB.
        """,
      commands: mockCommands),
    dash: .refused,
    assign: { $0.serving.mock.path = $1 })

  static let mode = Flag.choice(
    FlagDeclaration(
      "mode", variable: "MODE", category: .mocking,
      summary: "What --mock does with messages that are not in the recording", fallback: "none",
      commands: mockCommands),
    of: MockOptions.Mode.self,
    summary: { mode in
      switch mode {
      case .none: "they are refused, with the nearest recorded message"
      case .once: "as none, but a recording that is missing or empty is made"
      case .newEpisodes: "the device answers them, and they are recorded behind the rest"
      case .all: "the device answers all messages, and the recording is made anew"
      }
    },
    assign: { $0.serving.mock.options.mode = $1 })

  static let match = Flag.choice(
    FlagDeclaration(
      "match", variable: "WHAT", category: .mocking,
      summary: "When --mock takes a message for a recorded one", fallback: "dart",
      commands: mockCommands),
    of: MockOptions.Match.self,
    summary: { match in
      switch match {
      case .bytes: "channel and bytes are the same"
      case .dart: "channel, method and arguments are the same to Dart, the same bytes preferred"
      }
    },
    assign: { $0.serving.mock.options.match = $1 })

  static let order = Flag.choice(
    FlagDeclaration(
      "order", variable: "ORDER", category: .mocking,
      summary: "In which order --mock wants the recorded messages", fallback: "any",
      commands: mockCommands),
    of: MockOptions.Order.self,
    summary: { order in
      switch order {
      case .recorded: "the next message must be the next recorded one"
      case .any: "of equal messages the first that has not been used"
      }
    },
    assign: { $0.serving.mock.options.order = $1 })

  static let timing = Flag.choice(
    FlagDeclaration(
      "timing", variable: "WHAT", category: .mocking,
      summary: "When --mock sends what native code sent", fallback: "place",
      commands: mockCommands),
    of: MockOptions.Timing.self,
    summary: { timing in
      switch timing {
      case .place: "after as many messages from Dart as in the recording"
      case .time: "as late as in the recording, by the device's clock; answers as well"
      }
    },
    assign: { $0.serving.mock.options.timing = $1 })

  static let reuse = Flag.toggle(
    FlagDeclaration(
      "reuse", category: .mocking,
      summary: "Let --mock use a recorded message again once all like it are used",
      commands: mockCommands),
    set: { $0.serving.mock.options.reuses = true })

  private static var mockCommands: [String] { ["serve", "exec"] }
}
