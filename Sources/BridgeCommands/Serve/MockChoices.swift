import ChannelRecordings
import ChannelTransport
import CommandLineFlags
import SystemInterface
import TerminalSafety

/// What the flags about mocks say.
struct MockChoices: Sendable {
  var path: String?
  var options = MockOptions()

  /// Opens the recording; nil without `--mock`.
  ///
  /// - Parameters:
  ///   - codecs: of channels whose codec is known.
  ///   - device: what the device has, for the header of a recording that is made.
  func makePlayer(
    codecs: ChannelCodecMap = ChannelCodecMap(), device: [Hello.Option]
  ) throws(CommandFailure) -> MockPlayer? {
    guard let path else { return nil }
    let header = RecordingHeader(
      startMicroseconds: SystemCalls.wallClockMicroseconds(), software: BridgeProgram.versionLine,
      codecs: codecs, options: device.map { RecordingHeader.Option($0.name, $0.value) })
    do throws(RecordingError) {
      return try MockPlayer(
        path: path, options: options, codecs: codecs, header: header,
        nanoseconds: SystemCalls.monotonicNanoseconds)
    } catch {
      let name = error.problem == .system ? "" : "\(path.quotedForTerminal): "
      throw .trouble(name + error.description.safeForTerminal)
    }
  }
}
