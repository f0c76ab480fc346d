/// How the emulated device treats Live Activities. Where Apple publishes no number or rule, the
/// property says so and its default is the most plausible choice.
public struct ActivitySettings: Sendable, Hashable {
  /// What is weighed against ``maximumSize``.
  public enum SizeRule: String, Sendable, CaseIterable {
    /// Attributes and content state together, as Apple's article says.
    case combined
    /// Each alone, as the texts of `attributesTooLarge` and `ContentState` read.
    case each
  }

  // MARK: Device and app

  public var osVersion = OSVersion(26, 0)
  /// Whether this kind of device has Live Activities at all (an iPhone has).
  public var deviceSupportsActivities = true
  public var hasDynamicIsland = true
  /// `NSSupportsLiveActivities` in the app's Info.plist.
  public var plistSupportsActivities = true
  /// `NSSupportsLiveActivitiesFrequentUpdates` in the app's Info.plist.
  public var plistSupportsFrequentUpdates = false
  /// The app has the push notification capability; without it a request with a push type fails.
  public var hasPushCapability = true
  /// The Pushwoosh hardware id of the device. nil: a server request is delivered whatever its
  /// `devices` list says.
  public var hardwareID: String?

  // MARK: Limits

  /// In bytes of compact JSON. Which data the device weighs is unpublished; see ``sizeRule``.
  public var maximumSize = 4096
  public var sizeRule = SizeRule.combined
  /// An APNs payload, in bytes of compact JSON.
  public var maximumPushSize = 4096
  /// Activities of this app at one time, pending ones included; nil: no limit. Unpublished: 5 by
  /// what vendors report.
  public var maximumPerApp: Int? = 5
  /// Activities of all apps at one time; nil: no limit. Unpublished.
  public var maximumOnDevice: Int?
  /// What other apps hold of ``maximumOnDevice``.
  public var activitiesOfOtherApps = 0
  /// Whether an ended activity that is still on the Lock Screen counts. Unpublished.
  public var countsEnded = false
  /// How many ended activities stay on the Lock Screen; the one that ended first makes room.
  /// Unpublished; bounds memory.
  public var maximumEndedOnScreen = 32

  // MARK: Times

  /// From start until the system ends the activity.
  public var activeLifetime: Duration = .seconds(8 * 3600)
  /// From end until the Lock Screen drops it, at most.
  public var endedLifetime: Duration = .seconds(4 * 3600)
  /// From start until the Lock Screen drops it, at most.
  public var totalLifetime: Duration = .seconds(12 * 3600)
  /// From request until the activity's push token arrives. Unpublished.
  public var pushTokenDelay: Duration = .milliseconds(100)
  /// From launch until the push-to-start token arrives. Unpublished.
  public var pushToStartTokenDelay: Duration = .milliseconds(100)

  // MARK: Behaviour that Apple leaves open

  /// A stale activity is active again after an update that is not itself stale. Inferred.
  public var updateRevivesStale = true
  /// A new observer is first told what there is. ActivityKit's sequences: unpublished.
  public var observersGetCurrentFirst = true
  /// ``ActivityStore/activities`` holds ended ones until they are removed. Unpublished; observed on
  /// devices: it does not.
  public var listsEnded = false
  /// An activity ended with `.immediate` is `ended` for a moment before it is `dismissed`.
  public var immediateEndPassesEnded = false
  /// Switching Live Activities off dismisses those on screen. Unpublished.
  public var disablingDismisses = false
  /// A start push without `aps.alert` is dropped, as devices do although APNs answers 200.
  public var startPushNeedsAlert = true
  /// Pushes of priority 10 that an activity may get within one hour; nil: not counted.
  /// Unpublished. ``frequentPushBudget`` takes its place where frequent updates are allowed.
  public var pushBudget: Int?
  public var frequentPushBudget: Int?

  // MARK: Of the emulator

  /// Changes kept per activity; all are counted.
  public var historyLength = 16
  /// Removed activities that can still be looked up.
  public var rememberedActivities = 32
  /// Bytes of a push token, two hexadecimal digits each.
  public var pushTokenBytes = 32

  public init() {}
}

/// A version of iOS.
public struct OSVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public init(_ major: Int, _ minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// From `17.2` or `17`; nil for other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let major = Int(parts[0]), major >= 0 else { return nil }
    guard let minor = parts.count > 1 ? Int(parts[1]) : 0, minor >= 0 else { return nil }
    self.init(major, minor)
  }

  public static func < (left: OSVersion, right: OSVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  public var description: String { "\(major).\(minor)" }
}
