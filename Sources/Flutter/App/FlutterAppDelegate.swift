import Foundation
import UIKit

/// Lets others hear of the app's life (`FlutterPlugin.h`).
public protocol FlutterAppLifeCycleProvider: NSObjectProtocol {
  func addApplicationLifeCycleDelegate(_ delegate: any FlutterPlugin)
}

/// The delegate that Flutter's app templates descend from (`FlutterAppDelegate.h`).
///
/// Its window is there from the start, with a ``FlutterViewController`` in it: what the storyboard
/// does on iOS before the app is told that it has launched.
open class FlutterAppDelegate: UIResponder, UIApplicationDelegate, FlutterPluginRegistry,
  FlutterAppLifeCycleProvider
{
  /// The window of the app, there from the start.
  open var window: UIWindow?
  nonisolated(unsafe) private let engine = FlutterEngine(name: "io.flutter")

  /// Makes the window and the view controller in it.
  public required init() {
    super.init()
    let window = UIWindow(frame: .zero)
    window.rootViewController = FlutterViewController(engine: engine, nibName: nil, bundle: nil)
    self.window = window
  }

  // MARK: - UIApplicationDelegate

  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let options = Dictionary(
      uniqueKeysWithValues: (launchOptions ?? [:]).map { (AnyHashable($0.key), $0.value) })
    for plugin in engine.lifeCycleDelegates
    where !plugin.application(application, didFinishLaunchingWithOptions: options) {
      return false
    }
    return true
  }

  open func applicationDidBecomeActive(_ application: UIApplication) {
    for plugin in engine.lifeCycleDelegates { plugin.applicationDidBecomeActive(application) }
  }
  open func applicationWillResignActive(_ application: UIApplication) {
    for plugin in engine.lifeCycleDelegates { plugin.applicationWillResignActive(application) }
  }
  open func applicationDidEnterBackground(_ application: UIApplication) {
    for plugin in engine.lifeCycleDelegates { plugin.applicationDidEnterBackground(application) }
  }
  open func applicationWillEnterForeground(_ application: UIApplication) {
    for plugin in engine.lifeCycleDelegates { plugin.applicationWillEnterForeground(application) }
  }
  open func applicationWillTerminate(_ application: UIApplication) {
    for plugin in engine.lifeCycleDelegates { plugin.applicationWillTerminate(application) }
  }

  open func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool {
    engine.lifeCycleDelegates.contains { $0.application(app, open: url, options: options) }
  }

  // MARK: - FlutterPluginRegistry

  nonisolated open func registrar(
    forPlugin pluginKey: String
  ) -> (any FlutterPluginRegistrar)? {
    engine.registrar(forPlugin: pluginKey)
  }
  nonisolated open func hasPlugin(_ pluginKey: String) -> Bool { engine.hasPlugin(pluginKey) }
  nonisolated open func valuePublished(byPlugin pluginKey: String) -> NSObject? {
    engine.valuePublished(byPlugin: pluginKey)
  }
  nonisolated open func addApplicationLifeCycleDelegate(_ delegate: any FlutterPlugin) {
    engine.add(delegate)
  }
}

/// Sets up an app's plugins where the app delegate of newer templates does
/// (`FlutterAppDelegate.h`): once the engine is there.
@MainActor public protocol FlutterImplicitEngineDelegate: NSObjectProtocol {
  func didInitializeImplicitFlutterEngine(_ engineBridge: any FlutterImplicitEngineBridge)
}

/// What such a delegate gets of the engine.
@MainActor public protocol FlutterImplicitEngineBridge: NSObjectProtocol {
  var pluginRegistry: any FlutterPluginRegistry { get }
  /// A registrar of the app itself, for channels of its own.
  var applicationRegistrar: any FlutterPluginRegistrar { get }
}
