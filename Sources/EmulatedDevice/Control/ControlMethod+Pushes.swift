import ChannelCodec
import ChannelRouter
import LiveActivities

extension ControlMethod {
  /// What servers do.
  static let pushes: [ControlMethod] = [
    ControlMethod(
      "deliverPush",
      [
        ("payload", "map, or JSON text with comments"), ("token", "string, optional"),
        ("id", "string, optional"), ("channel", "string, optional"),
        ("priority", "5 or 10, optional"),
      ],
      "delivers an APNs payload, to a token, an activity or a broadcast channel"
    ) { call throws(MethodError) in
      let arguments = call.arguments
      let target = try PushTarget(arguments)
      let priority = try arguments.optionalInteger("priority", in: 1...10) ?? 10
      let store = call.device.store
      switch arguments["payload"] {
      case .string(let text):
        return store.deliverPush(json: text.utf8, to: target, priority: priority).value
      case .some(let payload):
        return store.deliverPush(payload, to: target, priority: priority).value
      case nil: throw arguments.missing("payload", "a map, or JSON text")
      }
    },
    ControlMethod(
      "serverRequest", [("request", "map, or JSON text with comments")],
      "hands a request to Pushwoosh's server, which pushes to this device"
    ) { call throws(MethodError) in
      switch call.arguments["request"] {
      case .string(let text):
        return call.device.store.deliverServerRequest(json: text.utf8).value
      case .some(let request): return call.device.store.deliverServerRequest(request).value
      case nil: throw call.arguments.missing("request", "a map, or JSON text")
      }
    },
  ]
}

extension PushTarget {
  fileprivate init(_ arguments: ControlArguments) throws(MethodError) {
    let token = try arguments.optionalString("token")
    let id = try arguments.optionalString("id")
    let channel = try arguments.optionalString("channel")
    switch (token, id, channel) {
    case (nil, nil, nil): self = .automatic
    case (let token?, nil, nil): self = .token(token)
    case (nil, let id?, nil): self = .activity(id: id)
    case (nil, nil, let channel?): self = .channel(channel)
    default: throw arguments.bad("arguments", "one of token, id and channel", "several")
    }
  }
}

extension PushReport {
  /// A map with `hadEffect`, `results`, `faults` and `refusal`.
  fileprivate var value: Value {
    var map = MapBuilder()
    map.add("hadEffect", hadEffect)
    map.add(
      "results",
      .list(
        Value.List(
          results.map { result in
            var map = MapBuilder()
            map.add("id", result.activityID)
            map.add("outcome", result.outcome.value)
            return map.value
          })))
    map.add(
      "faults",
      .list(
        Value.List(
          faults.map { fault in
            var map = MapBuilder()
            map.add("stage", fault.stage.rawValue)
            map.add("path", fault.path)
            map.add("problem", fault.problem)
            map.add("advice", fault.advice)
            map.add("fatal", fault.isFatal)
            return map.value
          })))
    if let refusal {
      map.add("refusal", refusal.details)
      map.add("text", refusal.message)
    } else {
      map.add("refusal", .null)
    }
    return map.value
  }
}
