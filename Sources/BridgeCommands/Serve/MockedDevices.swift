import ChannelRecordings
import ChannelRouter
import ChannelTransport
import CommandLineFlags
import EmulatedDevice
import TerminalSafety

/// The mocks before the devices of a server.
final class MockedDevices {
  private let player: MockPlayer
  private let loop: EventLoop
  private var mocks: [ObjectIdentifier: MockDevice] = [:]
  /// Why nothing more is added to the recording; nil while there is no reason.
  private(set) var failure: RecordingError?

  /// - Parameter complain: gets lines for people.
  init(_ player: MockPlayer, loop: EventLoop, complain: @escaping (String) -> Void) {
    self.player = player
    self.loop = loop
    let name = player.recording.name.quotedForTerminal
    if let torn = player.recording.tornTail { complain("\(name): \(torn)") }
    if player.recording.strayAnswers > 0 {
      complain("\(name): \(player.recording.strayAnswers) answers belong to no message")
    }
    player.episodes?.onFailure = { [unowned self] error in
      failure = error
      complain("recording ends here, the bridge goes on: \(error.description.safeForTerminal)")
    }
  }

  func add(_ device: EmulatedDevice) {
    mocks[ObjectIdentifier(device)] = player.attach(to: device.messenger, clock: device.clock) {
      [loop] span, work in
      let timer = loop.after(span, work)
      return { timer.cancel() }
    }
  }

  func remove(_ device: EmulatedDevice) {
    mocks.removeValue(forKey: ObjectIdentifier(device))?.retire()
  }

  /// A client has been given the device; what comes before its first message follows its greeting.
  func startSoon(_ device: any ServedDevice) {
    guard let mock = mocks[ObjectIdentifier(device)] else { return }
    let box = LoopBound(mock)
    loop.thread.async { box.value.start() }
  }

  func clientEnded(_ number: Int, on device: any ServedDevice) {
    mocks[ObjectIdentifier(device)]?.forgetCalls(ofConnection: number)
  }

  // MARK: - The end

  private static let mostNamed = 20

  /// What has been played, and what has not.
  var summary: [String] {
    var lines = ["mock: \(player.usage.summary)"]
    lines += player.usage.unused(limit: MockedDevices.mostNamed).map { "  unused: \($0)" }
    let more = player.usage.unusedCount - (lines.count - 1)
    if more > 0 { lines.append("  unused: \(more) more") }
    return lines
  }

  /// Why `--strict` is not content; nil if it is.
  var complaint: String? {
    let usage = player.usage
    var parts: [String] = []
    if usage.unusedCount > 0 {
      parts.append(
        usage.unusedCount == 1
          ? "1 entry of the recording was not used"
          : "\(usage.unusedCount) entries of the recording were not used")
    }
    if usage.refused > 0 {
      parts.append(
        usage.refused == 1
          ? "1 message was not in it" : "\(usage.refused) messages were not in it")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// Carries something of the loop's thread through code that has to be sendable.
private struct LoopBound: @unchecked Sendable {
  let value: MockDevice
  init(_ value: MockDevice) { self.value = value }
}
