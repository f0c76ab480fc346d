import ChannelRouter
import SystemInterface

/// A recording that plays the native side for the devices of a server, and the file that new
/// messages are recorded to.
///
/// Every device plays the recording from its start; what is unused is counted over all of them.
/// Belongs to the platform thread.
public final class MockPlayer {
  public let recording: MockRecording
  public let options: MockOptions
  public let usage: MockUsage
  /// nil where nothing is recorded.
  public let episodes: EpisodeRecorder?

  /// Opens a recording as the mode says.
  ///
  /// - Parameters:
  ///   - path: a recording in either form. Modes that record make it where it is missing.
  ///   - codecs: of channels whose codec is known; others are guessed.
  ///   - header: for a recording that is made.
  ///   - nanoseconds: a monotonic clock, for the times of what is recorded.
  /// - Throws: what is wrong with the recording, or why it cannot be written on.
  public init(
    path: String, options: MockOptions, codecs: ChannelCodecMap = ChannelCodecMap(),
    header: RecordingHeader, nanoseconds: @escaping () -> UInt64
  ) throws(RecordingError) {
    let isMade = options.mode != .none && (options.mode == .all || MockPlayer.isMissing(path))
    let recording =
      isMade
      ? MockRecording(name: path, codecs: codecs)
      : try MockRecording(try RecordingReader(path: path), codecs: codecs)
    self.recording = recording
    self.options = options
    usage = MockUsage(recording)
    let records =
      switch options.mode {
      case .none: false
      case .once: recording.expectations.isEmpty
      case .newEpisodes, .all: true
      }
    guard records else {
      episodes = nil
      return
    }
    let writer = try RecordingWriter(
      path: path, mode: options.mode == .all ? .replacing : .appending, header: header)
    episodes = EpisodeRecorder(writer, after: recording, nanoseconds: nanoseconds)
  }

  private static func isMissing(_ path: String) -> Bool {
    do throws(SystemCalls.Failure) {
      SystemCalls.closeDescriptor(try SystemCalls.openForReading(path))
      return false
    } catch {
      return error.isMissing
    }
  }

  /// Lets the recording answer what comes to a messenger, before its handlers.
  ///
  /// - Parameter timer: see ``MockDevice``.
  public func attach(
    to messenger: RoutingMessenger, clock: DeviceClock, timer: @escaping MockDevice.Timer
  ) -> MockDevice {
    MockDevice(
      recording, on: messenger, clock: clock, options: options, usage: usage, episodes: episodes,
      timer: timer)
  }
}
