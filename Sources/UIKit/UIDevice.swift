import Foundation

/// `UIUserInterfaceIdiom`.
public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone = 0
  case pad = 1
  case tv = 2
  case carPlay = 3
  case mac = 5
  case vision = 6
}

/// The device that the app runs on: an iPhone.
@preconcurrency @MainActor open class UIDevice: NSObject {
  public static let current = UIDevice()

  public let name = "iPhone"
  public let model = "iPhone"
  public let localizedModel = "iPhone"
  public let systemName = "iOS"
  /// The device's option `os-version`, which the host passes on with ``deviceRuns(_:)``.
  public private(set) var systemVersion = "26.0"
  public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
  /// Stays the same while the process runs.
  public let identifierForVendor: UUID? = UUID()
  /// Kept, without effect.
  open var isBatteryMonitoringEnabled = false
  /// Unknown, as on a simulator.
  open var batteryLevel: Float { -1 }

  /// Tells the version of iOS that the emulated device has.
  public func deviceRuns(_ version: String) { systemVersion = version }
}
