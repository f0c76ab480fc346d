import ChannelCodec
import ChannelRouter
import LiveActivities

/// What the Pushwoosh SDK for iOS does about Live Activities
/// (`PushwooshLiveActivities/PushwooshLiveActivitiesImplementationSetup.swift` of its sources), and
/// a record of the requests that it would send to its server.
///
/// Belongs to the platform thread.
public final class PushwooshSDK {
  /// A request to the server.
  public struct ServerRequest: Sendable {
    public let number: Int
    public let time: DeviceTime
    /// `setActivityToken` or `setActivityPushToStartToken`.
    public let method: String
    public let body: Value
    /// About what it takes in memory.
    let size: Int
  }

  private static let mostRequests = 1024
  /// The last request is kept in any case.
  private static let mostRequestBytes = 4 << 20
  private static let unknownHardware = "00000000-0000-0000-0000-000000000000"

  /// The last requests, the oldest first.
  public private(set) var serverRequests: [ServerRequest] = []
  /// All there were.
  public private(set) var serverRequestCount = 0
  private var requestBytes = 0
  /// `defaultSetup` has been called.
  public private(set) var isSetUp = false

  private let state: DeviceState
  private let store: ActivityStore
  private var observation: ActivityStore.Observation?

  init(_ state: DeviceState) {
    self.state = state
    store = state.store
  }

  func reset() {
    if let observation { store.stopObserving(observation) }
    observation = nil
    isSetUp = false
    serverRequests = []
    serverRequestCount = 0
    requestBytes = 0
  }

  // MARK: - The SDK's calls

  /// `defaultSetup()`: from now on tokens go to the server. Once is enough; more do nothing.
  func setUp() {
    guard !isSetUp, store.settings.osVersion >= OSVersion(16, 1) else { return }
    isSetUp = true
    observation = store.observe { [weak self] in self?.follow($0) }
    if let token = store.pushToStartToken { sendPushToStart(token: token) }
  }

  /// `defaultStart(_:attributes:content:)`.
  @discardableResult
  func start(
    id: String, attributes: Value.Map, content: Value.Map
  ) throws(ActivityRefusal) -> LiveActivity {
    try store.request(
      ActivityRequest(
        attributesType: ActivityStore.defaultAttributesType,
        attributes: [
          "data": encoded(attributes), "pushwoosh": ["activityId": .text(id)],
        ],
        content: LiveActivity.Content(state: ["data": encoded(content)]), pushType: .token))
  }

  /// `startLiveActivity(token:activityId:)`.
  /// - Throws: the plugin's error for what the SDK refuses.
  func send(token: String, activityID: String) throws(MethodError) {
    guard store.settings.osVersion >= OSVersion(16, 1) else {
      throw MethodError(
        code: "Error 2", message: "pushwoosh", details: "Live Activities need iOS 16.1.")
    }
    guard !token.isEmpty else {
      throw MethodError(
        code: "Error 1", message: "pushwoosh", details: "Request preparation failed.")
    }
    sendActivity(token: token, id: activityID)
  }

  /// `stopLiveActivity(activityId:)`: an empty token tells the server that it is over.
  func sendStop(activityID: String = "") throws(MethodError) {
    guard store.settings.osVersion >= OSVersion(16, 1) else {
      throw MethodError(
        code: "Error 2", message: "pushwoosh", details: "Live Activities need iOS 16.1.")
    }
    sendActivity(token: "", id: activityID)
  }

  /// Whether `AnyCodable` would turn numbers of these values into bools.
  func mistakesNumbers(in maps: Value.Map...) -> Bool {
    state.options.hasAnyCodableDefect && maps.contains { AnyCodableDefect.isIn(.map($0)) }
  }

  // MARK: - Its tasks

  private func follow(_ event: ActivityEvent) {
    switch event {
    case .present(let activity), .started(let activity, by: _):
      guard let id = id(of: activity) else { return }
      if store.settings.osVersion >= OSVersion(16, 2) { endOthers(than: activity, id: id) }
      if let token = activity.pushToken { sendActivity(token: token, id: id) }
    case .tokenChanged(let activity, let token):
      if let id = id(of: activity) { sendActivity(token: token, id: id) }
    case .dismissed(let activity, by: _):
      if let id = id(of: activity) { sendActivity(token: "", id: id) }
    case .pushToStartTokenChanged(let token): sendPushToStart(token: token)
    default: break
    }
  }

  private func id(of activity: LiveActivity) -> String? {
    guard activity.attributesType == ActivityStore.defaultAttributesType else { return nil }
    return activity.pushwooshID
  }

  private func endOthers(than activity: LiveActivity, id: String) {
    for other in store.activities where other !== activity && self.id(of: other) == id {
      store.end(other, dismissal: .immediate)
    }
  }

  // MARK: - The server

  private func sendActivity(token: String, id: String) {
    record("setActivityToken", [("activity_token", token), ("activity_id", id)])
    store.setBackendToken(token, liveActivityID: id)
  }

  private func sendPushToStart(token: String) {
    guard store.settings.osVersion >= OSVersion(17, 2) else { return }
    record("setActivityPushToStartToken", [("activity_push_to_start_token", token)])
  }

  private func record(_ method: String, _ fields: [(String, String)]) {
    var body = MapBuilder()
    body.add("hwid", store.settings.hardwareID ?? PushwooshSDK.unknownHardware)
    body.add("application", state.options.application)
    var size = 512
    for field in fields {
      body.add(field.0, field.1)
      size += field.1.utf8.count
    }
    serverRequestCount += 1
    serverRequests.append(
      ServerRequest(
        number: serverRequestCount, time: store.clock.now, method: method, body: body.value,
        size: size))
    requestBytes += size
    while serverRequests.count > 1,
      serverRequests.count > PushwooshSDK.mostRequests
        || requestBytes > PushwooshSDK.mostRequestBytes
    {
      requestBytes -= serverRequests.removeFirst().size
    }
  }

  private func encoded(_ map: Value.Map) -> Value {
    state.options.hasAnyCodableDefect ? AnyCodableDefect.applied(to: .map(map)) : .map(map)
  }
}

/// `AnyCodable.encode` of the SDK asks for `Bool` before `Int`, and an `NSNumber` of 0 or 1 is both:
/// the widget gets `false` and `true`.
enum AnyCodableDefect {
  static func isIn(_ value: Value) -> Bool {
    switch value {
    case .list(let list): list.contains(where: isIn)
    case .map(let map): map.contains { isIn($0.value) }
    default: replacement(of: value) != nil
    }
  }

  static func applied(to value: Value) -> Value {
    guard isIn(value) else { return value }
    switch value {
    case .list(let list): return .list(Value.List(list.lazy.map(applied)))
    case .map(let map):
      return .map(Value.Map(map.lazy.map { (key: $0.key, value: applied(to: $0.value)) }))
    default: return replacement(of: value).map(Value.bool) ?? value
    }
  }

  private static func replacement(of value: Value) -> Bool? {
    switch value {
    case .int32(0), .int64(0), .float64(0): false
    case .int32(1), .int64(1), .float64(1): true
    default: nil
    }
  }
}
