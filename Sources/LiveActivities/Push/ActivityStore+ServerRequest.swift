import ChannelCodec
import ChannelRouter

extension ActivityStore {
  /// Delivers a request to Pushwoosh's server (`{"request": {"notifications": […]}}`, the bodies of
  /// `startLiveActivity` and `updateLiveActivity`), completed as the backend does: timestamp, alert,
  /// and `pushwoosh.activityId` in the attributes.
  @discardableResult
  public func deliverServerRequest(_ request: Value) -> PushReport {
    var report = PushReport()
    guard case .map(let body)? = request["request"] else {
      let isPush = request["aps"] != nil
      report.faults.append(
        PushFault(
          .backend, "request", request["request"] == nil ? "missing" : "expected an object",
          isPush
            ? "This is an APNs payload; deliver it as a push"
            : "A server request is {\"request\": {\"notifications\": […]}}"))
      return conclude(report)
    }
    var reader = PayloadReader(body, path: "request", stage: .backend)
    _ = reader.string("application", orAdvice: "Add the application code from the Control Panel")
    _ = reader.string("auth", orAdvice: "Add the API access token from the Control Panel")
    let advice = "Add a list with at least one notification"
    let list = reader.value("notifications", orAdvice: advice)
    if let list, list.list == nil || list.list?.isEmpty == true {
      reader.fault("notifications", "expected a list, found \(list.jsonName)", advice)
    }
    report.faults += reader.faults
    for (number, notification) in (list?.list.map(Array.init) ?? []).enumerated() {
      let path = "request.notifications[\(number)]"
      guard case .map(let map) = notification else {
        report.faults.append(
          PushFault(.backend, path, "expected an object, found \(notification.jsonName)", advice))
        continue
      }
      var own = PushReport()
      deliver(
        PayloadReader(map, path: path, stage: .backend), isSound: reader.faults.isEmpty, &own)
      report.results += own.results
      report.faults += own.faults
      report.refusal = report.refusal ?? own.refusal
    }
    return conclude(report)
  }

  /// The same for JSON text, which may have `//` and `/* */` comments and trailing commas.
  @discardableResult
  public func deliverServerRequest(json: [UInt8]) -> PushReport {
    do throws(PushFault) {
      return deliverServerRequest(try CommentedJSON.read(json))
    } catch {
      return conclude(PushReport(error))
    }
  }

  /// The same for a string.
  @discardableResult
  public func deliverServerRequest(json: String) -> PushReport {
    deliverServerRequest(json: Array(json.utf8))
  }

  private func deliver(
    _ notification: PayloadReader, isSound: Bool, _ report: inout PushReport
  ) {
    var notification = notification
    let field =
      notification.value("live_activity") != nil || notification.value("ios_live_activity") == nil
      ? "live_activity" : "ios_live_activity"
    let activity = notification.object(
      field, orAdvice: "Add an object with event and content-state")
    let id = notification.string(
      "live_activity_id", orAdvice: "Add the id that names this Live Activity on your server")
    guard case .map(let fields)? = activity else {
      report.faults += notification.faults
      return
    }
    var reader = PayloadReader(fields, path: "\(notification.path).\(field)", stage: .backend)
    let event = PushPayload.event(&reader)
    var alert: Value = .null
    if event == .start {
      let content = notification.value("content", orAdvice: "Add the text of the alert")
      alert = PushwooshBackend.alert(title: notification.value("title"), content: content)
    }
    report.faults += notification.faults + reader.faults
    guard let event, let id, isSound, notification.faults.isEmpty else { return }
    let aps = PushwooshBackend.complete(
      fields, liveActivityID: id, alert: alert, now: clock.now)
    let address: Address
    if event == .start {
      if let fault = addresseeFault(&notification) { return report.faults.append(fault) }
      address = .target(.automatic)
    } else {
      settleAll()
      let tokens = notification.value("live_activity_push_tokens")?.list?.compactMap(\.string)
      let found = activities(liveActivityID: id, tokens: tokens ?? [])
      guard !found.isEmpty else {
        report.faults.append(unknownID(id, path: notification.path))
        return
      }
      address = .activities(found)
    }
    deliver(
      PayloadReader(aps, path: reader.path, stage: .device), size: ["aps": .map(aps)],
      to: address, priority: 10, &report)
  }

  /// Those that the backend has a token for under this id; where all are over, the last of them.
  private func activities(liveActivityID id: String, tokens: [String]) -> [LiveActivity] {
    let registered = backendToken(liveActivityID: id)
    let all = (removed + known).filter { activity in
      guard let token = activity.pushToken else { return false }
      return activity.pushwooshID == id || token == registered || tokens.contains(token)
    }
    let live = all.filter(\.state.isLive)
    return live.isEmpty ? Array(all.suffix(1)) : live
  }

  private func unknownID(_ id: String, path: String) -> PushFault {
    let waiting = known.contains { $0.pushwooshID == id && $0.pushToken == nil }
    let ids = Set(known.compactMap(\.pushwooshID)).sorted().joined(separator: ", ")
    return PushFault(
      .backend, "\(path).live_activity_id",
      "the server has no push token for \(Value.Text(id).quoted)",
      waiting
        ? "The activity is there, but its token has not arrived; wait for it"
        : "Start the activity with this id, or send its token with startLiveActivityWithToken"
          + (ids.isEmpty ? "" : "; on this device: \(ids)"))
  }

  /// Whether the notification is for another device.
  private func addresseeFault(_ notification: inout PayloadReader) -> PushFault? {
    guard let own = settings.hardwareID, let devices = notification.value("devices")?.list,
      !devices.isEmpty, notification.value("users") == nil
    else { return nil }
    let isOwn = devices.contains {
      guard let device = $0.string else { return false }
      return device == own || device == pushToStartToken
    }
    guard !isOwn else { return nil }
    return PushFault(
      .remark, "\(notification.path).devices", "this device, \(own), is not among them",
      "Add it, or leave devices out to reach everyone")
  }
}

/// What Pushwoosh's server adds before it hands a push to APNs.
enum PushwooshBackend {
  static func complete(
    _ fields: Value.Map, liveActivityID: String, alert: Value, now: DeviceTime
  ) -> Value.Map {
    var pairs: [(key: Value, value: Value)] = []
    for pair in fields {
      switch (pair.key.string, pair.value) {
      case ("attributes"?, .map(let attributes)):
        var inner = attributes.filter { $0.key.string != "pushwoosh" }
        inner.append(("pushwoosh", ["activityId": .text(liveActivityID)]))
        pairs.append(("attributes", .map(Value.Map(inner))))
      default: pairs.append(pair)
      }
    }
    if fields["timestamp"] == nil {
      pairs.append(("timestamp", .integer(now.microseconds / 1_000_000)))
    }
    if fields["alert"] == nil, !alert.isNull { pairs.append(("alert", alert)) }
    return Value.Map(pairs)
  }

  /// From `title` and `content`, which may be text or texts by language.
  static func alert(title: Value?, content: Value?) -> Value {
    guard let body = text(content) else { return .null }
    return ["title": text(title) ?? "", "body": body]
  }

  private static func text(_ value: Value?) -> Value? {
    switch value {
    case .string?: value
    case .map(let texts)?: texts["en"] ?? texts.first?.value
    default: nil
    }
  }
}
