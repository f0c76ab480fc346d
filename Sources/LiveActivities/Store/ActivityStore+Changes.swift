import ChannelCodec
import ChannelRouter

extension ActivityStore {
  /// ActivityKit's `update(_:alertConfiguration:timestamp:)`, which never throws.
  ///
  /// - Parameter timestamp: older than the last update, end or push: ignored (iOS 17.2).
  @discardableResult
  public func update(
    _ activity: LiveActivity, _ content: LiveActivity.Content, alert: LiveActivity.Alert? = nil,
    timestamp: DeviceTime? = nil
  ) -> ActivityOutcome {
    let now = clock.now
    return update(
      activity, content, alert: alert, stamp: timestamp.map { .exact($0) }, by: .app, at: now)
  }

  /// ActivityKit's `end(_:dismissalPolicy:timestamp:)`, which never throws.
  ///
  /// - Parameters:
  ///   - content: the last to be shown; nil keeps what is there.
  ///   - timestamp: older than the last update, end or push: ignored (iOS 17.2).
  @discardableResult
  public func end(
    _ activity: LiveActivity, _ content: LiveActivity.Content? = nil,
    dismissal: LiveActivity.Dismissal = .default, timestamp: DeviceTime? = nil
  ) -> ActivityOutcome {
    end(
      activity, content, dismissal: dismissal, stamp: timestamp.map { .exact($0) }, by: .app,
      at: clock.now)
  }

  /// The person swipes the activity away.
  @discardableResult
  public func dismissByUser(_ activity: LiveActivity) -> ActivityOutcome {
    let now = clock.now
    settle(activity, at: now)
    guard !activity.isForgotten else { return .ignored(.unknownActivity) }
    guard activity.state != .dismissed else { return .ignored(.over(.dismissed)) }
    dismiss(activity, by: .user, at: now)
    return .applied
  }

  /// The same as ``update(_:_:alert:timestamp:)`` for the activity with this id.
  @discardableResult
  public func update(
    id: String, _ content: LiveActivity.Content, alert: LiveActivity.Alert? = nil,
    timestamp: DeviceTime? = nil
  ) -> ActivityOutcome {
    guard let activity = byID[id] else { return unknown(by: .app) }
    return update(activity, content, alert: alert, timestamp: timestamp)
  }

  /// The same as ``end(_:_:dismissal:timestamp:)`` for the activity with this id.
  @discardableResult
  public func end(
    id: String, _ content: LiveActivity.Content? = nil,
    dismissal: LiveActivity.Dismissal = .default, timestamp: DeviceTime? = nil
  ) -> ActivityOutcome {
    guard let activity = byID[id] else { return unknown(by: .app) }
    return end(activity, content, dismissal: dismissal, timestamp: timestamp)
  }

  /// The person swipes the activity with this id away.
  @discardableResult
  public func dismissByUser(id: String) -> ActivityOutcome {
    guard let activity = byID[id] else { return unknown(by: .user) }
    return dismissByUser(activity)
  }

  func unknown(by actor: LiveActivity.Actor) -> ActivityOutcome {
    tell(.ignored(nil, by: actor, .unknownActivity))
    return .ignored(.unknownActivity)
  }

  // MARK: - For app and push alike

  /// A timestamp as its sender has it.
  enum Stamp {
    case exact(DeviceTime)
    /// Of a push: whole seconds, so a change within the same second is not newer.
    case wholeSecond(DeviceTime)
  }

  func update(
    _ activity: LiveActivity, _ content: LiveActivity.Content, alert: LiveActivity.Alert?,
    stamp: Stamp?, by actor: LiveActivity.Actor, at now: DeviceTime
  ) -> ActivityOutcome {
    if let outcome = obstacle(to: activity, stamp: stamp, by: actor, at: now) { return outcome }
    let stateBefore = activity.state
    let hadStaleDate = activity.content.staleDate != nil
    let isRendered: Bool
    do throws(ActivityRefusal) {
      isRendered = try replace(content, of: activity)
    } catch {
      return refuse(error, activity, by: actor, at: now)
    }
    accept(stamp, activity, at: now)
    activity.updateCount &+= 1
    activity.note(.updated, by: actor, at: now, contentState: content.state)
    if let alert { activity.alert = alert }
    tell(.updated(activity, by: actor, isRendered: isRendered))
    if let alert { tell(.alerted(activity, alert)) }
    let isStale = content.staleDate.map { $0 <= now } ?? false
    if activity.state == .stale, !isStale, settings.updateRevivesStale {
      change(activity, to: .active)
    }
    if hadStaleDate || content.staleDate != nil || activity.state != stateBefore {
      plan(activity)
    }
    return isRendered ? .applied : .appliedUnchanged
  }

  func end(
    _ activity: LiveActivity, _ content: LiveActivity.Content?,
    dismissal: LiveActivity.Dismissal, stamp: Stamp?, by actor: LiveActivity.Actor,
    at now: DeviceTime
  ) -> ActivityOutcome {
    if let outcome = obstacle(to: activity, stamp: stamp, by: actor, at: now) { return outcome }
    if let content {
      do throws(ActivityRefusal) {
        _ = try replace(content, of: activity)
      } catch {
        return refuse(error, activity, by: actor, at: now)
      }
    }
    accept(stamp, activity, at: now)
    finish(activity, dismissal: dismissal, contentState: content?.state, by: actor, at: now)
    return .applied
  }

  /// Why a change cannot have effect.
  private func obstacle(
    to activity: LiveActivity, stamp: Stamp?, by actor: LiveActivity.Actor, at now: DeviceTime
  ) -> ActivityOutcome? {
    if activity.deadline <= now { settle(activity, at: now) }
    let reason: ActivityOutcome.Ignored
    if activity.isForgotten {
      reason = .unknownActivity
    } else if !activity.state.isLive {
      reason = .over(activity.state)
    } else if let stamp, let last = activity.lastTimestamp, let given = stamp.older(than: last) {
      reason = .olderTimestamp(given: given, last: last)
    } else {
      return nil
    }
    activity.ignoredCount &+= 1
    activity.note(.ignored, by: actor, at: now, reason.description)
    tell(.ignored(activity, by: actor, reason))
    return .ignored(reason)
  }

  private func refuse(
    _ refusal: ActivityRefusal, _ activity: LiveActivity, by actor: LiveActivity.Actor,
    at now: DeviceTime
  ) -> ActivityOutcome {
    activity.ignoredCount &+= 1
    activity.note(.refused, by: actor, at: now, refusal.description)
    tell(.refused(activity, refusal))
    return .refused(refusal)
  }

  private func accept(_ stamp: Stamp?, _ activity: LiveActivity, at now: DeviceTime) {
    let time =
      switch stamp {
      case .exact(let time), .wholeSecond(let time): time
      case nil: now
      }
    if let last = activity.lastTimestamp, last > time { return }
    activity.lastTimestamp = time
  }

  /// Takes over new content if it fits. Answers whether the content state differs from the last.
  private func replace(
    _ content: LiveActivity.Content, of activity: LiveActivity
  ) throws(ActivityRefusal) -> Bool {
    let size = PayloadSize.of(content.state)
    let taken = settings.sizeRule == .combined ? activity.attributesSize : 0
    if size.bound.map({ $0 &+ taken > settings.maximumSize }) ?? true {
      let exact = try PayloadSize.exact(content.state, "content state")
      try check(attributesSize: activity.attributesSize, contentSize: exact)
    }
    let isRendered =
      size.fingerprint != activity.contentFingerprint
      || content.state != activity.content.state
    let rankBefore = activity.rank
    activity.content = content
    activity.contentFingerprint = size.fingerprint
    if activity.rank != rankBefore { rerankIsland(activity, rankBefore: rankBefore) }
    return isRendered
  }
}

extension ActivityStore.Stamp {
  /// The time of the stamp, if it is older than `last`.
  func older(than last: DeviceTime) -> DeviceTime? {
    switch self {
    case .exact(let time): time < last ? time : nil
    case .wholeSecond(let time):
      time.microseconds.flooredSeconds < last.microseconds.flooredSeconds ? time : nil
    }
  }
}

extension Int64 {
  /// Of microseconds, rounded down.
  fileprivate var flooredSeconds: Int64 {
    self >= 0 ? self / 1_000_000 : (self + 1) / 1_000_000 - 1
  }
}
