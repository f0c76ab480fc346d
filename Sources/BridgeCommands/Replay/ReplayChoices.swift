import ChannelRecordings
import CommandLineFlags
import TerminalSafety

/// What the flags of `replay` and `diff` say.
struct ReplayChoices: Sendable {
  var channels: [Glob] = []
  var rules: [IgnoreRule] = []
  var matching = MessageComparer.Matching.bytes
  var speed = 0.0
  var junit: String?
  var updates = false

  /// Mismatches that are told one by one.
  static let mostTold: UInt64 = 50

  func comparer(_ recording: RecordingChoices, _ header: RecordingHeader?) -> MessageComparer {
    var codecs = header?.codecs ?? ChannelCodecMap()
    for entry in recording.codecs.entries { codecs[entry.channel] = entry.codec }
    return MessageComparer(codecs: codecs, rules: rules)
  }

  /// Opens a recording; `-` is standard input.
  static func open(
    _ path: String, keepsShown: Bool = false
  ) throws(CommandFailure) -> RecordingReader {
    let options = RecordingReader.Options(keepsShown: keepsShown)
    do throws(RecordingError) {
      return path == "-"
        ? try RecordingReader(
          descriptor: 0, name: "standard input", closes: false, options: options)
        : try RecordingReader(path: path, options: options)
    } catch {
      throw .trouble(error.description)
    }
  }
}

extension RecordingReader {
  /// The end of the recording in words, where it is torn.
  func tellTornTail(_ console: Console) {
    if let tornTail { console.complain("pwbridge: \(name.safeForTerminal), \(tornTail)") }
  }
}
