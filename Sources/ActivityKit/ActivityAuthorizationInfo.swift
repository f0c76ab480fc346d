import AppDevice
import EmulatedDevice
import LiveActivities

/// Whether the person lets the app start Live Activities
/// (`/documentation/activitykit/activityauthorizationinfo`).
public final class ActivityAuthorizationInfo: Sendable {
  private let device = AppDevice.shared

  public init() {}

  /// The person's switch in Settings; without it a request is `denied`.
  public var areActivitiesEnabled: Bool { device.perform { $0.store.areActivitiesEnabled } }

  /// The switch for more frequent updates, which exists where the Info.plist asks for them
  /// (iOS 16.2).
  public var frequentPushesEnabled: Bool { device.perform { $0.store.frequentPushesEnabled } }

  /// The switch for Live Activities whenever it changes.
  public var activityEnablementUpdates: ActivityEnablementUpdates {
    ActivityEnablementUpdates(device: device)
  }

  /// The switch for more frequent updates whenever it changes (iOS 16.2).
  public var frequentPushEnablementUpdates: FrequentPushEnablementUpdates {
    FrequentPushEnablementUpdates(device: device)
  }

  /// A sequence that never ends by itself.
  public struct ActivityEnablementUpdates: AsyncSequence, Sendable {
    public typealias Element = Bool
    let device: AppDevice

    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: Feed(device) { store in
          [store.areActivitiesEnabled]
        } next: { event in
          if case .authorizationChanged(let isEnabled) = event { return .value(isEnabled) }
          return .nothing
        })
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<Bool>
      public func next() async -> Bool? { await feed.next() }
    }
  }

  /// A sequence that never ends by itself.
  public struct FrequentPushEnablementUpdates: AsyncSequence, Sendable {
    public typealias Element = Bool
    let device: AppDevice

    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: Feed(device) { store in
          [store.frequentPushesEnabled]
        } next: { event in
          if case .frequentPushesChanged(let isEnabled) = event { return .value(isEnabled) }
          return .nothing
        })
    }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: Feed<Bool>
      public func next() async -> Bool? { await feed.next() }
    }
  }
}
