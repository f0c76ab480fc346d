import ChannelCodec
import ChannelRouter

extension LiveActivity {
  /// The activity with all there is to know, for people and programs. Times are seconds since 1970.
  public func snapshot(hasIsland: Bool) -> Value {
    var fields = ValueFields()
    fields["id"] = .text(id)
    fields["number"] = .integer(Int64(number))
    fields["state"] = .text(state.rawValue)
    fields["attributesType"] = .text(attributesType)
    fields["attributes"] = attributes
    fields["attributesSize"] = .integer(Int64(attributesSize))
    fields["contentState"] = content.state
    fields["contentSize"] = .integer(Int64(contentSize))
    fields["relevanceScore"] = .float64(content.relevanceScore)
    fields["hasIsland"] = .bool(hasIsland)
    fields["staleDate"] = .time(content.staleDate)
    fields["style"] = .text(style.rawValue)
    fields["startedBy"] = .text(startedBy.rawValue)
    fields["requestedAt"] = .time(requestedAt)
    fields["scheduledStart"] = .time(scheduledStart)
    fields["startedAt"] = .time(startedAt)
    fields["endedAt"] = .time(endedAt)
    fields["endedBy"] = endedBy.map { .text($0.rawValue) } ?? .null
    fields["dismissal"] = dismissal?.snapshot ?? .null
    fields["removalAt"] = .time(removalAt)
    fields["dismissedAt"] = .time(dismissedAt)
    fields["dismissedBy"] = dismissedBy.map { .text($0.rawValue) } ?? .null
    fields["pushType"] = pushType.snapshot
    fields["pushToken"] = pushToken.map(Value.text) ?? .null
    fields["lastTimestamp"] = .time(lastTimestamp)
    fields["updates"] = .integer(Int64(updateCount))
    fields["ignored"] = .integer(Int64(ignoredCount))
    fields["changes"] = .integer(Int64(changeCount))
    fields["alert"] = alert?.snapshot ?? .null
    fields["history"] = .list(Value.List(changes.map(\.snapshot)))
    return fields.map
  }
}

extension ActivityStore {
  /// ``LiveActivity/snapshot(hasIsland:)`` of an activity of this store.
  public func snapshot(of activity: LiveActivity) -> Value {
    activity.snapshot(hasIsland: activity === islandOwner)
  }

  /// Switches, tokens and limits, and the snapshots of all activities on screen.
  public func snapshot() -> Value {
    var fields = ValueFields()
    fields["now"] = .time(clock.now)
    fields["areActivitiesEnabled"] = .bool(areActivitiesEnabled)
    fields["frequentPushesEnabled"] = .bool(frequentPushesEnabled)
    fields["isForeground"] = .bool(isForeground)
    fields["osVersion"] = .text(settings.osVersion.description)
    fields["pushToStartToken"] = pushToStartToken.map(Value.text) ?? .null
    fields["maximumPerApp"] = settings.maximumPerApp.map { .integer(Int64($0)) } ?? .null
    fields["maximumSize"] = .integer(Int64(settings.maximumSize))
    fields["liveCount"] = .integer(Int64(liveCount))
    fields["island"] = islandOwner.map { .text($0.id) } ?? .null
    fields["activities"] = .list(Value.List(known.map(snapshot(of:))))
    return fields.map
  }
}

extension LiveActivity.Change {
  var snapshot: Value {
    var fields = ValueFields()
    fields["time"] = .time(time)
    fields["kind"] = .text(kind.rawValue)
    fields["by"] = .text(actor.rawValue)
    if let contentState { fields["contentState"] = contentState }
    if let note { fields["note"] = .text(note) }
    return fields.map
  }
}

extension LiveActivity.Alert {
  var snapshot: Value {
    var fields = ValueFields()
    fields["title"] = title
    fields["body"] = body
    if let sound { fields["sound"] = .text(sound) }
    return fields.map
  }
}

extension LiveActivity.Dismissal {
  var snapshot: Value {
    switch self {
    case .default: "default"
    case .immediate: "immediate"
    case .after(let time): .time(time)
    }
  }
}

extension LiveActivity.PushType {
  var snapshot: Value {
    switch self {
    case .none: .null
    case .token: "token"
    case .channel(let id): .text("channel \(id)")
    }
  }
}

/// A map in the making.
struct ValueFields {
  private var pairs: [(key: Value, value: Value)] = []

  /// Adds a field; there is nothing to read.
  subscript(name: String) -> Value {
    get { .null }
    set { pairs.append((.text(name), newValue)) }
  }

  var map: Value { .map(Value.Map(pairs)) }
}

extension Value {
  static func text(_ string: String) -> Value { .string(Text(string)) }

  static func time(_ time: DeviceTime?) -> Value { time.map { .float64($0.seconds) } ?? .null }
}
