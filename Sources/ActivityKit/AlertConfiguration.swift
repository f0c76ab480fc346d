import ChannelCodec
import LiveActivities

/// How an update alerts the person (`/documentation/activitykit/alertconfiguration`).
public struct AlertConfiguration: Sendable {
  /// The sound of an alert.
  public struct AlertSound: Sendable, Hashable {
    let name: String?

    /// The sound of the system.
    public static let `default` = AlertSound(name: nil)

    /// A sound file of the app. Whether there is one, nobody looks.
    public static func named(_ name: String) -> AlertSound { AlertSound(name: name) }
  }

  public var title: LocalizedStringResource
  public var body: LocalizedStringResource
  public var sound: AlertSound

  public init(title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound) {
    self.title = title
    self.body = body
    self.sound = sound
  }
}

extension AlertConfiguration {
  var stored: LiveActivity.Alert {
    LiveActivity.Alert(
      title: .string(Value.Text(title.text)), body: .string(Value.Text(body.text)),
      sound: sound.name)
  }
}
