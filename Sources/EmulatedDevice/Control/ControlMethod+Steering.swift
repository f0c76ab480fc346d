import ChannelCodec
import ChannelRouter
import LiveActivities

extension ControlMethod {
  /// What the person, the system and time do.
  static let steering: [ControlMethod] = [
    ControlMethod(
      replying: "reset", [], "puts the device back to how it was made; the clock goes on"
    ) { call in
      // The journal forgets this call too, so the answer comes first.
      call.result.success()
      call.device.reset()
    },
    ControlMethod("clock.now", [], "tells what the device's clock shows") { call in
      call.device.clockValue
    },
    ControlMethod(
      "clock.advance", [("by", "seconds or text such as 8h"), ("microseconds", "integer")],
      "moves the clock on; what falls due happens on the way, each at its time"
    ) { call throws(MethodError) in
      let arguments = call.arguments
      let most = 3_155_760_000_000_000
      let micros = try arguments.optionalInteger("microseconds", in: 0...most)
      guard micros == nil || !arguments.has("by") else {
        throw arguments.bad("arguments", "by or microseconds", "both")
      }
      guard let span = try arguments.optionalSpan("by") ?? micros.map({ .microseconds($0) }) else {
        throw arguments.missing("by", "seconds, or text such as 8h")
      }
      let now = call.device.clock.now
      guard span <= DeviceTime.latest - now else {
        throw arguments.bad(
          arguments.has("by") ? "by" : "microseconds",
          "a step to \(TimeText.text(of: DeviceTime.latest)) at most, the last moment of a clock",
          "a step of \(TimeText.text(of: span)) from \(TimeText.text(of: now))")
      }
      call.device.clock.advance(by: span)
      return call.device.clockValue
    },
    ControlMethod(
      "setAuthorization", [("enabled", "bool"), ("frequentPushes", "bool, optional")],
      "switches Live Activities on or off in Settings"
    ) { call throws(MethodError) in
      let isEnabled = try call.arguments.bool("enabled")
      let frequent = try call.arguments.optionalBool("frequentPushes")
      try call.setOption("authorization", isEnabled ? "on" : "off", path: "enabled")
      if let frequent { call.device.store.setFrequentPushesEnabled(frequent) }
      return .null
    },
    ControlMethod(
      "setForeground", [("foreground", "bool")], "brings the app to the foreground or background"
    ) { call throws(MethodError) in
      let isForeground = try call.arguments.bool("foreground")
      try call.setOption("foreground", isForeground ? "on" : "off", path: "foreground")
      return .null
    },
    ControlMethod(
      "setLimits", [("OPTION", "a value, for any device option")],
      "sets device options, several at once; null stands for none", isOpen: true
    ) { call throws(MethodError) in
      var values: [(name: String, text: String)] = []
      var options = call.device.options
      // All or nothing: a wrong one must not leave the others set.
      for pair in call.arguments.map {
        let name = pair.key.string ?? ""
        let text = try call.optionText(pair.value, path: name)
        try call.check(name, text, in: &options)
        values.append((name, text))
      }
      for value in values { try call.setOption(value.name, value.text, path: value.name) }
      return .null
    },
    ControlMethod(
      "setOption", [("name", "string"), ("value", "string, number, bool or null")],
      "gives a device option another value"
    ) { call throws(MethodError) in
      let name = try call.arguments.string("name")
      guard call.arguments.has("value") else {
        throw call.arguments.missing("value", "a string, a number, true, false or null")
      }
      let text = try call.optionText(call.arguments["value"] ?? .null, path: "value")
      try call.setOption(name, text, path: "value")
      return .null
    },
    ControlMethod(
      "failNextRequest", [("reason", "string, or null to take it back")],
      "makes the next start fail with this case of ActivityAuthorizationError"
    ) { call throws(MethodError) in
      guard call.arguments["reason"] != nil else {
        call.device.store.failNextRequest(with: nil)
        return .null
      }
      let name = try call.arguments.string("reason")
      guard let reason = ActivityRefusal.Reason(rawValue: name) else {
        let names = ActivityRefusal.Reason.allCases.map(\.rawValue)
        throw call.arguments.bad(
          "reason", "one of \(names.joined(separator: ", "))", NearMiss.quoted(name))
      }
      call.device.store.failNextRequest(with: reason)
      return .null
    },
    ControlMethod("dismiss", [("id", "string")], "swipes an activity away as the person would") {
      call throws(MethodError) in
      try call.device.store.dismissByUser(call.arguments.activity(call.device)).value
    },
    ControlMethod(
      "rotateToken", [("id", "string, optional")],
      "gives an activity, or without an id the app, another push token; null: it can have none"
    ) { call throws(MethodError) in
      let store = call.device.store
      guard call.arguments["id"] != nil else {
        return store.rotatePushToStartToken().map(Value.text) ?? .null
      }
      let activity = try call.arguments.activity(call.device)
      return store.rotatePushToken(of: activity).map(Value.text) ?? .null
    },
    ControlMethod("runTasks", [], "runs the tasks that a race holds back") { call in
      let count = call.device.tasks.pendingCount
      call.device.tasks.runAll()
      return .integer(Int64(count))
    },
  ]
}

extension ControlCall {
  fileprivate func setOption(
    _ name: String, _ text: String, path: String
  ) throws(MethodError) {
    do throws(DeviceOptionError) {
      try device.setOption(name, to: text)
    } catch {
      throw arguments.failure("device-option", error.text)
    }
  }

  fileprivate func check(
    _ name: String, _ text: String, in options: inout DeviceOptions
  ) throws(MethodError) {
    do throws(DeviceOptionError) {
      let option = try DeviceOption.named(name)
      guard option.isLive else {
        throw DeviceOptionError(
          option: name, text: "\(name): must be set before the device starts")
      }
      try option.set(text, in: &options)
    } catch {
      throw arguments.failure("device-option", error.text)
    }
  }

  fileprivate func optionText(_ value: Value, path: String) throws(MethodError) -> String {
    switch value {
    case .null: return "none"
    case .bool(let bool): return bool ? "on" : "off"
    case .int32, .int64: return String(value.integer ?? 0)
    case .float64(let number): return String(number)
    case .string(let text): return text.description
    default:
      throw arguments.bad(path, "a string, a number, true, false or null", value.kindName)
    }
  }
}

extension ActivityOutcome {
  /// A map with `outcome` and, where nothing came of it, why.
  var value: Value {
    var map = MapBuilder()
    switch self {
    case .applied: map.add("outcome", "applied")
    case .appliedUnchanged: map.add("outcome", "appliedUnchanged")
    case .ignored(let reason):
      map.add("outcome", "ignored")
      map.add("reason", reason.name)
      map.add("text", reason.description)
    case .refused(let refusal):
      map.add("outcome", "refused")
      map.add("reason", refusal.reason.rawValue)
      map.add("text", refusal.message)
    }
    return map.value
  }
}
