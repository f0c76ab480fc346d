import AppDevice
import ChannelRouter
import EmulatedDevice
import LiveActivities

// Updates and ends never throw. What comes of them is told in the log, the journal and to clients
// that asked for logs.
extension Activity {
  /// Shows another content state (iOS 16.1; deprecated with 16.2).
  public func update(using contentState: ContentState) async {
    change(ActivityContent(state: contentState, staleDate: nil), OSVersion(16, 1))
  }

  /// Shows another content state and alerts the person (iOS 16.1; deprecated with 16.2).
  public func update(
    using contentState: ContentState, alertConfiguration: AlertConfiguration? = nil
  ) async {
    change(
      ActivityContent(state: contentState, staleDate: nil), OSVersion(16, 1),
      alert: alertConfiguration)
  }

  /// Shows other content (iOS 16.2).
  public func update(_ content: ActivityContent<ContentState>) async {
    change(content, OSVersion(16, 2))
  }

  /// Shows other content and alerts the person (iOS 16.2).
  public func update(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil
  ) async {
    change(content, OSVersion(16, 2), alert: alertConfiguration)
  }

  /// Shows other content, unless there has been a newer change or push (iOS 17.2).
  public func update(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil,
    timestamp: Date
  ) async {
    change(content, OSVersion(17, 2), alert: alertConfiguration, timestamp: timestamp)
  }

  /// Ends the activity, with a last content state or the one it has (iOS 16.1; deprecated with
  /// 16.2).
  public func end(
    using contentState: ContentState? = nil,
    dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {
    finish(
      contentState.map { ActivityContent(state: $0, staleDate: nil) }, dismissalPolicy,
      OSVersion(16, 1))
  }

  /// Ends the activity, with a last content or the one it has (iOS 16.2).
  public func end(
    _ content: ActivityContent<ContentState>?,
    dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {
    finish(content, dismissalPolicy, OSVersion(16, 2))
  }

  /// Ends the activity, unless there has been a newer change or push (iOS 17.2).
  public func end(
    _ content: ActivityContent<ContentState>?,
    dismissalPolicy: ActivityUIDismissalPolicy = .default, timestamp: Date
  ) async {
    finish(content, dismissalPolicy, OSVersion(17, 2), timestamp: timestamp)
  }

  private func change(
    _ content: ActivityContent<ContentState>, _ version: OSVersion,
    alert: AlertConfiguration? = nil, timestamp: Date? = nil
  ) {
    let cause = MessageCause.current
    guard let new = written(content, cause) else { return }
    act(for: cause) { store in
      book.needs(version, for: "this update", on: store)
      book.note("update", of: stored)
      let outcome = store.update(
        stored, new, alert: alert?.stored, timestamp: timestamp.map { DeviceTime($0) })
      if outcome.isApplied { remember(content.state, as: new.state) }
    }
  }

  private func finish(
    _ content: ActivityContent<ContentState>?, _ policy: ActivityUIDismissalPolicy,
    _ version: OSVersion, timestamp: Date? = nil
  ) {
    let cause = MessageCause.current
    var last: LiveActivity.Content?
    if let content {
      last = written(content, cause)
      // On a device the call fails as a whole where the content cannot be written.
      if last == nil { return }
    }
    act(for: cause) { store in
      book.needs(version, for: "this end", on: store)
      book.note("end", of: stored)
      let outcome = store.end(
        stored, last, dismissal: policy.stored, timestamp: timestamp.map { DeviceTime($0) })
      if outcome.isApplied, let content, let last { remember(content.state, as: last.state) }
    }
  }

  private func written(
    _ content: ActivityContent<ContentState>, _ cause: MessageCause?
  ) -> LiveActivity.Content? {
    do {
      return try Activity.stored(content)
    } catch {
      let text =
        "a change of the activity \(id) is lost: its content cannot be written as JSON: \(error)"
      act(for: cause) { _ in book.report(.warning, text) }
      return nil
    }
  }

  private func act(for cause: MessageCause?, _ body: (ActivityStore) -> Void) {
    device.perform { emulated in book.acting(for: cause) { body(emulated.store) } }
  }
}
