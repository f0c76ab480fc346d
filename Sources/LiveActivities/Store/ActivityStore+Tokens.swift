import ChannelRouter

extension ActivityStore {
  /// Gives the activity another push token, as APNs may at any time. nil where it has no push type
  /// `token` or is over.
  @discardableResult
  public func rotatePushToken(of activity: LiveActivity) -> String? {
    settle(activity, at: clock.now)
    guard !activity.isForgotten, activity.state.isLive, activity.pushType == .token else {
      return nil
    }
    if let alarm = activity.tokenAlarm { clock.cancel(alarm) }
    return deliverToken(to: activity)
  }

  /// Gives the app another push-to-start token. nil before iOS 17.2.
  @discardableResult
  public func rotatePushToStartToken() -> String? {
    guard hasPushToStart else { return nil }
    if let alarm = pushToStartAlarm { clock.cancel(alarm) }
    return deliverPushToStartToken()
  }

  var hasPushToStart: Bool {
    settings.osVersion >= OSVersion(17, 2) && settings.deviceSupportsActivities
      && settings.plistSupportsActivities && settings.hasPushCapability
  }

  func expectPushToken(of activity: LiveActivity) {
    guard activity.pushType == .token else { return }
    activity.tokenAlarm = clock.schedule(after: settings.pushTokenDelay) {
      [unowned self] in
      activity.tokenAlarm = nil
      guard !activity.isForgotten, activity.state.isLive else { return }
      deliverToken(to: activity)
    }
  }

  func expectPushToStartToken() {
    guard hasPushToStart else { return }
    pushToStartAlarm = clock.schedule(after: settings.pushToStartTokenDelay) { [unowned self] in
      pushToStartAlarm = nil
      guard hasPushToStart else { return }
      deliverPushToStartToken()
    }
  }

  @discardableResult
  private func deliverToken(to activity: LiveActivity) -> String {
    activity.tokenAlarm = nil
    let token = tokenRandom.token(bytes: settings.pushTokenBytes)
    activity.pushToken = token
    activity.note(.token, by: .system, at: clock.now)
    tell(.tokenChanged(activity, token: token))
    return token
  }

  @discardableResult
  private func deliverPushToStartToken() -> String {
    pushToStartAlarm = nil
    let token = tokenRandom.token(bytes: settings.pushTokenBytes)
    pushToStartToken = token
    tell(.pushToStartTokenChanged(token: token))
    return token
  }

  // MARK: - What the backend knows

  /// Tells the Pushwoosh backend whose push token this is, as `setActivityToken` does; an empty
  /// token takes it back. A server request for `liveActivityID` then reaches the activity with
  /// that token.
  public func setBackendToken(_ token: String, liveActivityID: String) {
    backendTokens.set(token, for: liveActivityID)
  }

  /// What the Pushwoosh backend has for this id.
  public func backendToken(liveActivityID: String) -> String? {
    backendTokens.token(for: liveActivityID)
  }
}

/// The backend's table of tokens, as large as it needs to be for one device.
struct BackendTokens {
  private static let capacity = 256
  /// Ids and tokens are as long as a client makes them; the last one is kept in any case.
  private static let mostBytes = 4 << 20

  private var entries: [(id: String, token: String)] = []
  private var bytes: Int { entries.reduce(0) { $0 + $1.id.utf8.count + $1.token.utf8.count } }

  func token(for id: String) -> String? { entries.last { $0.id == id }?.token }

  mutating func set(_ token: String, for id: String) {
    entries.removeAll { $0.id == id }
    guard !token.isEmpty else { return }
    entries.append((id, token))
    while entries.count > 1,
      entries.count > BackendTokens.capacity || bytes > BackendTokens.mostBytes
    {
      entries.removeFirst()
    }
  }
}
