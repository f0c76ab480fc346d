import ChannelRecordings
import ChannelRouter
import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let record = Flag.path(
    FlagDeclaration(
      "record", variable: "FILE", category: .recording,
      summary: "Record all messages and answers in FILE",
      details: """
        Protocol/recording.md has the format: text, or binary where the name ends in .pwrec. A \
        file that is there is replaced; with a + before the name the new entries go behind its \
        own. Every entry is in the file before its message goes on. When the disk is full the \
        recording ends with a message, and nothing else does; the exit code is then 2, unless it \
        is another one already.
        """,
      commands: ["record", "serve", "exec"]),
    dash: .refused,
    assign: { (options, text) throws(FlagRefusal) in
      let path = text.hasPrefix("+") ? String(text.dropFirst()) : text
      guard !path.isEmpty else { throw FlagRefusal("expected a file") }
      guard path != "-" else { throw .dash }
      options.recording.path = path
      options.recording.appends = text.hasPrefix("+")
    })

  static let shown = Flag.choice(
    FlagDeclaration(
      "shown", variable: "WHAT", category: .recording,
      summary: "What becomes of the readable decoding beside the bytes",
      details: """
        Programs do not read it. A recorder makes it unless told none, and convert leaves it as it \
        is unless told otherwise.
        """,
      commands: ["convert", "record", "serve", "exec"]),
    of: RecordingChoices.Shown.self,
    summary: { shown in
      switch shown {
      case .keep: "as it is in the recording that is read"
      case .new: "made anew"
      case .none: "left out"
      }
    },
    assign: { $0.recording.shown = $1 })

  static let channelCodec = Flag.text(
    FlagDeclaration(
      "channel-codec", variable: "CHANNEL=CODEC", category: .recording,
      summary: "What a channel of a recording speaks; may be repeated",
      details: """
        CODEC is standard-method, standard-message, json-method, json-message, string or binary. \
        Channels without are judged by all that goes over them.
        """,
      commands: ["convert", "record", "serve", "exec", "replay", "diff", "inspect", "export"]),
    assign: { (options, text) throws(FlagRefusal) in
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      let name = parts.dropLast().joined(separator: "=")
      guard parts.count > 1, !name.isEmpty,
        let codec = parts.last.flatMap({ ChannelCodecKind(rawValue: String($0)) })
      else {
        let known = ChannelCodecKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw FlagRefusal("expected CHANNEL=CODEC with one of \(known)")
      }
      options.recording.codecs[ChannelName(name)] = codec
    })

  static let listen = Flag.path(
    FlagDeclaration(
      "listen", variable: "PATH", category: .recording,
      summary: "The Unix socket on which to wait for clients",
      details: "Without it the client is at standard input and output.", commands: ["record"]),
    dash: .refused,
    assign: { $0.recording.listen = $1 })

  static let to = Flag.path(
    FlagDeclaration(
      "to", variable: "PATH", category: .recording,
      summary: "The Unix socket of the server",
      commands: ["record", "replay"]),
    dash: .refused,
    assign: { $0.recording.target = $1 })

  static let form = Flag.choice(
    FlagDeclaration(
      "form", variable: "FORM", category: .recording,
      summary: "How to write the recording, whatever the end of its name", commands: ["convert"]),
    of: RecordingForm.self,
    summary: { form in
      switch form {
      case .text: "JSON Lines"
      case .binary: "packed, for large sessions"
      }
    },
    assign: { $0.recording.form = $1 })

  static let skipErrors = Flag.toggle(
    FlagDeclaration(
      "skip-errors", category: .recording,
      summary: "Go on behind entries that cannot be read",
      details: "Each is reported, and the exit code is 1.", commands: ["convert"]),
    set: { $0.recording.skipsErrors = true })
}
