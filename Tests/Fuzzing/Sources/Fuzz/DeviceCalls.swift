@testable import ChannelCodec
@testable import EmulatedDevice

/// Makes calls for a device out of bytes, so that most of them are understood.
struct DeviceCalls {
  /// Texts that mean something somewhere.
  private static let words: [String] =
    [
      "", "off", "on", "none", "8h", "200ms", "0.5", "1", "run", "PW", "pushwoosh", "*", "stepped",
      "pushwoosh/receive", "extra/events", "startLiveActivity", "persistenceFailure",
      "PW: delay 1s", "*: close", "PW.startLiveActivity#2: error x", "pushwoosh: double-reply",
      "pwbridge/control: no-reply", "*: corrupt 00ff", "guide", "answering",
      "2026-01-01T00:00:00Z", "resize\rPW\r3",
      "{\"aps\":{\"event\":\"update\",\"timestamp\":1,\"content-state\":{\"elapsedTime\":1},},} // x",
    ] + DeviceOption.all.map(\.name)

  private static let plugin = [
    "startLiveActivity", "updateLiveActivity", "stopLiveActivity", "startLiveActivityWithToken",
    "stopLiveActivity", "getHWID", "defaultSetup", "listen", "cancel", "initialize", "getPushToken",
  ]
  private static let keys = [
    "elapsedSeconds", "token", "activityId", "aps", "event", "timestamp", "content-state",
    "elapsedTime", "attributes-type", "attributes", "stale-date", "dismissal-date",
    "relevance-score", "alert", "title", "body", "loc-key", "sound", "input-push-token",
    "input-push-channel", "request", "notifications", "live_activity", "devices", "channel",
    "method", "fault", "delay", "calls", "code", "message", "details", "bytes",
  ]

  /// Identifiers that the device has given out.
  var known: [String] = []

  /// A call of the control channel, with arguments of the names that it takes.
  func control(_ input: inout FuzzInput) -> MethodCall {
    let method = input.choice(of: ControlChannel.methods)
    if input.byte() % 16 == 0 { return MethodCall(Value.Text(method.name), value(&input, 3)) }
    var pairs: [(key: Value, value: Value)] = []
    let chosen = input.byte()
    for (index, argument) in method.arguments.enumerated()
    where chosen >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1 || method.arguments.count == 1 {
      let name = argument.name == "OPTION" ? input.choice(of: DeviceOption.all).name : argument.name
      pairs.append((.string(Value.Text(name)), self.argument(argument.kind, &input)))
    }
    return MethodCall(Value.Text(method.name), pairs.isEmpty ? .null : .map(Value.Map(pairs)))
  }

  /// A call of one of the app's own channels.
  func app(_ input: inout FuzzInput) -> MethodCall {
    MethodCall(Value.Text(input.choice(of: Self.plugin)), value(&input, 3))
  }

  /// Any value, of the words and keys above where it can be.
  func value(_ input: inout FuzzInput, _ depth: Int) -> Value {
    switch input.byte() % 14 {
    case 0: return .null
    case 1: return .bool(input.byte() & 1 == 1)
    case 2: return .int32(Int32(Int8(bitPattern: input.byte())))
    case 3: return .int64(Int64(bitPattern: input.number()))
    case 4: return .float64(Double(bitPattern: input.number()))
    case 5: return .float64(Double(input.byte()) / 4)
    case 6: return .string(Value.Text(input.choice(of: Self.words)))
    case 7: return .string(Value.Text(bytes: input.bytes(Int(input.byte() % 32))[...]))
    case 8: return .uint8List(Value.TypedList(input.bytes(Int(input.byte() % 16))))
    case 9 where depth > 0:
      return .list(Value.List((0..<input.byte() % 4).map { _ in value(&input, depth - 1) }))
    case 10, 11, 12:
      guard depth > 0 else { return .null }
      return .map(
        Value.Map(
          (0..<input.byte() % 8).map { _ in
            (.string(Value.Text(input.choice(of: Self.keys))), value(&input, depth - 1))
          }))
    default: return .string(Value.Text(identifier(&input)))
    }
  }

  private func identifier(_ input: inout FuzzInput) -> String {
    known.isEmpty ? "run" : input.choice(of: known)
  }

  /// What fits the words of `help` about an argument.
  private func argument(_ kind: String, _ input: inout FuzzInput) -> Value {
    if input.byte() % 8 == 0 { return value(&input, 2) }
    if kind.hasPrefix("string") {
      return .string(
        Value.Text(input.byte() & 1 == 0 ? identifier(&input) : input.choice(of: Self.words)))
    }
    if kind.hasPrefix("bool") { return .bool(input.byte() & 1 == 1) }
    if kind.hasPrefix("integer") { return .int64(Int64(input.byte())) }
    if kind.hasPrefix("seconds") { return .float64(Double(input.byte())) }
    return value(&input, 4)
  }
}
