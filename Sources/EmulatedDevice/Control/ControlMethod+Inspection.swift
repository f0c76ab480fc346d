import ChannelCodec
import ChannelRouter
import LiveActivities

extension ControlMethod {
  /// What there is to see.
  static let inspection: [ControlMethod] = [
    ControlMethod(
      "help", [("method", "string, optional")], "lists the methods of this channel"
    ) { call throws(MethodError) in
      let name = try call.arguments.optionalString("method")
      let methods = ControlChannel.methods.filter { name == nil || $0.name == name }
      guard !methods.isEmpty else {
        throw call.arguments.failure(
          "no-such-method",
          "no method \(NearMiss.quoted(name ?? ""))"
            + NearMiss.hint(for: name ?? "", among: ControlChannel.methods.map(\.name)))
      }
      return .list(Value.List(methods.map(\.description)))
    },
    ControlMethod("device", "tells the device's name, clock and channels") { call in
      let device = call.device
      var map = MapBuilder()
      map.add("name", device.name)
      map.add("handler", device.options.handler.rawValue)
      map.add("clock", device.clockValue)
      let channels = device.messenger.handledChannels.map(\.description).sorted()
      map.add("channels", .list(Value.List(channels.map(Value.text))))
      map.add("pendingTasks", device.tasks.pendingCount)
      map.add("heldReplies", device.faults.heldReplies)
      return map.value
    },
    ControlMethod("options", "lists all device options with their values and defaults") { call in
      .list(
        Value.List(
          DeviceOption.all.map { option in
            var map = MapBuilder()
            map.add("name", option.name)
            map.add("value", option.value(in: call.device.options))
            map.add("default", option.defaultValue)
            map.add("values", option.values)
            map.add("meaning", option.meaning)
            map.add("live", option.isLive)
            return map.value
          }))
    },
    ControlMethod("state", "tells switches, limits, tokens and the activities on screen") { call in
      call.device.store.snapshot()
    },
    ControlMethod(
      "activities", [("all", "bool, optional")],
      "lists the activities on screen; with all also those that are gone and remembered"
    ) { call throws(MethodError) in
      let store = call.device.store
      let all = try call.arguments.optionalBool("all") ?? false
      let activities = (all ? store.dismissedActivities : []) + store.activitiesOnScreen
      return .list(
        Value.List(activities.sorted { $0.number < $1.number }.map(store.snapshot(of:))))
    },
    ControlMethod(
      "activity", [("id", "string, optional")],
      "tells all about one activity; without an id about the one that PW holds, or null"
    ) { call throws(MethodError) in
      guard call.arguments["id"] != nil else {
        return call.device.stopwatchActivity.map(call.device.store.snapshot(of:)) ?? .null
      }
      return call.device.store.snapshot(of: try call.arguments.activity(call.device))
    },
    ControlMethod(
      "journal",
      [
        ("since", "integer, optional"), ("limit", "integer, optional"),
        ("channel", "string, optional"), ("control", "bool, optional"),
        ("open", "bool, optional"),
      ],
      "lists messages of both directions and what came of them",
      answer: JournalListing.answer),
    ControlMethod("totals", "counts messages, failures and warnings since the last reset") { call in
      let totals = call.device.messenger.journal.totals
      var map = MapBuilder()
      map.add("received", totals.received)
      map.add("sent", totals.sent)
      map.add("notImplemented", totals.notImplemented)
      map.add("dropped", totals.dropped)
      map.add("refused", totals.refused)
      map.add("repeatedReplies", totals.repeatedReplies)
      map.add("warnings", totals.warnings)
      return map.value
    },
    ControlMethod("tokens", "lists the push tokens of app and activities") { call in
      let store = call.device.store
      var map = MapBuilder()
      map.add("pushToStart", store.pushToStartToken)
      map.add(
        "activities",
        .list(
          Value.List(
            store.activitiesOnScreen.filter { $0.pushToken != nil }.map { activity in
              var map = MapBuilder()
              map.add("id", activity.id)
              map.add("token", activity.pushToken)
              map.add("pushwooshId", activity.pushwooshID)
              return map.value
            })))
      return map.value
    },
    ControlMethod(
      "serverRequests", [("since", "integer, optional")],
      "lists what the Pushwoosh SDK has sent to its server"
    ) { call throws(MethodError) in
      let since = try call.arguments.optionalInteger("since", in: 0...(.max)) ?? 0
      return .list(
        Value.List(
          call.device.pushwoosh.serverRequests.filter { $0.number > since }.map { request in
            var map = MapBuilder()
            map.add("number", request.number)
            map.add("time", .float64(request.time.seconds))
            map.add("method", request.method)
            map.add("body", request.body)
            return map.value
          }))
    },
  ]

  private init(
    _ name: String, _ meaning: String,
    answer: @escaping @Sendable (ControlCall) throws(MethodError) -> Value
  ) {
    self.init(name, [], meaning, answer: answer)
  }

  /// A line of `help`.
  var description: Value {
    var map = MapBuilder()
    map.add("method", name)
    map.add(
      "arguments",
      .map(Value.Map(arguments.map { (key: Value.text($0.name), value: Value.text($0.kind)) })))
    map.add("meaning", meaning)
    return map.value
  }
}

extension EmulatedDevice {
  var clockValue: Value {
    var map = MapBuilder()
    let now = clock.now
    map.add("mode", clock.mode.rawValue)
    map.add("microseconds", .integer(now.microseconds))
    map.add("time", TimeText.text(of: now))
    map.add("nextAlarm", clock.nextAlarm.map { TimeText.text(of: $0) })
    return map.value
  }
}
