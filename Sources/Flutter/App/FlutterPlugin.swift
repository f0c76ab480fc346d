import Foundation
import UIKit

/// What a plugin may hear of the app's life (`FlutterPlugin.h`); every method is optional.
public protocol FlutterApplicationLifeCycleDelegate: NSObjectProtocol {
  /// - Returns: false where the plugin objects to the launch.
  @MainActor func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]
  ) -> Bool
  @MainActor func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]
  ) -> Bool
  @MainActor func applicationDidBecomeActive(_ application: UIApplication)
  @MainActor func applicationWillResignActive(_ application: UIApplication)
  @MainActor func applicationDidEnterBackground(_ application: UIApplication)
  @MainActor func applicationWillEnterForeground(_ application: UIApplication)
  @MainActor func applicationWillTerminate(_ application: UIApplication)
  /// - Returns: whether the plugin has handled the address.
  @MainActor func application(
    _ application: UIApplication, open url: URL,
    options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool
}

extension FlutterApplicationLifeCycleDelegate {
  @MainActor public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]
  ) -> Bool { true }
  @MainActor public func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]
  ) -> Bool { true }
  @MainActor public func applicationDidBecomeActive(_ application: UIApplication) {}
  @MainActor public func applicationWillResignActive(_ application: UIApplication) {}
  @MainActor public func applicationDidEnterBackground(_ application: UIApplication) {}
  @MainActor public func applicationWillEnterForeground(_ application: UIApplication) {}
  @MainActor public func applicationWillTerminate(_ application: UIApplication) {}
  @MainActor public func application(
    _ application: UIApplication, open url: URL,
    options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { false }
}

/// What a plugin may hear of a scene's life. The host runs apps without scenes, so nothing of it is
/// called.
public protocol FlutterSceneLifeCycleDelegate: NSObjectProtocol {}

/// The native half of a plugin (`FlutterPlugin.h`).
public protocol FlutterPlugin: NSObjectProtocol, FlutterApplicationLifeCycleDelegate {
  /// Makes the plugin's channels.
  static func register(with registrar: any FlutterPluginRegistrar)
  /// Handles the calls of channels that were given to the registrar's `addMethodCallDelegate`;
  /// optional on iOS.
  func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult)
  /// The engine goes away; optional on iOS.
  func detachFromEngine(for registrar: any FlutterPluginRegistrar)
}

extension FlutterPlugin {
  public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
    FlutterTrouble.report(
      "\(Self.self) is the delegate of a channel and has no handle(_:result:); iOS stops the app "
        + "here (unrecognized selector)")
    result(FlutterMethodNotImplemented)
  }

  public func detachFromEngine(for registrar: any FlutterPluginRegistrar) {}
}

/// Gives a plugin its messenger and the rest of its surroundings (`FlutterPlugin.h`).
public protocol FlutterPluginRegistrar: NSObjectProtocol {
  func messenger() -> any FlutterBinaryMessenger
  /// No texture is ever drawn.
  func textures() -> any FlutterTextureRegistry
  /// The app's view controller.
  @MainActor var viewController: UIViewController? { get }
  /// Remembered, without effect: Dart's widgets are elsewhere.
  func register(_ factory: any FlutterPlatformViewFactory, withId factoryId: String)
  /// What other plugins can ask the registry for.
  func publish(_ value: NSObject)
  /// Lets the plugin handle the calls of a channel.
  func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel)
  /// Lets the plugin hear of the app's life.
  func addApplicationDelegate(_ delegate: any FlutterPlugin)
  /// Remembered, without effect: there are no scenes.
  func addSceneDelegate(_ delegate: any FlutterSceneLifeCycleDelegate)
  /// Where an asset is in the app's bundle.
  func lookupKey(forAsset asset: String) -> String
  func lookupKey(forAsset asset: String, fromPackage package: String) -> String
}

/// Gives plugins their registrars (`FlutterPlugin.h`).
public protocol FlutterPluginRegistry: NSObjectProtocol {
  /// A registrar for a plugin; nil if the name is taken.
  func registrar(forPlugin pluginKey: String) -> (any FlutterPluginRegistrar)?
  func hasPlugin(_ pluginKey: String) -> Bool
  func valuePublished(byPlugin pluginKey: String) -> NSObject?
}

/// Makes native views for Dart (`FlutterPlatformViews.h`); none is ever asked for here.
public protocol FlutterPlatformViewFactory: NSObjectProtocol {
  @MainActor func create(
    withFrame frame: CGRect, viewIdentifier viewId: Int64, arguments args: Any?
  ) -> any FlutterPlatformView
  func createArgsCodec() -> any FlutterMessageCodec & NSObjectProtocol
}

extension FlutterPlatformViewFactory {
  public func createArgsCodec() -> any FlutterMessageCodec & NSObjectProtocol {
    FlutterStandardMessageCodec.sharedInstance()
  }
}

/// A native view for Dart (`FlutterPlatformViews.h`).
public protocol FlutterPlatformView: NSObjectProtocol {
  @MainActor func view() -> UIView
}

/// A source of pixels (`FlutterTexture.h`), of which nobody asks any here.
public protocol FlutterTexture: NSObjectProtocol {}

/// Takes textures (`FlutterTexture.h`).
public protocol FlutterTextureRegistry: NSObjectProtocol {
  func register(_ texture: any FlutterTexture) -> Int64
  func textureFrameAvailable(_ textureId: Int64)
  func unregisterTexture(_ textureId: Int64)
}
