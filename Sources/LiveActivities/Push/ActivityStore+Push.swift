import ChannelCodec
import ChannelRouter

extension ActivityStore {
  /// Delivers an APNs payload (`{"aps": {…}}`) as APNs and the device would, and tells every fault
  /// that both keep to themselves.
  ///
  /// - Parameter priority: the header `apns-priority`; 10 counts against the budget.
  @discardableResult
  public func deliverPush(
    _ payload: Value, to target: PushTarget = .automatic, priority: Int = 10
  ) -> PushReport {
    var report = PushReport()
    let fault: PushFault
    switch (payload, payload["aps"]) {
    case (.map, .map(let aps)?):
      deliver(
        PayloadReader(aps, path: "aps", stage: .device), size: payload, to: target,
        priority: priority, &report)
      return conclude(report)
    case (.map, let aps?):
      fault = PushFault(
        .device, "aps", "expected an object, found \(aps.jsonName)",
        "Put event, timestamp and content-state into it")
    case (.map, nil) where payload["request"] != nil:
      fault = PushFault(
        .device, "aps", "missing",
        "This is a request to Pushwoosh's server; deliver it as a server request")
    case (.map, nil):
      fault = PushFault(
        .device, "aps", "missing", "Put the fields of the push into an object named aps")
    default:
      fault = PushFault(
        .device, "", "expected an object, found \(payload.jsonName)",
        "A payload is {\"aps\": {…}}")
    }
    report.faults.append(fault)
    return conclude(report)
  }

  /// The same for JSON text, which may have `//` and `/* */` comments and trailing commas; what is
  /// weighed is the text without them.
  @discardableResult
  public func deliverPush(
    json: [UInt8], to target: PushTarget = .automatic, priority: Int = 10
  ) -> PushReport {
    do throws(PushFault) {
      return deliverPush(try CommentedJSON.read(json), to: target, priority: priority)
    } catch {
      return conclude(PushReport(error))
    }
  }

  /// The same for a string.
  @discardableResult
  public func deliverPush(
    json: String, to target: PushTarget = .automatic, priority: Int = 10
  ) -> PushReport {
    deliverPush(json: Array(json.utf8), to: target, priority: priority)
  }

  func conclude(_ report: PushReport) -> PushReport {
    if !report.faults.isEmpty { tell(.pushFaults(report.faults)) }
    return report
  }

  /// Where a push goes, worked out before its fields are read.
  enum Address {
    case target(PushTarget)
    /// What the backend has found for a Live Activity id.
    case activities([LiveActivity])
  }

  func deliver(
    _ reader: PayloadReader, size payload: Value, to target: PushTarget, priority: Int,
    _ report: inout PushReport
  ) {
    deliver(reader, size: payload, to: .target(target), priority: priority, &report)
  }

  func deliver(
    _ reader: PayloadReader, size payload: Value, to address: Address, priority: Int,
    _ report: inout PushReport
  ) {
    settleAll()
    var reader = reader
    let push = PushPayload(&reader, startNeedsAlert: settings.startPushNeedsAlert)
    report.faults += reader.faults
    if let fault = sizeFault(of: payload) { report.faults.append(fault) }
    guard let push, !report.faults.contains(where: \.isFatal) else { return }
    if push.event == .start {
      startByPush(push, path: reader.path, address, &report)
    } else {
      let activities: [LiveActivity]
      do throws(PushFault) {
        activities = try receivers(at: address)
      } catch {
        report.faults.append(error)
        return
      }
      for activity in activities {
        change(activity, by: push, path: reader.path, priority: priority, &report)
      }
    }
  }

  private func sizeFault(of payload: Value) -> PushFault? {
    let size: Int
    do throws(ActivityRefusal) {
      size = try PayloadSize.exact(payload, "payload")
    } catch {
      return PushFault(.text, "", error.message, "Send only what JSON has")
    }
    guard size > settings.maximumPushSize else { return nil }
    return PushFault(
      .apns, "", "takes \(size) bytes, and \(settings.maximumPushSize) are allowed",
      "APNs answers 413 PayloadTooLarge; send less")
  }

  // MARK: - Start

  private func startByPush(
    _ push: PushPayload, path: String, _ address: Address, _ report: inout PushReport
  ) {
    if let fault = obstacleToStart(push, path: path, address) {
      report.faults.append(fault)
      return
    }
    guard let type = push.attributesType, let attributes = push.attributes,
      let content = push.content
    else { return }
    let problems = [
      attributesTypes[type]?.attributesProblem?(attributes),
      attributesTypes[type]?.contentStateProblem?(content.state),
    ].compactMap { $0 }
    guard problems.isEmpty else {
      report.faults += problems.map { PushFault($0, path: path, type: type) }
      return
    }
    do throws(ActivityRefusal) {
      try checkDevice()
      let activity = try start(
        ActivityRequest(
          attributesType: type, attributes: attributes, content: content,
          pushType: push.pushType, alert: push.alert),
        by: .push)
      activity.lastTimestamp = push.timestamp
      report.results.append(.init(activityID: activity.id, outcome: .applied))
    } catch {
      report.refusal = error
      tell(.refused(nil, error))
    }
  }

  private func obstacleToStart(
    _ push: PushPayload, path: String, _ address: Address
  ) -> PushFault? {
    guard settings.osVersion >= OSVersion(17, 2) else {
      return PushFault(
        .device, "\(path).event", "a start by push needs iOS 17.2",
        "This device has \(settings.osVersion); let the app start the activity")
    }
    if case .target(let target) = address, let fault = startTargetFault(target) { return fault }
    if let type = push.attributesType, !attributesTypes.isEmpty, attributesTypes[type] == nil {
      let types = registeredAttributesTypes.joined(separator: ", ")
      return PushFault(
        .device, "\(path).attributes-type",
        "the app has no struct \(Value.Text(type).quoted)",
        "Names count to the letter; the app has \(types)")
    }
    return nil
  }

  private func startTargetFault(_ target: PushTarget) -> PushFault? {
    switch target {
    case .automatic: return nil
    case .token(let token) where token == pushToStartToken: return nil
    case .token(let token):
      let isActivity = (known + removed).contains { $0.pushToken == token }
      return PushFault(
        .apns, "", "this is not the push-to-start token",
        isActivity
          ? "It belongs to an activity and is for update and end"
          : "APNs answers 400 BadDeviceToken or 410 Unregistered; take the newest token of "
            + "pushToStartTokenUpdates")
    case .activity, .channel:
      return PushFault(
        .apns, "", "a start goes to the push-to-start token",
        "An activity or channel takes update and end")
    }
  }

  // MARK: - Update and end

  private func change(
    _ activity: LiveActivity, by push: PushPayload, path: String, priority: Int,
    _ report: inout PushReport
  ) {
    let type = activity.attributesType
    if let state = push.contentState,
      let problem = attributesTypes[type]?.contentStateProblem?(state)
    {
      report.faults.append(PushFault(problem, path: path, type: type))
      return
    }
    let now = clock.now
    let outcome: ActivityOutcome
    if let limit = exceededBudget(of: activity, priority: priority, at: now) {
      activity.ignoredCount &+= 1
      let reason = ActivityOutcome.Ignored.overBudget(limit: limit)
      activity.note(.ignored, by: .push, at: now, reason.description)
      tell(.ignored(activity, by: .push, reason))
      outcome = .ignored(reason)
    } else if push.event == .update, let content = push.content {
      outcome = update(
        activity, content, alert: push.alert, stamp: .wholeSecond(push.timestamp), by: .push,
        at: now)
    } else {
      let dismissal: LiveActivity.Dismissal =
        push.dismissalDate.map { $0 <= now ? .immediate : .after($0) } ?? .default
      outcome = end(
        activity, push.content, dismissal: dismissal, stamp: .wholeSecond(push.timestamp),
        by: .push, at: now)
      if outcome.isApplied, let alert = push.alert { tell(.alerted(activity, alert)) }
    }
    report.results.append(.init(activityID: activity.id, outcome: outcome))
  }

  /// The budget, if this push would go beyond it.
  private func exceededBudget(
    of activity: LiveActivity, priority: Int, at now: DeviceTime
  ) -> Int? {
    let budget =
      frequentPushesEnabled ? settings.frequentPushBudget : settings.pushBudget
    guard priority >= 10, let budget, activity.state.isLive else { return nil }
    if now >= activity.budgetStart + .seconds(3600) {
      activity.budgetStart = now
      activity.budgetUsed = 0
    }
    guard activity.budgetUsed < budget else { return budget }
    activity.budgetUsed += 1
    return nil
  }

  private func receivers(at address: Address) throws(PushFault) -> [LiveActivity] {
    switch address {
    case .activities(let activities): return activities
    case .target(.automatic): return [try onlyReceiver()]
    case .target(.token(let token)):
      let found = (known + removed).first { $0.pushToken == token }
      if let found { return [found] }
      throw PushFault(
        .apns, "", "no activity has this push token",
        token == pushToStartToken
          ? "It is the push-to-start token, which is for the event start"
          : "APNs answers 400 BadDeviceToken or 410 Unregistered; tokens change, take the newest "
            + "of pushTokenUpdates")
    case .target(.activity(let id)):
      guard let activity = byID[id] else {
        throw PushFault(
          .apns, "", "there is no activity \(id)", "It has been removed, or never was")
      }
      guard activity.pushType != .none else { throw withoutPush(activity) }
      return [activity]
    case .target(.channel(let channel)):
      let found = known.filter { $0.pushType == .channel(channel) }
      guard found.isEmpty else { return found }
      throw PushFault(
        .remark, "", "no activity listens to the channel \(Value.Text(channel).quoted)",
        "Start one with the push type channel")
    }
  }

  /// The one that a push without address can only mean; of several that are over, the last.
  private func onlyReceiver() throws(PushFault) -> LiveActivity {
    let pushable = (removed + known).filter { $0.pushType != .none }
    let live = pushable.filter(\.state.isLive)
    if live.count > 1 {
      throw PushFault(
        .apns, "", "\(live.count) activities take pushes",
        "Name a push token or an activity: \(live.map(\.id).joined(separator: ", "))")
    }
    if let only = live.first { return only }
    if let silent = known.last(where: { $0.state.isLive }) { throw withoutPush(silent) }
    if let last = pushable.last { return last }
    throw PushFault(.apns, "", "there is no activity", "Start one first, with a push type")
  }

  private func withoutPush(_ activity: LiveActivity) -> PushFault {
    PushFault(
      .apns, "", "the activity \(activity.id) was started without a push type and has no token",
      "Start it with pushType: .token")
  }
}

extension PushReport {
  init(_ fault: PushFault) { faults = [fault] }
}

extension PushFault {
  /// What the widget's decoder would choke on.
  init(_ problem: DecodingProblem, path: String, type: String) {
    let isDefault = type == ActivityStore.defaultAttributesType
    let advice =
      switch problem.path {
      case "attributes.pushwoosh" where isDefault:
        "Pushwoosh's server adds it; a payload of your own needs {\"activityId\": …}"
      case "attributes.data" where isDefault, "content-state.data" where isDefault:
        "With \(type), your fields go into an object named data"
      default:
        "The device logs \"Unable to decode content state\" and shows nothing new; send what the "
          + "struct has"
      }
    let found = problem.found.map { "expected \(problem.expected), found \($0)" }
    self.init(
      .device, "\(path).\(problem.path)", found ?? "missing, expected \(problem.expected)", advice)
  }
}
