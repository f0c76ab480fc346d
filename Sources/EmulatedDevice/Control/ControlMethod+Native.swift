import ChannelCodec
import ChannelRouter

extension ControlMethod {
  /// What native code says to Dart.
  static let native: [ControlMethod] = [
    ControlMethod("eventChannels", [], "lists the event channels and whether Dart listens") {
      call in
      .list(
        Value.List(
          call.device.eventChannelNames.map { name in
            var map = MapBuilder()
            map.add("channel", name.description)
            map.add("listening", call.device.eventSink(of: name) != nil)
            return map.value
          }))
    },
    ControlMethod(
      "addEventChannel", [("channel", "string")], "makes another event channel for sendEvent"
    ) { call throws(MethodError) in
      let channel = try call.arguments.channel()
      guard call.device.addEventChannel(channel) else {
        throw call.arguments.failure(
          "channel-taken", "\(channel) has another handler, or there are too many event channels")
      }
      return .null
    },
    ControlMethod(
      "sendEvent",
      [
        ("channel", "string"), ("event", "any value"),
        ("error", "map with code, message and details; in place of event"),
        ("end", "bool; in place of event"),
      ],
      "sends an event, an error or the end of the stream on an event channel",
      answer: sendEvent),
    ControlMethod(
      replying: "invokeDart",
      [
        ("channel", "string"), ("method", "string"), ("arguments", "any value, optional"),
        ("timeout", "seconds or text such as 1s, optional"), ("wait", "bool, optional"),
      ],
      "calls a Dart method and tells what Dart answered", run: invokeDart),
    ControlMethod(
      replying: "sendMessage",
      [
        ("channel", "string"), ("message", "Uint8List or null"),
        ("timeout", "seconds or text such as 1s, optional"), ("wait", "bool, optional"),
      ],
      "sends bytes to Dart and tells the bytes of the reply", run: sendMessage),
  ]

  private static func sendEvent(_ call: ControlCall) throws(MethodError) -> Value {
    let arguments = call.arguments
    let channel = try arguments.channel()
    let isEnd = try arguments.optionalBool("end") ?? false
    let error = arguments["error"]
    guard [isEnd, error != nil, arguments.has("event")].count(where: { $0 }) == 1 else {
      throw arguments.bad("arguments", "one of event, error and end", "none or several")
    }
    guard let sink = call.device.eventSink(of: channel) else {
      let names = call.device.eventChannelNames
      throw arguments.failure(
        "no-listener",
        names.contains(channel)
          ? "nobody in Dart listens to \(channel)"
          : "there is no event channel \(channel); addEventChannel makes one")
    }
    do throws(CodecError) {
      if isEnd {
        sink.endOfStream()
      } else if let error {
        guard let code = error["code"]?.text else {
          throw CodecError(
            .unsupportedValue, expected: "a map with the string code", found: error.kindName)
        }
        try sink.error(
          code: code, message: error["message"]?.text, details: error["details"] ?? .null)
      } else {
        try sink.success(arguments["event"] ?? .null)
      }
    } catch {
      throw arguments.bad("error", error.expected, error.found)
    }
    return .null
  }

  private static func invokeDart(_ call: ControlCall) throws(MethodError) {
    let arguments = call.arguments
    let channel = try arguments.channel()
    let method = Value.Text(try arguments.string("method"))
    let waiting = try PendingAnswer(call)
    do throws(CodecError) {
      try MethodChannel(channel, messenger: call.device.messenger)
        .invokeMethod(
          method, arguments["arguments"] ?? .null,
          result: waiting.map { waiting in
            { waiting.answer($0.value) }
          })
    } catch {
      throw arguments.bad("arguments", error.expected, error.found)
    }
    if waiting == nil { call.result.success() }
  }

  private static func sendMessage(_ call: ControlCall) throws(MethodError) {
    let arguments = call.arguments
    let channel = try arguments.channel()
    var message: [UInt8]?
    switch arguments["message"] {
    case .uint8List(let bytes): message = Array(bytes)
    case nil: message = nil
    case .some(let other): throw arguments.bad("message", "a Uint8List or null", other.kindName)
    }
    let waiting = try PendingAnswer(call)
    call.device.messenger.send(
      message, on: channel,
      reply: waiting.map { waiting in
        { waiting.answer($0.value) }
      })
    if waiting == nil { call.result.success() }
  }
}

/// The answer to a control call that waits for Dart.
private final class PendingAnswer {
  private var result: MethodResult?
  private var alarm: DeviceClock.Alarm?
  private let clock: DeviceClock

  /// nil when the caller does not want to wait.
  init?(_ call: ControlCall) throws(MethodError) {
    let timeout = try call.arguments.optionalSpan("timeout")
    clock = call.device.clock
    guard try call.arguments.optionalBool("wait") ?? true else { return nil }
    result = call.result
    if let timeout {
      alarm = clock.schedule(after: timeout) { [weak self] in
        self?.alarm = nil
        self?.answer(["outcome": "timeout"])
      }
    }
  }

  /// Only the first answer counts.
  func answer(_ value: Value) {
    if let alarm { clock.cancel(alarm) }
    alarm = nil
    result?.success(value)
    result = nil
  }
}

extension MethodOutcome {
  /// A map with `outcome` and what goes with it.
  fileprivate var value: Value {
    var map = MapBuilder()
    switch self {
    case .success(let value):
      map.add("outcome", "success")
      map.add("value", value)
    case .error(let error):
      map.add("outcome", "error")
      map.add("error", error.value)
    case .notImplemented: map.add("outcome", "notImplemented")
    case .dropped: map.add("outcome", "dropped")
    case .refused(let refusal):
      map.add("outcome", "refused")
      map.add("text", refusal.text)
    case .disconnected: map.add("outcome", "disconnected")
    case .malformed(let error):
      map.add("outcome", "malformed")
      map.add("text", error.description)
    }
    return map.value
  }
}

extension ReplyOutcome {
  fileprivate var value: Value {
    var map = MapBuilder()
    switch self {
    case .payload(let bytes):
      map.add("outcome", "reply")
      map.add("reply", JournalListing.bytes(bytes))
    case .dropped: map.add("outcome", "dropped")
    case .refused(let refusal):
      map.add("outcome", "refused")
      map.add("text", refusal.text)
    case .disconnected: map.add("outcome", "disconnected")
    }
    return map.value
  }
}
