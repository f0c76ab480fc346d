/// What happens in an ``ActivityStore``, told to its observers after the fact and in order.
public enum ActivityEvent {
  /// Told to a new observer only: an activity that was there before it, if
  /// ``ActivitySettings/observersGetCurrentFirst``.
  case present(LiveActivity)
  /// Requested by the app or started by a push; its state is active or pending.
  case started(LiveActivity, by: LiveActivity.Actor)
  /// New content. `isRendered` is false where the content state equals the one before.
  case updated(LiveActivity, by: LiveActivity.Actor, isRendered: Bool)
  case stateChanged(LiveActivity, from: LiveActivity.State, to: LiveActivity.State)
  case ended(LiveActivity, by: LiveActivity.Actor)
  /// Gone from the Lock Screen.
  case dismissed(LiveActivity, by: LiveActivity.Actor)
  /// Forgotten for good: it can no longer be looked up by its id.
  case forgotten(LiveActivity)
  case alerted(LiveActivity, LiveActivity.Alert)
  case tokenChanged(LiveActivity, token: String)
  case pushToStartTokenChanged(token: String)
  /// Another activity, or none, has the Dynamic Island.
  case islandChanged(LiveActivity?)
  /// An update or end without effect.
  case ignored(LiveActivity?, by: LiveActivity.Actor, ActivityOutcome.Ignored)
  /// A request (no activity) or update that was refused.
  case refused(LiveActivity?, ActivityRefusal)
  /// A push that reached no activity, or has something to remark on.
  case pushFaults([PushFault])
  /// `areActivitiesEnabled`.
  case authorizationChanged(Bool)
  /// `frequentPushesEnabled`.
  case frequentPushesChanged(Bool)
  case foregroundChanged(Bool)
  /// Everything is as at the start; activities from before are unknown.
  case reset
}
