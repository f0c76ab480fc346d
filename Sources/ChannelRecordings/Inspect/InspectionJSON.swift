/// An inspection as one JSON object. The names of its members are stable.
public struct InspectionJSON {
  private var bytes: [UInt8] = []

  /// The object, without a newline at its end.
  public static func bytes(_ inspection: RecordingInspection) -> [UInt8] {
    var json = InspectionJSON()
    json.write(inspection)
    return json.bytes
  }

  private mutating func write(_ inspection: RecordingInspection) {
    put("{")
    figures(inspection.total, isFirst: true)
    number("channel_count", UInt64(inspection.channelCount))
    number("replies_without_message", inspection.answersWithoutMessage)
    number("ids_reused", inspection.reusedIDs)
    number("given_up", inspection.givenUp)
    number("malformed", inspection.malformed)
    number("times_backwards", inspection.timesBackwards)
    put(",\"first_us\":\(inspection.firstTime.map { "\($0)" } ?? "null")")
    put(",\"last_us\":\(inspection.lastTime.map { "\($0)" } ?? "null")")
    put(",\"channels\":[")
    for (index, channel) in inspection.channels.enumerated() {
      if index > 0 { put(",") }
      put("{\"channel\":")
      string(channel.utf8)
      number("members", UInt64(channel.members))
      put(",\"codec\":")
      if let codec = channel.codec { string(Array(codec.rawValue.utf8)) } else { put("null") }
      put(",\"confidence\":\((channel.confidence * 1000).rounded() / 1000)")
      number("misfits", UInt64(max(0, channel.misfits)))
      put(",\"methods\":[")
      var isFirst = true
      for row in inspection.rows where row.channel == index {
        put(isFirst ? "{" : ",{")
        isFirst = false
        put("\"direction\":\"\(row.direction.text)\",\"method\":")
        if let method = row.method { string(method) } else { put("null") }
        put(",\"kind\":\"\(row.method == nil ? row.kind : "call")\"")
        figures(row, isFirst: false)
        put("}")
      }
      put("]}")
    }
    put("]}")
  }

  private mutating func figures(_ row: MethodRow, isFirst: Bool) {
    if !isFirst { put(",") }
    put("\"messages\":\(row.messages)")
    number("message_bytes", row.messageBytes)
    number("largest_message", row.largestMessage)
    number("replies", row.answers)
    number("reply_bytes", row.answerBytes)
    number("largest_reply", row.largestAnswer)
    number("null_replies", row.nullReplies)
    number("errors", row.errors)
    number("dropped", row.dropped)
    number("refused", row.refused)
    number("double_replies", row.doubleReplies)
    number("out_of_order", row.overtaken)
    number("one_way", row.oneWay)
    number("unanswered", row.unanswered)
    number("never_answered", row.neverAnswered)
    number("open_at_end", row.openAtEnd)
    number("unheeded", row.unheeded)
    put(",\"latency_us\":")
    guard row.latency.count > 0 else { return put("null") }
    put("{\"count\":\(row.latency.count)")
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
      number(name, row.latency.percentile(share) ?? 0)
    }
    number("max", row.latency.maximum)
    put("}")
  }

  private mutating func number(_ name: String, _ value: UInt64) { put(",\"\(name)\":\(value)") }

  private mutating func string(_ utf8: [UInt8]) {
    // A method's name may be any bytes, JSON may not.
    let start = bytes.count
    RecordingText.appendString(String(decoding: utf8, as: UTF8.self).utf8, to: &bytes)
    RecordingText.makeFitForTerminal(&bytes, from: start)
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }
}
