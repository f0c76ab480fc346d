import AppDevice
import ChannelRouter
import EmulatedDevice
import LiveActivities
import Synchronization
import SystemInterface

/// What ActivityKit keeps about a device: which activities the app has handles to, and what is to be
/// told about them.
///
/// Belongs to the device's thread, but for ``of(_:)``.
final class DeviceBook: @unchecked Sendable {
  private struct Handle {
    weak var object: AnyObject?
  }

  private static let current = Guarded<DeviceBook?>(nil)

  private weak var device: AppDevice?
  private var handles: [ObjectIdentifier: Handle] = [:]
  private var types: Set<String> = []
  private var told: Set<String> = []
  /// The newest message that has changed an activity.
  private var causes: [ObjectIdentifier: MessageCause] = [:]
  private var isRequesting = false
  /// The message that the current call of the app runs for.
  private var cause: MessageCause?

  /// The book of a device. There is one device at a time as a rule, so only the last is kept.
  static func of(_ device: AppDevice) -> DeviceBook {
    let (book, isNew) = current.withLock { book in
      if let book, book.device === device { return (book, false) }
      let made = DeviceBook(device)
      book = made
      return (made, true)
    }
    // Not under the lock: the device's thread may want the book meanwhile.
    if isNew { device.perform { emulated in book.watch(emulated.store) } }
    return book
  }

  private init(_ device: AppDevice) { self.device = device }

  private func watch(_ store: ActivityStore) {
    store.observe { [weak self] event in self?.tell(event) }
  }

  /// What is to be told meanwhile is about this message.
  func acting<Result, Failure: Error>(
    for cause: MessageCause?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = self.cause
    self.cause = cause
    defer { self.cause = before }
    return try body()
  }

  // MARK: - Types

  /// Has pushes for this type checked by the app's own decoders.
  func register<Attributes: ActivityAttributes>(
    _ type: Attributes.Type, with store: ActivityStore
  ) {
    guard types.insert(String(describing: type)).inserted else { return }
    store.registerAttributesType(
      String(describing: type),
      attributes: { Payload.problem(type, in: $0, root: "attributes") },
      contentState: {
        Payload.problem(Attributes.ContentState.self, in: $0, root: "content-state")
      })
  }

  // MARK: - Handles

  /// The handle that the app has to an activity.
  func handle(to activity: LiveActivity) -> AnyObject? {
    handles[ObjectIdentifier(activity)]?.object
  }

  func keep(_ handle: AnyObject, to activity: LiveActivity) {
    handles[ObjectIdentifier(activity)] = Handle(object: handle)
  }

  /// The app has let go of a handle; tells so if it was the last way to an activity of its own.
  func lose(_ activity: LiveActivity) {
    let key = ObjectIdentifier(activity)
    guard handles[key]?.object == nil else { return }
    handles[key] = nil
    guard activity.state.isLive, !activity.isForgotten, activity.startedBy == .app,
      told.insert("handle \(activity.id)").inserted
    else { return }
    report(
      .warning,
      "the app has let go of its handle to the activity \(activity.id), which is "
        + "\(activity.state.rawValue): it stays on the Lock Screen and can no longer be updated or "
        + "ended but through Activity<\(activity.attributesType)>.activities. Keep the handle, "
        + "and end the activity before you start another")
  }

  // MARK: - Requests and changes

  func request(
    _ request: ActivityRequest, from store: ActivityStore
  ) throws(ActivityRefusal) -> LiveActivity {
    isRequesting = true
    defer { isRequesting = false }
    do throws(ActivityRefusal) {
      let activity = try store.request(request)
      causes[ObjectIdentifier(activity)] = cause
      return activity
    } catch {
      report(
        .warning,
        "a request for \(request.attributesType) has been refused: \(error)")
      throw error
    }
  }

  /// Tells if the message behind this change came before the one behind an earlier change.
  func note(_ change: String, of activity: LiveActivity) {
    guard let cause else { return }
    let key = ObjectIdentifier(activity)
    if let last = causes[key], last.number > cause.number {
      report(
        .warning,
        "out of order: the \(change) of message \(cause.number), \(cause.label), reaches the "
          + "activity \(activity.id) after message \(last.number), \(last.label). Tasks that a "
          + "handler starts run in no promised order; queue them, or pass timestamp:")
      return
    }
    causes[key] = cause
  }

  /// Tells once if the app uses what the emulated version of iOS does not have: `#available` is
  /// always true outside of Apple's systems, so the app cannot know.
  func needs(_ version: OSVersion, for name: String, on store: ActivityStore) {
    guard store.settings.osVersion < version, told.insert("version \(name)").inserted else {
      return
    }
    report(
      .warning,
      "\(name) needs iOS \(version), and this device has \(store.settings.osVersion). "
        + "#available is always true here; on a device of that version the code would not run")
  }

  // MARK: - Telling

  private func tell(_ event: ActivityEvent) {
    switch event {
    case .pushFaults(let faults):
      for fault in faults { report(fault.isFatal ? .warning : .info, "push: \(fault)") }
    case .refused(nil, let refusal) where !isRequesting:
      report(.warning, "a start by push has been refused: \(refusal)")
    case .refused(let activity?, let refusal):
      report(.warning, "a change of the activity \(activity.id) has been refused: \(refusal)")
    case .ignored(let activity?, by: let actor, let reason):
      report(
        .info,
        "an update or end by \(actor.rawValue) of the activity \(activity.id) has no "
          + "effect: \(reason)")
    case .forgotten(let activity): forget(activity)
    case .reset:
      causes = [:]
      told = []
    default: break
    }
  }

  private func forget(_ activity: LiveActivity) {
    causes[ObjectIdentifier(activity)] = nil
    told.remove("handle \(activity.id)")
  }

  /// In the log and the journal, there with the message that it is about, and as a log frame.
  func report(_ level: MessengerReport.Level, _ text: String) {
    guard let cause else {
      device?.report(level, "ActivityKit: \(text)")
      return
    }
    device?.perform { emulated in
      let messenger = emulated.messenger
      messenger.report(
        MessengerReport(
          .remark, level, "\(cause.label): \(text)",
          channel: messenger.journal.entry(cause.number)?.channel, call: cause.number))
    }
  }
}
