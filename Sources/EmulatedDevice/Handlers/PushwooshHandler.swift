import ChannelCodec
import ChannelRouter
import LiveActivities

/// The handler of the plugin's own channel `pushwoosh`, as far as Live Activities go.
///
/// In the behaviour `guide` it does what `ios/Classes/PushwooshPlugin.m` does: `defaultSetup` and
/// `defaultStart` are never answered, missing arguments become empty ones, and arguments of other
/// types end the app. Where the app would end, the call is refused with the code `internal` and a
/// text that says so; the device lives on.
final class PushwooshHandler {
  static let channel: ChannelName = "pushwoosh"

  private enum Method: String, CaseIterable {
    case defaultSetup
    case defaultStart
    case startLiveActivityWithToken
    case stopLiveActivity
  }

  private let state: DeviceState
  private let sdk: PushwooshSDK

  init(_ state: DeviceState, sdk: PushwooshSDK) { (self.state, self.sdk) = (state, sdk) }

  func handle(_ call: MethodCall, _ result: MethodResult) {
    let isGuide = state.options.handler == .guide
    switch call.method.string.flatMap(Method.init(rawValue:)) {
    case .defaultSetup: isGuide ? sdk.setUp() : sdk.answerSetup(result)
    case .defaultStart:
      isGuide ? guideStart(call, result) : sdk.answerStart(call.arguments, result)
    case .startLiveActivityWithToken:
      isGuide ? guideToken(call, result) : answerToken(call.arguments, result)
    case .stopLiveActivity:
      answer(result) { () throws(MethodError) in try sdk.sendStop() }
    case nil:
      result.reply.remarkUnknown(method: call.method, served: Method.allCases.map(\.rawValue))
      result.notImplemented()
    }
  }

  // MARK: - Answering

  private func answerToken(_ arguments: Value, _ result: MethodResult) {
    answer(result) { () throws(MethodError) in
      guard case .map(let map) = arguments else {
        throw DefaultStart.problem("arguments", "a map", arguments)
      }
      guard let token = map["token"]?.string else {
        throw DefaultStart.problem("token", "a string", map["token"])
      }
      guard let id = map["activityId"]?.string else {
        throw DefaultStart.problem("activityId", "a string", map["activityId"])
      }
      try sdk.send(token: token, activityID: id)
    }
  }

  private func answer(_ result: MethodResult, _ work: () throws(MethodError) -> Void) {
    do throws(MethodError) {
      try work()
      result.success()
    } catch {
      result.error(error)
    }
  }

  // MARK: - The plugin's code

  private func guideStart(_ call: MethodCall, _ result: MethodResult) {
    do throws(Crash) {
      let arguments = try PluginArguments(call.arguments)
      let id = try arguments.string("activityId")
      let attributes = try arguments.map("attributes")
      let content = try arguments.map("content")
      sdk.noteDefect(attributes, content, result.reply)
      do throws(ActivityRefusal) {
        try sdk.start(id: id, attributes: attributes, content: content)
      } catch {
        result.reply.remark(
          .warning,
          "\(result.reply.label): no activity was started; the plugin only logs it: \(error)")
      }
    } catch {
      crash(error, result.reply)
    }
  }

  private func guideToken(_ call: MethodCall, _ result: MethodResult) {
    do throws(Crash) {
      let arguments = try PluginArguments(call.arguments)
      let token = try arguments.string("token")
      let id = try arguments.string("activityId")
      answer(result) { () throws(MethodError) in try sdk.send(token: token, activityID: id) }
    } catch {
      crash(error, result.reply)
    }
  }

  private func crash(_ crash: Crash, _ reply: BinaryReply) {
    let text = "\(reply.label): the app would have crashed here: \(crash.reason)"
    reply.remark(.error, text)
    reply.refuse(Refusal(code: "internal", text: text))
  }
}

private struct Crash: Error {
  let reason: String
}

/// `[call.arguments objectForKey:]` and the bridging of what it gives to Swift.
private struct PluginArguments {
  /// nil for nil, which answers every message with nil.
  private let map: Value.Map?

  init(_ arguments: Value) throws(Crash) {
    switch arguments {
    case .null: map = nil
    case .map(let map): self.map = map
    default:
      throw Crash(
        reason: "the arguments are \(arguments.kindName), no map: objectForKey: is an "
          + "unrecognized selector")
    }
  }

  /// A missing one is "".
  func string(_ name: String) throws(Crash) -> String {
    guard let value = map?[name] else { return "" }
    guard let string = value.string else {
      throw Crash(reason: "\(name) is \(value.kindName), no string")
    }
    return string
  }

  /// A missing one is empty.
  func map(_ name: String) throws(Crash) -> Value.Map {
    guard let value = map?[name] else { return [:] }
    guard case .map(let map) = value else {
      throw Crash(reason: "\(name) is \(value.kindName), no map")
    }
    for pair in map where pair.key.text == nil {
      throw Crash(reason: "\(name) has the key \(pair.key.kindName), which is no string")
    }
    return map
  }
}
