import Flutter
import Foundation
import UIKit

/// Runs an iOS app, or only its plugins, on the emulated device of this process and serves their
/// channels: on standard input and output, or on a socket with `--socket`. The flags are those of
/// `pwbridge serve`; `--help` lists them.
///
/// An app delegate with `@main` needs none of this: its `main()` does the same. To be called on the
/// main thread, as the last thing that `main.swift` does.
public enum BridgeHost {
  /// Runs an app by its delegate.
  public static func run(_ delegate: any UIApplicationDelegate.Type) -> Never {
    let delegate = Carried(delegate)
    AppLaunch.run { delegate.content.init() }
  }

  /// Runs plugins, each with a registrar of its own, as an app without code of its own would.
  public static func run(_ plugins: any FlutterPlugin.Type...) -> Never {
    run(registering: plugins)
  }

  /// Runs what `register` sets up with a registrar.
  ///
  ///     BridgeHost.run { registrar in StopwatchPlugin.register(with: registrar) }
  public static func run(
    _ register: @escaping @MainActor (any FlutterPluginRegistrar) -> Void
  ) -> Never {
    AppLaunch.run {
      let delegate = FlutterAppDelegate()
      if let registrar = delegate.registrar(forPlugin: "Plugin") { register(registrar) }
      return delegate
    }
  }

  private static func run(registering plugins: [any FlutterPlugin.Type]) -> Never {
    let plugins = Carried(plugins)
    AppLaunch.run {
      let delegate = FlutterAppDelegate()
      for plugin in plugins.content {
        if let registrar = delegate.registrar(forPlugin: "\(plugin)") {
          plugin.register(with: registrar)
        }
      }
      return delegate
    }
  }
}
