import ChannelCodec
import ChannelRouter
import LiveActivities

/// The handler of the channel `PW`: what the guide's `AppDelegate` and `LiveActivityManager` do,
/// in either behaviour.
///
/// The guide's code never answers a call that it takes, it reads the handle to the activity when
/// its tasks run, and it loses the handle when a later start fails. The behaviour `guide` does the
/// same; `answering` has the same effects on the activities, at once, and one reply per call.
final class StopwatchHandler {
  static let channel: ChannelName = "PW"
  static let attributesType = "StopwatchWidgetAttributes"

  private enum Method: String, CaseIterable {
    case startLiveActivity
    case updateLiveActivity
    case stopLiveActivity
    case defaultSetup
    case defaultStart

    static func named(_ text: Value.Text) -> Method? {
      // Told apart by length first: every call goes through here.
      let method: Method
      switch text.utf8Count {
      case 17: method = .startLiveActivity
      case 18: method = .updateLiveActivity
      case 16: method = .stopLiveActivity
      case 12: method = text.isExactly("defaultSetup") ? .defaultSetup : .defaultStart
      default: return nil
      }
      return text.isExactly(method.name) ? method : nil
    }

    private var name: StaticString {
      switch self {
      case .startLiveActivity: "startLiveActivity"
      case .updateLiveActivity: "updateLiveActivity"
      case .stopLiveActivity: "stopLiveActivity"
      case .defaultSetup: "defaultSetup"
      case .defaultStart: "defaultStart"
      }
    }
  }

  private let state: DeviceState
  private let store: ActivityStore
  private let tasks: UnstructuredTasks
  private let pushwoosh: PushwooshSDK
  /// The guide's `stopwatchActivity`.
  @exclusivity(unchecked) private var activity: LiveActivity?

  init(_ state: DeviceState, tasks: UnstructuredTasks, pushwoosh: PushwooshSDK) {
    self.state = state
    store = state.store
    self.tasks = tasks
    self.pushwoosh = pushwoosh
  }

  func reset() { activity = nil }

  /// The activity that updates and stops go to.
  var currentActivity: LiveActivity? { activity }

  func handle(_ call: MethodCall, _ result: MethodResult) {
    tasks.callArrives()
    let isGuide = state.options.handler == .guide
    switch Method.named(call.method) {
    case .startLiveActivity:
      guard let seconds = seconds(call, result.reply, or: notInvoked) else { return }
      isGuide ? guideStart(seconds, result.reply) : start(seconds, result.reply)
    case .updateLiveActivity:
      guard let seconds = seconds(call, result.reply, or: notUpdated) else { return }
      isGuide ? guideUpdate(seconds) : update(seconds, result.reply)
    case .stopLiveActivity: isGuide ? guideStop() : stop(result.reply)
    case .defaultSetup where !isGuide: pushwoosh.answerSetup(result)
    case .defaultStart where !isGuide: pushwoosh.answerStart(call.arguments, result)
    default:
      let served = isGuide ? Array(Method.allCases.prefix(3)) : Method.allCases
      result.reply.remarkUnknown(method: call.method, served: served.map(\.rawValue))
      result.notImplemented()
    }
  }

  // MARK: - Answering

  private func start(_ seconds: Int64, _ reply: BinaryReply) {
    do throws(ActivityRefusal) {
      try request(seconds, reply)
      reply.send(StopwatchHandler.success)
    } catch {
      fail(reply, "\(Self.startFailed): \(error.message)", error.details)
    }
  }

  private func update(_ seconds: Int64, _ reply: BinaryReply) {
    guard let activity else { return refuseWithoutActivity(Self.updateFailed, reply) }
    answer(
      store.update(activity, content(seconds)), of: activity, Self.updateFailed, reply)
  }

  private func stop(_ reply: BinaryReply) {
    guard let activity else { return refuseWithoutActivity(Self.stopFailed, reply) }
    answer(store.end(activity, dismissal: .immediate), of: activity, Self.stopFailed, reply)
  }

  private func answer(
    _ outcome: ActivityOutcome, of activity: LiveActivity, _ failure: String,
    _ reply: BinaryReply
  ) {
    switch outcome {
    case .applied, .appliedUnchanged: reply.send(StopwatchHandler.success)
    case .refused(let refusal):
      fail(reply, "\(failure): \(refusal.message)", refusal.details)
    case .ignored(let reason):
      fail(
        reply, "\(failure): \(reason)", ["reason": .text(reason.name), "id": .text(activity.id)])
    }
  }

  private func refuseWithoutActivity(_ failure: String, _ reply: BinaryReply) {
    let lost = store.activities.filter { $0.attributesType == Self.attributesType }.count
    var message = "\(failure): there is no activity; call startLiveActivity first"
    if lost > 0 {
      message += ". \(lost) started before can no longer be reached: a start that failed has "
      message += "taken the handle's place"
    }
    fail(reply, message, ["reason": "noActivity", "unreachable": .integer(Int64(lost))])
  }

  // MARK: - The guide's code

  private func guideStart(_ seconds: Int64, _ reply: BinaryReply) {
    do throws(ActivityRefusal) {
      try request(seconds, reply)
    } catch {
      reply.remark(
        .warning, "\(reply.label): no activity was started, and try? says nothing: \(error)")
    }
  }

  private func guideUpdate(_ seconds: Int64) {
    tasks.start { [self] in
      guard let activity else { return }
      store.update(activity, content(seconds))
    }
  }

  private func guideStop() {
    tasks.start { [self] in
      guard let activity else { return }
      store.end(activity, dismissal: .immediate)
    }
  }

  // MARK: - Both

  /// The guide's assignment: the handle is the new activity, or nothing when there is none.
  private func request(_ seconds: Int64, _ reply: BinaryReply) throws(ActivityRefusal) {
    let before = activity
    activity = nil
    defer { if let before { noteOrphan(before, reply) } }
    activity = try store.request(
      ActivityRequest(
        attributesType: StopwatchHandler.attributesType, attributes: [:],
        content: content(seconds), pushType: .none))
  }

  private func noteOrphan(_ orphan: LiveActivity, _ reply: BinaryReply) {
    guard orphan.state.isLive else { return }
    reply.remark(
      .warning,
      "\(reply.label): the activity \(orphan.id) is still \(orphan.state.rawValue), and this "
        + "start has taken the only handle to it: it can no longer be updated or stopped from "
        + "Dart. Stop it before you start another")
  }

  private func content(_ seconds: Int64) -> LiveActivity.Content {
    LiveActivity.Content(state: ElapsedSeconds.contentState(seconds))
  }

  /// The argument of start and update; answers the call with `failure` where there is none.
  private func seconds(
    _ call: MethodCall, _ reply: BinaryReply, or failure: [UInt8]
  ) -> Int64? {
    guard let elapsed = ElapsedSeconds.of(call.arguments) else {
      reply.send(failure)
      return nil
    }
    if let fallback = elapsed.fallback {
      reply.remark(.warning, "\(reply.label): \(fallback)")
    }
    return elapsed.seconds
  }

  // MARK: - Replies

  /// A success envelope that holds null.
  static let success: [UInt8] = [0, 0]
  /// The guide's words.
  private static let startFailed = "Live activity didn't invoked"
  private static let updateFailed = "Live activity didn't updated"
  private static let stopFailed = "Live activity didn't stopped"

  private func fail(_ reply: BinaryReply, _ message: String, _ details: Value) {
    let error = Envelope.error(code: "418", message: Value.Text(message), details: details)
    do throws(CodecError) {
      reply.send(try StandardMethodCodec().encodeEnvelope(error))
    } catch {
      reply.refuse(Refusal(code: "internal", text: "\(reply.label): \(error)"))
    }
  }

  private let notInvoked = StopwatchHandler.argumentError(startFailed)
  private let notUpdated = StopwatchHandler.argumentError(updateFailed)

  private static func argumentError(_ message: String) -> [UInt8] {
    [1, 7, 3] + Array("418".utf8) + [7, UInt8(message.utf8.count)] + Array(message.utf8) + [0]
  }
}

extension BinaryReply {
  /// Says that a method does not exist and which one was probably meant.
  func remarkUnknown(method: Value.Text, served: [String]) {
    let name = method.description
    remark(
      .warning,
      "\(channel): no method \(NearMiss.quoted(name)), so Dart throws a MissingPluginException"
        + NearMiss.hint(for: name, among: served))
  }
}
