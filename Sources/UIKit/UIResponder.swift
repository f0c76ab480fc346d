// Code that imports UIKit may use Foundation without importing it, as on iOS.
@_exported import Foundation

/// What an app delegate descends from.
///
/// The host makes the app's delegate by its type, which Swift allows only for a `required`
/// initializer. On iOS views and view controllers are responders too; here they are not, so that
/// their subclasses may have initializers of their own.
@preconcurrency @MainActor open class UIResponder: NSObject {
  public required override init() { super.init() }

  /// The next responder in the chain; there is no chain without a screen.
  open var next: UIResponder? { nil }
}
