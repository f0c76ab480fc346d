import DeviceTurns
import Foundation
import Testing
import UIKit

/// An app's life as its delegate and the notification center hear of it.
@MainActor @Suite(.serialized, .oneDevice) struct AppLifeTests {
  /// Written as an app's is.
  class RecordingDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var heard: [String] = []

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      window = UIWindow(frame: .zero)
      window?.rootViewController = UIViewController()
      window?.makeKeyAndVisible()
      heard.append("did finish \(application.applicationState)")
      return launchOptions?[.url] == nil
    }
    func applicationDidBecomeActive(_ application: UIApplication) { heard.append("active") }
    func applicationWillResignActive(_ application: UIApplication) { heard.append("resign") }
    func applicationDidEnterBackground(_ application: UIApplication) {
      heard.append("background")
    }
    func applicationWillEnterForeground(_ application: UIApplication) {
      heard.append("foreground \(application.applicationState)")
    }
    func applicationWillTerminate(_ application: UIApplication) { heard.append("terminate") }
  }

  /// A delegate that leaves everything out.
  final class SilentDelegate: UIResponder, UIApplicationDelegate {}

  @Test func `from launch to the end`() throws {
    let names: [Notification.Name] = [
      UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
      UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
      UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
    ]
    nonisolated(unsafe) var posted: [Notification.Name] = []
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        posted.append(name)
      }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    let app = UIApplication.shared
    // The host knows the type only.
    let type: any UIApplicationDelegate.Type = RecordingDelegate.self
    #expect(app.launch(type.init()))
    let delegate = try #require(app.delegate as? RecordingDelegate)
    #expect(app.applicationState == .active)
    #expect(app.keyWindow?.rootViewController?.isViewLoaded == true)
    app.deviceMoved(toForeground: true)
    app.deviceMoved(toForeground: false)
    #expect(app.applicationState == .background)
    app.deviceMoved(toForeground: false)
    app.deviceMoved(toForeground: true)
    app.deviceTerminates()
    #expect(
      delegate.heard == [
        "did finish inactive", "active", "resign", "background", "foreground inactive", "active",
        "terminate",
      ])
    #expect(posted == [0, 1, 2, 3, 4, 1, 5].map { names[$0] })
  }

  @Test func `a launch in the background`() {
    let app = UIApplication.shared
    let delegate = RecordingDelegate()
    app.launch(delegate, isForeground: false)
    #expect(delegate.heard == ["did finish background"])
    #expect(app.applicationState == .background)
  }

  @Test func `a delegate that leaves everything out`() async {
    let app = UIApplication.shared
    let delegate = SilentDelegate()
    #expect(app.launch(delegate))
    #expect(delegate.window == nil)
    #expect(app.windows.isEmpty)
    app.deviceMoved(toForeground: false)
    app.deviceMoved(toForeground: true)
    let url = URL(string: "app://x")
    #expect(url.map { delegate.application(app, open: $0, options: [:]) } == false)
    let isOpened = await withCheckedContinuation { continuation in
      guard let url else { return continuation.resume(returning: true) }
      app.open(url) { continuation.resume(returning: $0) }
    }
    #expect(!isOpened)
  }

  @Test func `views and controllers`() {
    let top = UIViewController()
    let sheet = UIViewController(nibName: nil, bundle: nil)
    top.present(sheet, animated: false)
    #expect(top.presentedViewController === sheet)
    sheet.dismiss(animated: false)
    #expect(top.presentedViewController == nil)
    top.addChild(sheet)
    #expect(sheet.parent === top)
    let (outer, inner) = (UIView(frame: .zero), UIView())
    outer.addSubview(inner)
    UIView().addSubview(inner)
    #expect(outer.subviews.isEmpty)
    UIDevice.current.deviceRuns("17.1")
    #expect(UIDevice.current.systemVersion == "17.1")
  }
}
