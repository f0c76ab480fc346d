import Foundation

/// The running app. There is one, ``shared``; the host moves it between foreground and background
/// as the emulated device does.
@preconcurrency @MainActor open class UIApplication: NSObject {
  /// `UIApplication.State`.
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  /// A key of the launch options, which are always empty here: nobody taps a notification.
  public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
    public static let sourceApplication = Self(
      rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    public static let remoteNotification = Self(
      rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    public static let userActivityDictionary = Self(
      rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    public static let userActivityType = Self(
      rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    public static let shortcutItem = Self(
      rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
  }

  /// A key of the options of ``UIApplicationDelegate/application(_:open:options:)``.
  public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let sourceApplication = Self(
      rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
    public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
  }

  /// A key of the options of ``open(_:options:completionHandler:)``.
  public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let universalLinksOnly = Self(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }

  /// The app of this process.
  public static let shared = UIApplication()

  /// What the app's `main` or the host has launched with ``launch(_:)``.
  open weak var delegate: (any UIApplicationDelegate)?
  /// `active` in the foreground, `background` otherwise; see ``deviceMoved(toForeground:)``.
  public private(set) var applicationState = State.inactive
  /// Kept, without effect: there is no screen that could go dark.
  open var isIdleTimerDisabled = false
  /// Kept, without effect: there is no icon.
  open var applicationIconBadgeNumber = 0
  /// The windows of the app delegate, at most one.
  open var windows: [UIWindow] { [delegate?.window ?? nil].compactMap { $0 } }
  open var keyWindow: UIWindow? { windows.first }
  /// Always empty: the app lives without scenes.
  open var connectedScenes: Set<UIScene> { [] }
  /// Whether ``registerForRemoteNotifications()`` has been called last.
  public private(set) var isRegisteredForRemoteNotifications = false
  /// The application holds its delegate weakly, as on iOS, but something must own it.
  private var owned: (any UIApplicationDelegate)?
  private var backgroundTasks = 0

  // MARK: - Life, as the host drives it

  /// Makes `delegate` the app's delegate and tells it that the app has launched, in the order of
  /// iOS: will finish, did finish, became active if the device has the app in the foreground.
  /// - Returns: what `application(_:didFinishLaunchingWithOptions:)` has answered.
  @discardableResult
  public func launch(_ delegate: any UIApplicationDelegate, isForeground: Bool = true) -> Bool {
    owned = delegate
    self.delegate = delegate
    applicationState = isForeground ? .inactive : .background
    _ = delegate.application(self, willFinishLaunchingWithOptions: nil)
    let isFine = delegate.application(self, didFinishLaunchingWithOptions: nil)
    post(UIApplication.didFinishLaunchingNotification)
    if isForeground { becomeActive() }
    return isFine
  }

  /// Moves the app as the device's option `foreground` says, with the calls and notifications of
  /// iOS. Nothing happens when it is there already.
  public func deviceMoved(toForeground isForeground: Bool) {
    if isForeground {
      guard applicationState != .active else { return }
      if applicationState == .background {
        applicationState = .inactive
        delegate?.applicationWillEnterForeground(self)
        post(UIApplication.willEnterForegroundNotification)
      }
      becomeActive()
    } else {
      guard applicationState != .background else { return }
      delegate?.applicationWillResignActive(self)
      post(UIApplication.willResignActiveNotification)
      applicationState = .background
      delegate?.applicationDidEnterBackground(self)
      post(UIApplication.didEnterBackgroundNotification)
    }
  }

  /// Tells the delegate that the app is about to end.
  public func deviceTerminates() {
    delegate?.applicationWillTerminate(self)
    post(UIApplication.willTerminateNotification)
  }

  private func becomeActive() {
    applicationState = .active
    delegate?.applicationDidBecomeActive(self)
    post(UIApplication.didBecomeActiveNotification)
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }

  // MARK: - What plugins call

  /// No app here can open an address.
  open func canOpenURL(_ url: URL) -> Bool { false }

  /// Opens nothing and says so.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    guard let completion else { return }
    DispatchQueue.main.async { completion(false) }
  }

  /// Remembered in ``isRegisteredForRemoteNotifications``; no device token ever comes, as on an
  /// iPhone without a network.
  open func registerForRemoteNotifications() { isRegisteredForRemoteNotifications = true }

  open func unregisterForRemoteNotifications() { isRegisteredForRemoteNotifications = false }

  /// The process is never suspended, so time in the background does not run out.
  open func beginBackgroundTask(
    withName taskName: String? = nil,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    backgroundTasks += 1
    return UIBackgroundTaskIdentifier(rawValue: backgroundTasks)
  }

  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
}

extension UIApplication {
  public nonisolated static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
  public nonisolated static let openSettingsURLString = "app-settings:"
}

/// Names a stretch of work in the background.
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// What came of a fetch in the background.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData = 0
  case noData = 1
  case failed = 2
}
