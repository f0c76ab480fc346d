import ChannelRecordings
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// One run of `pwbridge convert`.
struct ConvertRun {
  private let choices: RecordingChoices
  private let console: Console
  private let from: String
  private let to: String
  private var errors = 0

  init(_ choices: RecordingChoices, _ operands: [String], _ console: Console) {
    self.choices = choices
    self.console = console
    from = operands.first ?? "-"
    to = operands.last ?? "-"
  }

  mutating func run() throws(CommandFailure) {
    let reader = try open()
    let codecs = try codecs(of: reader)
    let header = header(of: reader, codecs)
    let form = choices.form ?? (to == "-" ? .text : RecordingForm(path: to))
    if to == "-" {
      let writer = try recording { () throws(RecordingError) in
        try RecordingWriter(
          descriptor: 1, name: "standard output", closes: false, form: form, header: header,
          options: .init(gatheredBytes: 256 << 10, isForTerminals: true))
      }
      try convert(reader, writer, codecs)
    } else if FileReplacement.isPossible(at: to) {
      try replaceFile(reader, form, header, codecs)
    } else {
      // A device or a pipe is written to.
      let writer = try recording { () throws(RecordingError) in
        try RecordingWriter(
          path: to, form: form, mode: .replacing, header: header,
          options: .init(gatheredBytes: 256 << 10, isForTerminals: true))
      }
      try convert(reader, writer, codecs)
    }
    if errors > 0 {
      let entries = errors == 1 ? "1 entry was" : "\(errors) entries were"
      throw .checkFailed("\(entries) left out")
    }
  }

  /// A file appears whole or not at all, and may be the one that is read.
  private mutating func replaceFile(
    _ reader: RecordingReader, _ form: RecordingForm, _ header: RecordingHeader?,
    _ codecs: ChannelCodecMap
  ) throws(CommandFailure) {
    let file: FileReplacement
    do throws(SystemCalls.Failure) {
      file = try FileReplacement(of: to)
    } catch {
      throw .trouble("cannot make a file beside \(to.quotedForTerminal): \(error.text)")
    }
    defer { file.discard() }
    let writer = try recording { () throws(RecordingError) in
      try RecordingWriter(
        descriptor: file.descriptor, name: to, closes: true, form: form, header: header,
        options: .init(gatheredBytes: 256 << 10))
    }
    try convert(reader, writer, codecs)
    do throws(SystemCalls.Failure) {
      try file.commit()
    } catch {
      throw .trouble("\(to.quotedForTerminal): \(error.text)")
    }
  }

  private func open() throws(CommandFailure) -> RecordingReader {
    let options = RecordingReader.Options(keepsShown: choices.shown ?? .keep == .keep)
    return try recording { () throws(RecordingError) in
      if from == "-" {
        return try RecordingReader(
          descriptor: 0, name: "standard input", closes: false, options: options)
      }
      return try RecordingReader(path: from, options: options)
    }
  }

  /// The codecs that are given, or known from the header, or found out by a reading of its own:
  /// what all of a recording says counts for more than what its beginning does.
  private func codecs(of reader: RecordingReader) throws(CommandFailure) -> ChannelCodecMap {
    var codecs = reader.header?.codecs ?? ChannelCodecMap()
    for entry in choices.codecs.entries { codecs[entry.channel] = entry.codec }
    guard choices.shown == .new, from != "-" else { return codecs }
    let first = try open()
    var guess = ChannelCodecGuess()
    try each(first, reports: false) { (event) throws(RecordingError) in guess.add(event) }
    return guess.codecs(given: codecs)
  }

  /// The header that was read, with the codecs. A capture without one stays so unless codecs are
  /// given.
  private func header(
    of reader: RecordingReader, _ codecs: ChannelCodecMap
  ) -> RecordingHeader? {
    if reader.header == nil, choices.codecs.entries.isEmpty { return nil }
    var header = reader.header ?? RecordingHeader()
    if header.codecs != codecs { header.codecs = codecs }
    return header
  }

  private mutating func convert(
    _ reader: RecordingReader, _ writer: RecordingWriter, _ codecs: ChannelCodecMap
  ) throws(CommandFailure) {
    var decoding = choices.shown == .new ? ShownDecoding(codecs: codecs) : nil
    errors = try each(reader, reports: true) { (event) throws(RecordingError) in
      if decoding == nil {
        try writer.append(event)
      } else {
        var event = event
        event.shown = decoding?.shown(of: event)
        try writer.append(event)
      }
    }
    try recording { () throws(RecordingError) in try writer.flush() }
    if let torn = reader.tornTail {
      console.complain("\(BridgeProgram.grammar.program): \(torn.description)")
    }
  }

  /// Reads all entries; answers with how many were passed over.
  @discardableResult
  private func each(
    _ reader: RecordingReader, reports: Bool,
    _ body: (RecordedEvent) throws(RecordingError) -> Void
  ) throws(CommandFailure) -> Int {
    var progress = ProgressLine(total: reader.size)
    defer { progress.finish() }
    var count = 0
    var passedOver = 0
    while true {
      let event: RecordedEvent
      do throws(RecordingError) {
        guard let next = try reader.next() else { return passedOver }
        event = next
      } catch {
        progress.finish()
        if error.isFatal || !choices.skipsErrors { throw failure(error) }
        passedOver += 1
        if reports {
          console.complain(
            "\(BridgeProgram.grammar.program): \(name(error).safeForTerminal)")
        }
        continue
      }
      try recording { () throws(RecordingError) in try body(event) }
      count &+= 1
      if count & 0xfff == 0 { progress.update(reader.byteOffset) }
    }
  }

  private func recording<Result>(
    _ body: () throws(RecordingError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(RecordingError) {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: RecordingError) -> CommandFailure {
    error.problem == .system ? .trouble(error.description) : .checkFailed(name(error))
  }

  private func name(_ error: RecordingError) -> String {
    guard error.place != nil, error.problem != .notARecording else { return error.text }
    return "\(from == "-" ? "standard input" : from), \(error.description)"
  }
}
