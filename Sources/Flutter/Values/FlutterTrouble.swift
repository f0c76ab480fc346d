import AppDevice
import ChannelCodec
import ChannelRouter
import Foundation

/// Where iOS would stop at an assertion or lose something without a word, this says so and the app
/// goes on.
enum FlutterTrouble {
  /// Tells people and clients: the log, the journal, a log frame.
  static func report(
    _ text: String, channel: String? = nil, kind: MessengerReport.Kind = .remark,
    level: MessengerReport.Level = .error
  ) {
    AppDevice.shared.report(level, channel: channel, kind: kind, text)
  }

  /// Whether the caller is on the main thread. A process whose main thread only serves the main
  /// queue, as a test's, runs that queue on others.
  static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) != nil || marked
  }

  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// The key must be set before anybody asks for it.
  private static var marked: Bool {
    _ = mainKey
    return false
  }
}
