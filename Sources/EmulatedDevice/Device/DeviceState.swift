import LiveActivities

/// What the handlers of a device share.
final class DeviceState {
  @exclusivity(unchecked) var options: DeviceOptions
  let store: ActivityStore

  init(_ options: DeviceOptions, store: ActivityStore) {
    (self.options, self.store) = (options, store)
  }

  /// Hands on to the store what of the options is its business.
  func applyToStore() {
    store.settings = options.activities
    store.setActivitiesEnabled(options.isAuthorized)
    store.setForeground(options.isForeground)
  }
}
