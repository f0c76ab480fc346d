import ChannelRecordings
import ChannelTransport
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// What the flags about recordings say.
struct RecordingChoices: Sendable {
  enum Shown: String, CaseIterable, Sendable {
    case keep
    case new
    case none
  }

  var path: String?
  var appends = false
  var shown: Shown?
  var codecs = ChannelCodecMap()
  var listen: String?
  var target: String?
  var form: RecordingForm?
  var skipsErrors = false

  /// Opens the file that `--record` names; nil without the flag.
  ///
  /// - Parameters:
  ///   - options: of the device that is recorded.
  ///   - say: gets a line about a torn end that was cut off.
  func makeWriter(
    options: [Hello.Option], say: (String) -> Void
  ) throws(CommandFailure) -> RecordingWriter? {
    guard let path else { return nil }
    let header = RecordingHeader(
      startMicroseconds: SystemCalls.wallClockMicroseconds(),
      software: BridgeProgram.versionLine, codecs: codecs,
      options: options.map { RecordingHeader.Option($0.name, $0.value) })
    do throws(RecordingError) {
      let writer = try RecordingWriter(
        path: path, mode: appends ? .appending : .replacing, header: header)
      if let torn = writer.repairedTail {
        say("\(path.safeForTerminal): \(torn.description)")
      }
      return writer
    } catch {
      throw .trouble("cannot record: \(error.description)")
    }
  }

  var showsDecodings: Bool { shown != .some(.none) }
}
