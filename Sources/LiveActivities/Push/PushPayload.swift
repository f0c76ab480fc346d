import ChannelCodec
import ChannelRouter

/// The `aps` object of a Live Activity push
/// (developer.apple.com, "Starting and updating Live Activities with ActivityKit push
/// notifications").
struct PushPayload {
  enum Event: String, CaseIterable {
    case start, update, end
  }

  static let fields = [
    "event", "timestamp", "content-state", "attributes-type", "attributes", "stale-date",
    "dismissal-date", "relevance-score", "alert", "sound", "input-push-token",
    "input-push-channel",
  ]

  var event: Event
  var timestamp: DeviceTime
  var contentState: Value?
  var attributesType: String?
  var attributes: Value?
  var staleDate: DeviceTime?
  var dismissalDate: DeviceTime?
  var relevanceScore: Double
  var alert: LiveActivity.Alert?
  var pushType: LiveActivity.PushType

  /// The new content; nil for an end that keeps the old.
  var content: LiveActivity.Content? {
    contentState.map {
      LiveActivity.Content(state: $0, staleDate: staleDate, relevanceScore: relevanceScore)
    }
  }

  /// nil with faults in `reader` where a device could make nothing of it.
  init?(_ reader: inout PayloadReader, startNeedsAlert: Bool) {
    let event = PushPayload.event(&reader)
    timestamp = DeviceTime(
      seconds: reader.seconds(
        "timestamp", orAdvice: "Add the time of sending, in seconds since 1970") ?? 0)
    contentState = reader.object(
      "content-state",
      orAdvice: event == .end
        ? nil : "Add the fields of the app's ContentState struct as an object")
    if event == .start {
      attributesType = reader.string(
        "attributes-type", orAdvice: "Add the name of the app's ActivityAttributes struct")
      attributes = reader.object(
        "attributes", orAdvice: "Add the fields of the app's ActivityAttributes struct")
    }
    staleDate = reader.seconds("stale-date").map(DeviceTime.init(seconds:))
    dismissalDate = reader.seconds("dismissal-date").map(DeviceTime.init(seconds:))
    if dismissalDate != nil, event == .start || event == .update {
      reader.remark("dismissal-date", "counts with the event end only", "Leave it out")
    }
    relevanceScore = reader.number("relevance-score") ?? 0
    alert = PushPayload.alert(&reader, isNeeded: event == .start && startNeedsAlert)
    // Without either field the activity gets a token all the same, as before iOS 18.
    pushType = reader.string("input-push-channel").map { .channel($0) } ?? .token
    reader.remarkOnSimilarKeys(to: PushPayload.fields)
    guard let event, !reader.faults.contains(where: \.isFatal) else { return nil }
    self.event = event
  }

  static func event(_ reader: inout PayloadReader) -> Event? {
    let advice = "Use \"start\", \"update\" or \"end\""
    guard let name = reader.string("event", orAdvice: advice) else { return nil }
    guard let event = Event(rawValue: name) else {
      reader.fault("event", "there is no event \(Value.Text(name).quoted)", advice)
      return nil
    }
    return event
  }

  private static func alert(
    _ reader: inout PayloadReader, isNeeded: Bool
  ) -> LiveActivity.Alert? {
    let advice =
      "APNs answers 200 without it, but the device drops a start; add {\"title\": …, \"body\": …}"
    guard let value = reader.object("alert", orAdvice: isNeeded ? advice : nil),
      case .map(let map) = value
    else { return nil }
    var inner = PayloadReader(map, path: "\(reader.path).alert", stage: reader.stage)
    let title = text(&inner, "title")
    let body = text(&inner, "body")
    let sound = inner.string("sound")
    reader.faults += inner.faults
    guard let title, let body else { return nil }
    return LiveActivity.Alert(title: title, body: body, sound: sound)
  }

  /// Text, or the name of a text in the app with arguments.
  private static func text(_ reader: inout PayloadReader, _ name: String) -> Value? {
    guard let value = reader.value(name, orAdvice: "Add it as text, or as {\"loc-key\": …}") else {
      return nil
    }
    if value.string != nil || value["loc-key"]?.string != nil { return value }
    reader.fault(
      name, "expected text or an object with loc-key, found \(value.jsonName)",
      "Put the text in quotes")
    return nil
  }
}
