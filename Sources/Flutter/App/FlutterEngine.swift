import AppDevice
import Foundation
import UIKit

/// What of a Flutter project an engine runs (`FlutterDartProject.h`): nothing, since Dart is on the
/// other side of the bridge.
open class FlutterDartProject: NSObject {
  public override init() { super.init() }

  /// Where an asset is in the app's bundle.
  open class func lookupKey(forAsset asset: String) -> String { "flutter_assets/\(asset)" }
  /// Where an asset of a package is in the app's bundle.
  open class func lookupKey(forAsset asset: String, fromPackage package: String) -> String {
    lookupKey(forAsset: "packages/\(package)/\(asset)")
  }
}

/// The engine of an app (`FlutterEngine.h`): the registry of its plugins and the messenger of the
/// emulated device. All engines of a process share the device.
open class FlutterEngine: NSObject, FlutterPluginRegistry {
  /// Where channels are made on; its handlers run on the main queue.
  public let binaryMessenger: any FlutterBinaryMessenger

  private let lock = NSLock()
  private var registrars: [String: PluginRegistrar] = [:]
  private var applicationDelegates: [any FlutterPlugin] = []
  private weak var controller: UIViewController?

  /// An engine on the device of this process.
  public convenience init(name: String) { self.init(name: name, project: nil) }

  /// An engine on the device of this process; there is no project to run.
  public convenience init(name: String, project: FlutterDartProject?) {
    self.init(name: name, project: project, allowHeadlessExecution: true)
  }

  /// An engine on the device of this process; there is no project to run.
  public init(name: String, project: FlutterDartProject?, allowHeadlessExecution: Bool) {
    binaryMessenger = DeviceMessenger(AppDevice.shared)
  }

  /// Dart is on the other side of the bridge, so there is nothing to start.
  @discardableResult open func run() -> Bool { true }
  @discardableResult open func run(withEntrypoint entrypoint: String?) -> Bool { true }

  /// Takes leave of the plugins.
  open func destroyContext() {
    let leaving = lock.withLock {
      defer { applicationDelegates = [] }
      return registrars
    }
    for registrar in leaving.values { registrar.detach() }
  }

  /// The view controller that shows the engine's app; held weakly.
  open var viewController: FlutterViewController? {
    get { lock.withLock { controller as? FlutterViewController } }
    set { lock.withLock { controller = newValue } }
  }

  // MARK: - FlutterPluginRegistry

  open func registrar(forPlugin pluginKey: String) -> (any FlutterPluginRegistrar)? {
    let registrar = lock.withLock { () -> PluginRegistrar? in
      guard registrars[pluginKey] == nil else { return nil }
      let made = PluginRegistrar(self, pluginKey)
      registrars[pluginKey] = made
      return made
    }
    if registrar == nil {
      FlutterTrouble.report("Duplicate plugin key: \(pluginKey); iOS asserts here")
    }
    return registrar
  }

  open func hasPlugin(_ pluginKey: String) -> Bool {
    lock.withLock { registrars[pluginKey] != nil }
  }

  open func valuePublished(byPlugin pluginKey: String) -> NSObject? {
    let registrar = lock.withLock { registrars[pluginKey] }
    // A plugin that has published nothing is there all the same.
    return registrar.map { $0.published ?? NSNull() }
  }

  // MARK: -

  func add(_ delegate: any FlutterPlugin) {
    lock.withLock { applicationDelegates.append(delegate) }
  }

  var lifeCycleDelegates: [any FlutterPlugin] { lock.withLock { applicationDelegates } }
}

/// The registrar of one plugin.
private final class PluginRegistrar: NSObject, FlutterPluginRegistrar {
  private let engine: FlutterEngine
  private let key: String
  private let lock = NSLock()
  private var value: NSObject?
  private var plugins: [any FlutterPlugin] = []

  init(_ engine: FlutterEngine, _ key: String) { (self.engine, self.key) = (engine, key) }

  func messenger() -> any FlutterBinaryMessenger { engine.binaryMessenger }
  func textures() -> any FlutterTextureRegistry { NoTextures() }
  @MainActor var viewController: UIViewController? { engine.viewController }
  func register(_ factory: any FlutterPlatformViewFactory, withId factoryId: String) {}
  func publish(_ value: NSObject) { lock.withLock { self.value = value } }
  var published: NSObject? { lock.withLock { value } }

  func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel) {
    lock.withLock { plugins.append(delegate) }
    channel.setMethodCallHandler { delegate.handle($0, result: $1) }
  }

  func addApplicationDelegate(_ delegate: any FlutterPlugin) { engine.add(delegate) }
  func addSceneDelegate(_ delegate: any FlutterSceneLifeCycleDelegate) {}
  func lookupKey(forAsset asset: String) -> String { FlutterDartProject.lookupKey(forAsset: asset) }
  func lookupKey(forAsset asset: String, fromPackage package: String) -> String {
    FlutterDartProject.lookupKey(forAsset: asset, fromPackage: package)
  }

  func detach() {
    for plugin in lock.withLock({ plugins }) { plugin.detachFromEngine(for: self) }
  }
}

/// Counts textures and draws none.
private final class NoTextures: NSObject, FlutterTextureRegistry {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var count: Int64 = 0

  func register(_ texture: any FlutterTexture) -> Int64 {
    NoTextures.lock.withLock {
      NoTextures.count += 1
      return NoTextures.count
    }
  }
  func textureFrameAvailable(_ textureId: Int64) {}
  func unregisterTexture(_ textureId: Int64) {}
}
