import ChannelCodec
import ChannelRouter

// How activities move from state to state, by deed and by time.
extension ActivityStore {
  private static var never: DeviceTime { DeviceTime(microseconds: .max) }

  func change(_ activity: LiveActivity, to state: LiveActivity.State) {
    let before = activity.state
    activity.state = state
    tell(.stateChanged(activity, from: before, to: state))
  }

  /// Ends a live activity.
  func finish(
    _ activity: LiveActivity, dismissal: LiveActivity.Dismissal, contentState: Value? = nil,
    by actor: LiveActivity.Actor, at time: DeviceTime
  ) {
    let removal = removalTime(of: activity, dismissal: dismissal, endedAt: time)
    activity.endedAt = time
    activity.endedBy = actor
    activity.dismissal = dismissal
    activity.removalAt = removal
    activity.note(.ended, by: actor, at: time, contentState: contentState)
    // Nothing of a pending activity is on the Lock Screen, so nothing stays there either.
    let isGone = removal <= time || activity.state == .pending
    if isGone && !settings.immediateEndPassesEnded {
      tell(.ended(activity, by: actor))
      dismiss(activity, by: actor, at: time)
      return
    }
    endedCount += 1
    change(activity, to: .ended)
    tell(.ended(activity, by: actor))
    giveUpIsland(activity)
    if isGone {
      dismiss(activity, by: actor, at: time)
    } else {
      plan(activity)
      makeRoomForEnded(at: time)
    }
  }

  private func removalTime(
    of activity: LiveActivity, dismissal: LiveActivity.Dismissal, endedAt time: DeviceTime
  ) -> DeviceTime {
    var latest = time + settings.endedLifetime
    if let start = activity.startedAt { latest = min(latest, start + settings.totalLifetime) }
    return switch dismissal {
    case .default: latest
    case .immediate: time
    case .after(let date): max(min(date, latest), time)
    }
  }

  /// Takes an activity off the screen.
  func dismiss(_ activity: LiveActivity, by actor: LiveActivity.Actor, at time: DeviceTime) {
    // An observer may have come first.
    guard activity.state != .dismissed, !activity.isForgotten else { return }
    if activity.state == .ended { endedCount -= 1 }
    forgetAlarms(of: activity)
    known.removeAll { $0 === activity }
    removed.append(activity)
    activity.dismissedAt = time
    activity.dismissedBy = actor
    activity.note(.dismissed, by: actor, at: time)
    change(activity, to: .dismissed)
    tell(.dismissed(activity, by: actor))
    giveUpIsland(activity)
    while removed.count > max(settings.rememberedActivities, 0) {
      let oldest = removed.removeFirst()
      byID[oldest.id] = nil
      oldest.isForgotten = true
      tell(.forgotten(oldest))
    }
  }

  private func makeRoomForEnded(at time: DeviceTime) {
    while endedCount > max(settings.maximumEndedOnScreen, 0) {
      let ended = known.filter { $0.state == .ended }
      guard
        let first = ended.min(by: {
          ($0.endedAt ?? time, $0.number) < ($1.endedAt ?? time, $1.number)
        })
      else { return }
      dismiss(first, by: .system, at: time)
    }
  }

  // MARK: - Time

  /// Works out what is due next for `activity`, and has the clock wake the store for it. An alarm
  /// that is too early stays: it finds nothing to do and sets the next.
  func plan(_ activity: LiveActivity) {
    activity.deadline = nextDeadline(of: activity)
    guard activity.deadline < activity.alarmTime else { return }
    if let alarm = activity.alarm { clock.cancel(alarm) }
    activity.alarmTime = activity.deadline
    activity.alarm = clock.schedule(at: activity.deadline) { [unowned self] in
      activity.alarm = nil
      activity.alarmTime = ActivityStore.never
      settle(activity, at: clock.now)
      plan(activity)
    }
  }

  private func nextDeadline(of activity: LiveActivity) -> DeviceTime {
    guard !activity.isForgotten else { return ActivityStore.never }
    switch activity.state {
    case .pending: return activity.scheduledStart ?? activity.requestedAt
    case .active, .stale:
      let end = activity.systemEndAt ?? ActivityStore.never
      guard activity.state == .active, let stale = activity.content.staleDate else { return end }
      return min(stale, end)
    case .ended: return activity.removalAt ?? ActivityStore.never
    case .dismissed: return ActivityStore.never
    }
  }

  /// Does what is due, each thing at its own time, also where the clock's alarm is late.
  func settle(_ activity: LiveActivity, at now: DeviceTime) {
    while activity.deadline <= now {
      let time = max(activity.deadline, activity.lastChangedAt)
      let end = activity.systemEndAt ?? ActivityStore.never
      switch activity.state {
      case .pending: activate(activity, at: time)
      case .active where (activity.content.staleDate ?? ActivityStore.never) < end:
        activity.note(.stale, by: .system, at: time)
        change(activity, to: .stale)
      case .active, .stale: finish(activity, dismissal: .default, by: .system, at: time)
      case .ended: dismiss(activity, by: .system, at: time)
      case .dismissed: return
      }
      activity.deadline = nextDeadline(of: activity)
    }
  }

  func settleAll() {
    let now = clock.now
    for activity in known where activity.deadline <= now {
      settle(activity, at: now)
      plan(activity)
    }
  }

  private func activate(_ activity: LiveActivity, at time: DeviceTime) {
    activity.startedAt = time
    activity.systemEndAt = time + settings.activeLifetime
    activity.note(.started, by: .system, at: time)
    change(activity, to: .active)
    if let alert = activity.alert { tell(.alerted(activity, alert)) }
    offerIsland(to: activity)
  }

  func forgetAlarms(of activity: LiveActivity) {
    if let alarm = activity.alarm { clock.cancel(alarm) }
    if let alarm = activity.tokenAlarm { clock.cancel(alarm) }
    (activity.alarm, activity.tokenAlarm) = (nil, nil)
    activity.alarmTime = ActivityStore.never
    activity.deadline = ActivityStore.never
  }

  // MARK: - Dynamic Island

  /// A new active activity takes the Island from one with a lower score.
  func offerIsland(to activity: LiveActivity) {
    guard settings.hasDynamicIsland, activity.isOnIslandTerms else { return }
    if let owner = islandOwner {
      guard activity !== owner, activity.outranks(owner) else { return }
    }
    setIslandOwner(activity)
  }

  func rerankIsland(_ activity: LiveActivity, rankBefore: Double) {
    guard settings.hasDynamicIsland, activity.isOnIslandTerms else { return }
    if activity !== islandOwner {
      offerIsland(to: activity)
    } else if activity.rank < rankBefore {
      setIslandOwner(bestForIsland)
    }
  }

  func giveUpIsland(_ activity: LiveActivity) {
    if activity === islandOwner { setIslandOwner(bestForIsland) }
  }

  private var bestForIsland: LiveActivity? {
    var best: LiveActivity?
    for activity in known where activity.isOnIslandTerms {
      if best.map(activity.outranks) ?? true { best = activity }
    }
    return best
  }

  private func setIslandOwner(_ activity: LiveActivity?) {
    guard activity !== islandOwner else { return }
    islandOwner = activity
    tell(.islandChanged(activity))
  }
}

extension LiveActivity {
  /// Ended activities leave the Island at once, pending ones are not there yet.
  fileprivate var isOnIslandTerms: Bool { state == .active || state == .stale }

  /// The higher score; of equal ones the one that started first.
  fileprivate func outranks(_ other: LiveActivity) -> Bool {
    if rank != other.rank { return rank > other.rank }
    let (own, others) = (startedAt ?? requestedAt, other.startedAt ?? other.requestedAt)
    return own != others ? own < others : number < other.number
  }
}
