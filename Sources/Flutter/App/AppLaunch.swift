import AppDevice
import AppHost
import EmulatedDevice
import Foundation
import LiveActivities
import UIKit

extension UIApplicationDelegate {
  /// What `@main` calls on an app delegate: runs the app on the emulated device and serves its
  /// channels, with the command line of ``AppHost``.
  @MainActor public static func main() { AppLaunch.run { Self.init() } }
}

/// Brings an app up on the device, as UIKit's own `main` would.
package enum AppLaunch {
  /// Never returns. To be called on the main thread, where `main.swift` is not always known to be.
  package static func run(_ make: @MainActor () -> any UIApplicationDelegate) -> Never {
    MainActor.assumeIsolated { AppHost.run { launch(make()) } }
  }

  @MainActor private static func launch(_ delegate: any UIApplicationDelegate) {
    let (isForeground, version) = AppDevice.shared.perform { device in
      (device.options.isForeground, device.options.activities.osVersion.description)
    }
    UIDevice.current.deviceRuns(version)
    UIApplication.shared.launch(delegate, isForeground: isForeground)
    if let delegate = delegate as? any FlutterImplicitEngineDelegate {
      delegate.didInitializeImplicitFlutterEngine(ImplicitEngine(delegate))
    }
    AppDevice.shared.perform { device in _ = device.store.observe(follow) }
  }

  /// The app moves as the device's option `foreground` does.
  private static func follow(_ event: ActivityEvent) {
    switch event {
    case .foregroundChanged(let isForeground): move(toForeground: isForeground)
    case .reset:
      AppDevice.shared.async { device in move(toForeground: device.store.isForeground) }
    default: break
    }
  }

  private static func move(toForeground isForeground: Bool) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated { UIApplication.shared.deviceMoved(toForeground: isForeground) }
    }
  }
}

/// The engine of an app delegate that sets its plugins up in
/// ``FlutterImplicitEngineDelegate/didInitializeImplicitFlutterEngine(_:)``.
@MainActor private final class ImplicitEngine: NSObject, FlutterImplicitEngineBridge {
  let pluginRegistry: any FlutterPluginRegistry
  let applicationRegistrar: any FlutterPluginRegistrar

  init(_ delegate: any FlutterImplicitEngineDelegate) {
    let registry =
      delegate as? any FlutterPluginRegistry ?? FlutterEngine(name: "io.flutter")
    pluginRegistry = registry
    // An engine that nobody has is the way out if the app has taken the name.
    let name = "io.flutter.application"
    applicationRegistrar =
      registry.registrar(forPlugin: name) ?? FreshRegistrar.make(name)
  }
}

private enum FreshRegistrar {
  static func make(_ name: String) -> any FlutterPluginRegistrar {
    guard let registrar = FlutterEngine(name: name).registrar(forPlugin: name) else {
      preconditionFailure("a new engine has no plugins")
    }
    return registrar
  }
}
