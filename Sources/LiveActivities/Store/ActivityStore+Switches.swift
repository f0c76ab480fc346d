import ChannelRouter

extension ActivityStore {
  /// `ActivityAuthorizationInfo.frequentPushesEnabled`: the person's switch, which exists only
  /// where the Info.plist asks for frequent updates.
  public var frequentPushesEnabled: Bool {
    settings.plistSupportsFrequentUpdates && isFrequentPushesSwitchOn && areActivitiesEnabled
  }

  /// The person's switch for Live Activities. Off, a request is `denied`.
  public func setActivitiesEnabled(_ isEnabled: Bool) {
    guard isEnabled != areActivitiesEnabled else { return }
    let before = frequentPushesEnabled
    areActivitiesEnabled = isEnabled
    tell(.authorizationChanged(isEnabled))
    if frequentPushesEnabled != before { tell(.frequentPushesChanged(frequentPushesEnabled)) }
    if !isEnabled, settings.disablingDismisses {
      for activity in known { dismiss(activity, by: .system, at: clock.now) }
    }
  }

  /// The person's switch for more frequent updates.
  public func setFrequentPushesEnabled(_ isEnabled: Bool) {
    let before = frequentPushesEnabled
    isFrequentPushesSwitchOn = isEnabled
    if frequentPushesEnabled != before { tell(.frequentPushesChanged(frequentPushesEnabled)) }
  }

  /// Whether the app is in the foreground. In the background a request fails with `visibility`.
  public func setForeground(_ isForeground: Bool) {
    guard isForeground != self.isForeground else { return }
    self.isForeground = isForeground
    tell(.foregroundChanged(isForeground))
  }

  /// Makes the next request fail like this, whatever it asks for: the way to reach the errors that
  /// need a broken device. nil takes it back.
  public func failNextRequest(with reason: ActivityRefusal.Reason?) { nextFailure = reason }
}
