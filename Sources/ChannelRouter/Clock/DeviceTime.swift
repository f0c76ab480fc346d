/// A moment on a device's clock, in microseconds since 1970-01-01 00:00 UTC.
public struct DeviceTime: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The last moment that a clock can show, about 292,000 years from 1970.
  public static let latest = DeviceTime(microseconds: .max)

  /// From seconds since 1970. What no clock can show becomes the nearest moment that it can.
  public init(seconds: Double) {
    microseconds = Int64(exactly: (seconds * 1e6).rounded()) ?? (seconds < 0 ? .min : .max)
  }

  public var seconds: Double { Double(microseconds) / 1e6 }

  public static func < (left: DeviceTime, right: DeviceTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Saturates.
  public static func + (time: DeviceTime, span: Duration) -> DeviceTime {
    time.moved(by: span.wholeMicroseconds)
  }

  /// Saturates.
  func moved(by span: Int64) -> DeviceTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(span)
    return DeviceTime(microseconds: overflow ? (span < 0 ? .min : .max) : sum)
  }

  public static func - (left: DeviceTime, right: DeviceTime) -> Duration {
    .microseconds(left.microseconds) - .microseconds(right.microseconds)
  }
}

extension Duration {
  /// Whole microseconds, rounded down; saturates.
  public var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
