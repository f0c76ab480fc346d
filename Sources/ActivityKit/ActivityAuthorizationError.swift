import LiveActivities

/// Why a request was refused (`/documentation/activitykit/activityauthorizationerror`).
///
/// The log and the journal have a whole sentence with sizes and limits for every refusal.
public enum ActivityAuthorizationError: Error, Hashable, Sendable {
  case attributesTooLarge
  case unsupported
  case denied
  case globalMaximumExceeded
  case targetMaximumExceeded
  case unsupportedTarget
  case visibility
  case persistenceFailure
  case missingProcessIdentifier
  case unentitled
  case malformedActivityIdentifier
  case reconnectNotPermitted

  /// nil for what the device says by an `EncodingError`.
  init?(_ reason: ActivityRefusal.Reason) {
    switch reason {
    case .attributesTooLarge: self = .attributesTooLarge
    case .unsupported: self = .unsupported
    case .denied: self = .denied
    case .globalMaximumExceeded: self = .globalMaximumExceeded
    case .targetMaximumExceeded: self = .targetMaximumExceeded
    case .unsupportedTarget: self = .unsupportedTarget
    case .visibility: self = .visibility
    case .persistenceFailure: self = .persistenceFailure
    case .missingProcessIdentifier: self = .missingProcessIdentifier
    case .unentitled: self = .unentitled
    case .malformedActivityIdentifier: self = .malformedActivityIdentifier
    case .reconnectNotPermitted: self = .reconnectNotPermitted
    case .notEncodable: return nil
    }
  }
}

extension ActivityAuthorizationError: CustomNSError {
  /// Apple publishes neither domain nor codes; these are chosen here.
  public static var errorDomain: String { "com.apple.ActivityKit.ActivityAuthorization" }

  public var errorCode: Int {
    switch self {
    case .attributesTooLarge: 0
    case .unsupported: 1
    case .denied: 2
    case .globalMaximumExceeded: 3
    case .targetMaximumExceeded: 4
    case .unsupportedTarget: 5
    case .visibility: 6
    case .persistenceFailure: 7
    case .missingProcessIdentifier: 8
    case .unentitled: 9
    case .malformedActivityIdentifier: 10
    case .reconnectNotPermitted: 11
    }
  }

  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: errorDescription ?? ""]
  }
}

extension ActivityAuthorizationError: LocalizedError {
  public var errorDescription: String? {
    "The operation couldn’t be completed. \(failureReason ?? "")"
  }

  /// Only the words for `visibility` have been seen on devices; Apple publishes none.
  public var failureReason: String? {
    switch self {
    case .attributesTooLarge: "The provided Live Activity attributes exceeded the maximum size"
    case .unsupported: "The device does not support Live Activities"
    case .denied: "The person has switched Live Activities off"
    case .globalMaximumExceeded: "The device has reached its maximum of Live Activities"
    case .targetMaximumExceeded: "The app has reached its maximum of Live Activities"
    case .unsupportedTarget: "Target does not include NSSupportsLiveActivities plist key"
    case .visibility: "Target is not foreground"
    case .persistenceFailure: "The system could not store the Live Activity"
    case .missingProcessIdentifier: "The process has no identifier"
    case .unentitled: "The app lacks an entitlement"
    case .malformedActivityIdentifier: "The Live Activity's identifier is malformed"
    case .reconnectNotPermitted: "The process may not recreate the Live Activity"
    }
  }
}
