import ChannelRecordings
import ChannelRouter

/// A call of a recording in one line, for people or as JSON.
struct CallLine {
  let codecs: ChannelCodecMap

  /// `line 12  0.196202s  -> PW startLiveActivity  834us  success null`.
  func text(_ call: RecordingInspector.Call) -> String {
    let arrow = call.direction == .dartToNative ? "->" : "<-"
    let place = String(call.place)
    var line = String(repeating: " ", count: max(0, 7 - place.count)) + place
    line += "  \(Self.seconds(call.microseconds))  \(arrow) \(call.channel)"
    if let method = call.method { line += " \(String(decoding: method, as: UTF8.self))" }
    switch call.ending {
    case .oneWay: line += "  wants no reply"
    case .unanswered: line += "  no answer"
    case .answered(let event, let latency): line += "  \(latency)us  \(words(event))"
    case .answeredAgain(let event): line += "  answered once more  \(words(event))"
    }
    return line.safeForLine
  }

  /// The same as an object.
  func json(_ call: RecordingInspector.Call) -> String {
    var members = [
      "\"place\":\(call.place)", "\"t_us\":\(call.microseconds)", "\"id\":\(call.id)",
      "\"dir\":\"\(call.direction.text)\"", "\"channel\":\(Self.string(call.channel.description))",
      "\"method\":"
        + (call.method.map { Self.string(String(decoding: $0, as: UTF8.self)) } ?? "null"),
    ]
    switch call.ending {
    case .oneWay: members.append("\"ending\":\"one-way\"")
    case .unanswered: members.append("\"ending\":\"unanswered\"")
    case .answered(let event, let latency):
      members.append("\"ending\":\"\(event.kind.text)\",\"latency_us\":\(latency)")
      members.append("\"answer\":\(Self.string(words(event)))")
    case .answeredAgain(let event):
      members.append("\"ending\":\"again\",\"answer\":\(Self.string(words(event)))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func words(_ event: RecordedEvent) -> String {
    switch event.kind {
    case .dropped: return "dropped"
    case .refused(let refusal): return "refused: \(refusal.text)"
    case .message, .reply: break
    }
    if let text = ShownDecoding.text(of: event, as: codecs[event.channel] ?? .binary) {
      return text
    }
    guard let payload = event.payload else { return "no payload" }
    return payload.count == 1 ? "1 byte" : "\(payload.count) bytes"
  }

  private static func seconds(_ microseconds: Int64) -> String {
    let magnitude = microseconds.magnitude
    let fraction = String(magnitude % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(microseconds < 0 ? "-" : "")\(magnitude / 1_000_000).\(zeros)\(fraction)s"
  }

  static func string(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
