import Foundation
import UIKit

/// The view controller that shows an engine's app (`FlutterViewController.h`); here it shows
/// nothing and gives the app its messenger.
open class FlutterViewController: UIViewController, FlutterPluginRegistry {
  nonisolated(unsafe) private let shown: FlutterEngine

  /// - Parameter engine: whose messenger channels are to be made on.
  public init(engine: FlutterEngine, nibName: String?, bundle nibBundle: Bundle?) {
    shown = engine
    super.init(nibName: nibName, bundle: nibBundle)
    engine.viewController = self
  }

  /// Makes an engine of its own.
  public init(project: FlutterDartProject?, nibName: String?, bundle nibBundle: Bundle?) {
    shown = FlutterEngine(name: "io.flutter", project: project)
    super.init(nibName: nibName, bundle: nibBundle)
    shown.viewController = self
  }

  public override init(nibName: String?, bundle nibBundle: Bundle?) {
    shown = FlutterEngine(name: "io.flutter")
    super.init(nibName: nibName, bundle: nibBundle)
    shown.viewController = self
  }

  /// Nothing comes from a storyboard here.
  public required init?(coder: NSCoder) { nil }

  /// The engine that is shown.
  open var engine: FlutterEngine? { shown }
  /// The engine's messenger, on which channels are made.
  open var binaryMessenger: any FlutterBinaryMessenger { shown.binaryMessenger }

  nonisolated open func registrar(
    forPlugin pluginKey: String
  ) -> (any FlutterPluginRegistrar)? {
    shown.registrar(forPlugin: pluginKey)
  }
  nonisolated open func hasPlugin(_ pluginKey: String) -> Bool { shown.hasPlugin(pluginKey) }
  nonisolated open func valuePublished(byPlugin pluginKey: String) -> NSObject? {
    shown.valuePublished(byPlugin: pluginKey)
  }
}
