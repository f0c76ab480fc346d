import ChannelCodec
import ChannelRouter

extension ActivityStore {
  /// ActivityKit's `Activity.request(attributes:content:pushType:style:alertConfiguration:start:)`.
  ///
  /// Refusals come in this order: device, Info.plist, switch, foreground, push capability, data,
  /// size, counts.
  public func request(_ request: ActivityRequest) throws(ActivityRefusal) -> LiveActivity {
    settleAll()
    do throws(ActivityRefusal) {
      if let failure = nextFailure {
        nextFailure = nil
        throw ActivityRefusal(
          failure, "This failure was asked for, to see what the app makes of it.")
      }
      try checkPermission(request)
      return try start(request, by: .app)
    } catch {
      tell(.refused(nil, error))
      throw error
    }
  }

  /// Starts without asking for foreground or capability: what push-to-start has in common.
  func start(
    _ request: ActivityRequest, by actor: LiveActivity.Actor
  ) throws(ActivityRefusal) -> LiveActivity {
    let attributesSize = try PayloadSize.exact(request.attributes, "attributes")
    let contentSize = try PayloadSize.exact(request.content.state, "content state")
    try check(attributesSize: attributesSize, contentSize: contentSize)
    try checkCounts()
    let now = clock.now
    startCount += 1
    let activity = LiveActivity(
      id: idRandom.uuid(), number: startCount, request: request, attributesSize: attributesSize,
      startedBy: actor, at: now, historyLength: settings.historyLength)
    activity.systemEndAt = activity.startedAt.map { $0 + settings.activeLifetime }
    activity.contentFingerprint = PayloadSize.of(request.content.state).fingerprint
    activity.note(
      activity.state == .pending ? .requested : .started, by: actor, at: now,
      contentState: request.content.state)
    known.append(activity)
    byID[activity.id] = activity
    plan(activity)
    expectPushToken(of: activity)
    tell(.started(activity, by: actor))
    if let alert = request.alert, activity.state == .active { tell(.alerted(activity, alert)) }
    if activity.state == .active { offerIsland(to: activity) }
    return activity
  }

  private func checkPermission(_ request: ActivityRequest) throws(ActivityRefusal) {
    try checkDevice()
    if request.start != nil, settings.osVersion < OSVersion(26, 0) {
      throw ActivityRefusal(
        .unsupported,
        "A start date needs iOS 26, this device has \(settings.osVersion). Start without one.")
    }
    if !isForeground && !request.isFromIntent {
      throw ActivityRefusal(
        .visibility,
        "Target is not foreground: an app in the background cannot start a Live Activity. Start "
          + "it while the app is open, from a LiveActivityIntent, or by a push-to-start "
          + "(iOS 17.2).")
    }
    switch request.pushType {
    case .none: break
    case .channel where settings.osVersion < OSVersion(18, 0):
      throw ActivityRefusal(
        .unsupported,
        "A push type of channel needs iOS 18, this device has \(settings.osVersion). Use token.")
    case .token, .channel:
      guard !settings.hasPushCapability else { break }
      throw ActivityRefusal(
        .unentitled,
        "The app asks for push updates but lacks the Push Notifications capability. Add the "
          + "capability to the app target, or start without a push type.")
    }
  }

  /// What a request and a push-to-start need alike.
  func checkDevice() throws(ActivityRefusal) {
    guard settings.deviceSupportsActivities, settings.osVersion >= OSVersion(16, 1) else {
      throw ActivityRefusal(
        .unsupported,
        settings.deviceSupportsActivities
          ? "Live Activities need iOS 16.1, this device has \(settings.osVersion)."
          : "This device has no Live Activities.")
    }
    guard settings.plistSupportsActivities else {
      throw ActivityRefusal(
        .unsupportedTarget,
        "The app's Info.plist has no NSSupportsLiveActivities = YES. Add it to the app target; "
          + "in the widget extension it has no effect.")
    }
    guard areActivitiesEnabled else {
      throw ActivityRefusal(
        .denied,
        "Live Activities are switched off for this app in Settings. Look at "
          + "areActivitiesEnabled first, and ask the person to switch them on.")
    }
  }

  private func checkCounts() throws(ActivityRefusal) {
    let count = settings.countsEnded ? known.count : liveCount
    if let limit = settings.maximumPerApp, count >= limit {
      throw ActivityRefusal(
        .targetMaximumExceeded,
        "The app has \(count) Live Activities, and \(limit) are allowed. End one before you "
          + "start another.",
        numbers: [.init("count", count), .init("limit", limit)])
    }
    let (all, overflow) = count.addingReportingOverflow(max(settings.activitiesOfOtherApps, 0))
    if let limit = settings.maximumOnDevice, overflow || all >= limit {
      throw ActivityRefusal(
        .globalMaximumExceeded,
        "The device has \(all) Live Activities of all apps, and \(limit) are allowed. Try again "
          + "when others have ended.",
        numbers: [.init("count", all), .init("limit", limit)])
    }
  }

  /// Sizes in bytes of compact JSON.
  func check(attributesSize: Int, contentSize: Int) throws(ActivityRefusal) {
    let limit = settings.maximumSize
    let sizes: [ActivityRefusal.Number] = [
      .init("attributesSize", attributesSize), .init("contentSize", contentSize),
      .init("limit", limit),
    ]
    switch settings.sizeRule {
    case .combined:
      let size = attributesSize + contentSize
      guard size > limit else { return }
      throw ActivityRefusal(
        .attributesTooLarge,
        "Attributes and content state take \(size) bytes as JSON (\(attributesSize) and "
          + "\(contentSize)), and \(limit) are allowed together. Send less: name things, and "
          + "keep images and texts in the app.",
        numbers: [.init("size", size)] + sizes)
    case .each:
      let (name, size) =
        attributesSize > limit
        ? ("attributes", attributesSize) : ("content state", contentSize)
      guard size > limit else { return }
      throw ActivityRefusal(
        .attributesTooLarge,
        "The \(name) takes \(size) bytes as JSON, and \(limit) are allowed. Send less: name "
          + "things, and keep images and texts in the app.",
        numbers: [.init("size", size)] + sizes)
    }
  }
}
