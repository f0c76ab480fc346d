import ChannelRecordings
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// One reading of a recording from end to end, with what is wrong with it told on standard error.
struct RecordingPass {
  /// Malformed entries that are told one by one.
  private static let mostComplaints = 20

  let path: String
  let console: Console
  private(set) var malformed: UInt64 = 0
  /// Of the recording; known once it has been opened.
  private(set) var form = RecordingForm.text

  init(_ path: String, _ console: Console) {
    self.path = path
    self.console = console
  }

  var name: String { path == "-" ? "standard input" : path }

  /// Hands all entries to `body`, with their line or byte.
  ///
  /// - Parameter isFirst: whether to tell what is wrong; a second reading finds the same.
  /// - Returns: the header, if there is one.
  @discardableResult
  mutating func read(
    isFirst: Bool = true,
    _ body: (RecordedEvent, UInt64) throws(RecordingError) -> Void
  ) throws(CommandFailure) -> RecordingHeader? {
    do throws(RecordingError) {
      let reader =
        path == "-"
        ? try RecordingReader(descriptor: 0, name: name, closes: false)
        : try RecordingReader(path: path)
      form = reader.form
      var progress = ProgressLine(total: reader.size)
      defer { progress.finish() }
      var count: UInt64 = 0
      while true {
        let event: RecordedEvent
        do throws(RecordingError) {
          guard let next = try reader.next() else { break }
          event = next
        } catch {
          if error.isFatal { throw error }
          if isFirst { complain(error, &progress) }
          continue
        }
        try body(event, Self.number(reader.place))
        count &+= 1
        if count & 0xfff == 0 { progress.update(reader.byteOffset) }
      }
      progress.finish()
      if isFirst {
        if let torn = reader.tornTail { say("\(name), \(torn.description)") }
        if malformed > UInt64(Self.mostComplaints) {
          say("\(malformed - UInt64(Self.mostComplaints)) more entries cannot be read")
        }
      }
      return reader.header
    } catch {
      throw Self.failure(error, name)
    }
  }

  /// What to end with when a recording was read and entries of it could not be.
  func end() throws(CommandFailure) {
    if malformed > 0 { throw .ended(1) }
  }

  static func failure(_ error: RecordingError, _ name: String) -> CommandFailure {
    if error.problem == .system { return .trouble(error.description) }
    guard error.place != nil, error.problem != .notARecording else {
      return .checkFailed(error.text)
    }
    return .checkFailed("\(name), \(error.description)")
  }

  private mutating func complain(_ error: RecordingError, _ progress: inout ProgressLine) {
    malformed += 1
    guard malformed <= Self.mostComplaints else { return }
    progress.finish()
    say("\(name), \(error.description)")
  }

  private func say(_ text: String) {
    console.complain("\(BridgeProgram.grammar.program): \(text.safeForTerminal)")
  }

  private static func number(_ place: RecordingError.Place) -> UInt64 {
    switch place {
    case .line(let line, _): line
    case .byte(let offset): offset
    }
  }
}
