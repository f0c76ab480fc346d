import ChannelCodec
import ChannelRouter

/// The journal as values: messages decoded where they are method calls of the standard or JSON
/// codec, bytes elsewhere.
enum JournalListing {
  /// A listing stops here, so that a reply stays well below the frame's limit.
  private static let mostBytes = 4 << 20

  static func answer(_ call: ControlCall) throws(MethodError) -> Value {
    let arguments = call.arguments
    let since = try arguments.optionalInteger("since", in: 0...(.max))
    let limit = try arguments.optionalInteger("limit", in: 1...100_000) ?? 100
    let pattern = try arguments.optionalString("channel")
    let withControl = try arguments.optionalBool("control") ?? false
    let onlyOpen = try arguments.optionalBool("open") ?? false
    let all = call.device.messenger.journal.entries
    var entries = all.filter { entry in
      if entry.number <= UInt64(since ?? 0) { return false }
      if !withControl, entry.channel == ControlChannel.name { return false }
      if onlyOpen, entry.outcome != nil { return false }
      return pattern.map { Glob.matches($0, entry.channel.utf8) } ?? true
    }
    // Going on from a number begins with the oldest; a first look wants the newest.
    var isCut = entries.count > limit
    if isCut {
      entries = Array(since == nil ? entries.suffix(limit)[...] : entries.prefix(limit)[...])
    }
    var bytes = 0
    var listed: [Value] = []
    for entry in entries {
      bytes += size(of: entry)
      guard bytes <= mostBytes || listed.isEmpty else {
        isCut = true
        break
      }
      listed.append(value(of: entry))
    }
    var map = MapBuilder()
    map.add("entries", .list(Value.List(listed)))
    let next = listed.isEmpty ? all.last?.number ?? 0 : entries[listed.count - 1].number
    map.add("next", .integer(Int64(clamping: next)))
    map.add("more", isCut)
    return map.value
  }

  private static func size(of entry: Journal.Entry) -> Int {
    var size = entry.payload?.count ?? 0
    if case .payload(let reply?) = entry.outcome { size += reply.count }
    for remark in entry.remarks { size += remark.text.utf8.count }
    return size + 256
  }

  static func value(of entry: Journal.Entry) -> Value {
    var map = MapBuilder()
    map.add("number", .integer(Int64(clamping: entry.number)))
    map.add("direction", entry.direction.rawValue)
    map.add("channel", entry.channel.description)
    let codec = addMessage(entry, to: &map)
    map.add("wantsReply", entry.wantsReply)
    addOutcome(entry.outcome, codec, to: &map)
    let micros = entry.nanoseconds.map { Value.float64(Double($0) / 1000) }
    map.add("microseconds", micros ?? .null)
    map.add("repeatedReplies", entry.repeatedReplies)
    map.add(
      "remarks",
      .list(
        Value.List(
          entry.remarks.map { remark in
            var map = MapBuilder()
            map.add("kind", remark.kind.rawValue)
            map.add("level", remark.level.rawValue)
            map.add("text", remark.text)
            return map.value
          })))
    return map.value
  }

  /// - Returns: the codec by which the message is a method call.
  private static func addMessage(
    _ entry: Journal.Entry, to map: inout MapBuilder
  ) -> (any MethodCodec)? {
    let isJSON = entry.payload?.first == UInt8(ascii: "{")
    let codec: any MethodCodec = isJSON ? JSONMethodCodec() : StandardMethodCodec()
    if entry.payload != nil, let call = try? codec.decodeMethodCall(entry.payload) {
      map.add("method", .string(call.method))
      map.add("arguments", call.arguments)
      return codec
    }
    map.add("method", entry.method.map { .string($0) } ?? .null)
    map.add("message", bytes(entry.payload))
    return nil
  }

  private static func addOutcome(
    _ outcome: ReplyOutcome?, _ codec: (any MethodCodec)?, to map: inout MapBuilder
  ) {
    switch outcome {
    case nil: map.add("outcome", "open")
    case .dropped: map.add("outcome", "dropped")
    case .disconnected: map.add("outcome", "disconnected")
    case .refused(let refusal):
      map.add("outcome", "refused")
      var details = MapBuilder()
      details.add("code", refusal.code)
      details.add("text", refusal.text)
      if let offset = refusal.offset { details.add("offset", offset) }
      map.add("refusal", details.value)
    case .payload(let reply):
      guard let codec else {
        map.add("outcome", "reply")
        return map.add("reply", bytes(reply))
      }
      addEnvelope(reply, codec, to: &map)
    }
  }

  private static func addEnvelope(
    _ reply: [UInt8]?, _ codec: any MethodCodec, to map: inout MapBuilder
  ) {
    do throws(CodecError) {
      switch try codec.decodeEnvelope(reply) {
      case nil: map.add("outcome", "notImplemented")
      case .success(let value):
        map.add("outcome", "success")
        map.add("value", value)
      case .error(let error):
        map.add("outcome", "error")
        map.add("error", error.value)
      }
    } catch {
      map.add("outcome", "malformed")
      map.add("reply", bytes(reply))
    }
  }

  static func bytes(_ bytes: [UInt8]?) -> Value {
    bytes.map { .uint8List(Value.TypedList($0)) } ?? .null
  }
}

extension ErrorEnvelope {
  /// As a map with `code`, `message` and `details`.
  var value: Value {
    var map = MapBuilder()
    map.add("code", .string(code))
    map.add("message", message.map { .string($0) } ?? .null)
    map.add("details", details)
    return map.value
  }
}
