// Code that imports ActivityKit may use Foundation without importing it, as on iOS.
@_exported import Foundation

/// What does not change about a Live Activity, and the type of what does
/// (developer.apple.com, `/documentation/activitykit/activityattributes`).
///
/// Both are encoded by `JSONEncoder` and decoded by `JSONDecoder` with their default strategies,
/// as pushes are on a device.
public protocol ActivityAttributes: Decodable, Encodable {
  /// What updates change.
  associatedtype ContentState: Decodable, Encodable, Hashable
}
