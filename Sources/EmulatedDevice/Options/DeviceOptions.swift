import ChannelRouter
import LiveActivities

/// Everything that can be chosen about an emulated device before it starts. Every one has a name
/// and a text form in ``DeviceOption/all``; flags, the hello frame and the control channel use
/// those.
public struct DeviceOptions: Sendable {
  /// How the handlers of `PW` and `pushwoosh` behave towards Dart.
  public enum Handler: String, Sendable, CaseIterable {
    /// The effects of the guide's code, and exactly one reply to every call.
    case answering
    /// The guide's code and the iOS plugin exactly, their silences included.
    case guide
  }

  public var handler = Handler.answering
  public var clock = DeviceClock.Mode.real
  /// What the device's clock shows first; nil: the time that the device is given as it starts.
  public var startTime: DeviceTime?
  /// Makes ids, tokens and everything else that looks random.
  public var seed: UInt64 = 1
  /// With a seed, the guide's unstructured tasks may overtake each other as on a device; nil: they
  /// run in order.
  public var race: UInt64?
  /// `areActivitiesEnabled`: the person's switch in Settings.
  public var isAuthorized = true
  /// The app is in the foreground.
  public var isForeground = true
  /// `AnyCodable` of the Pushwoosh SDK writes the numbers 0 and 1 as `false` and `true`.
  public var hasAnyCodableDefect = true
  /// The Pushwoosh application code in the requests that the SDK sends.
  public var application = "XXXXX-XXXXX"
  public var activities = ActivitySettings()
  public var faults: [FaultRule] = []
  /// Calls that the journal keeps. Many more fall out of the processor's caches and make every
  /// call slower.
  public var journalEntries = 1024

  public init() {}

  /// Sets options by name, later ones over earlier ones, but for `fault`, which adds.
  public init(
    fields: [(name: String, value: String)]
  ) throws(DeviceOptionError) {
    for field in fields { try set(field.name, to: field.value) }
  }

  /// Sets one option by its name in ``DeviceOption/all``.
  public mutating func set(_ name: String, to value: String) throws(DeviceOptionError) {
    try DeviceOption.named(name).set(value, in: &self)
  }

  /// Sets one option from `NAME=VALUE`, the form of the flag.
  public mutating func set(_ assignment: String) throws(DeviceOptionError) {
    guard let equals = assignment.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      // A mistyped name is the likelier mistake, and its error says more.
      let option = try DeviceOption.named(assignment)
      throw DeviceOptionError(
        option: assignment,
        text: "\(assignment): expected \(assignment)=VALUE; VALUE is \(option.values)")
    }
    try set(
      String(assignment[..<equals]), to: String(assignment[assignment.utf8.index(after: equals)...])
    )
  }
}

/// An option that does not exist or cannot have the value.
public struct DeviceOptionError: Error, Sendable, Hashable, CustomStringConvertible {
  public var option: String
  /// What, expected and found, in one sentence.
  public var text: String

  public init(option: String, text: String) { (self.option, self.text) = (option, text) }
  public var description: String { text }
}
