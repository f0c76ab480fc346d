import ChannelCodec
import ChannelRouter
import LiveActivities

// How the behaviour `answering` replies to the plugin's calls, on `PW` and `pushwoosh` alike.
extension PushwooshSDK {
  func answerSetup(_ result: MethodResult) {
    setUp()
    result.success()
  }

  func answerStart(_ arguments: Value, _ result: MethodResult) {
    do throws(MethodError) {
      let start = try DefaultStart(arguments)
      noteDefect(start.attributes, start.content, result.reply)
      do throws(ActivityRefusal) {
        try self.start(id: start.id, attributes: start.attributes, content: start.content)
      } catch {
        throw MethodError(
          code: "418", message: Value.Text("\(DefaultStart.failure): \(error.message)"),
          details: error.details)
      }
      result.success()
    } catch {
      result.error(error)
    }
  }

  func noteDefect(_ attributes: Value.Map, _ content: Value.Map, _ reply: BinaryReply) {
    guard mistakesNumbers(in: attributes, content) else { return }
    reply.remark(
      .warning,
      "\(reply.label): the Pushwoosh SDK (AnyCodable) turns the numbers 0 and 1 into false and "
        + "true, so the widget does not get them as numbers. Send them as text, or switch this "
        + "off with the device option any-codable-defect=off")
  }
}

/// The arguments of `defaultStart`, checked.
struct DefaultStart {
  static let failure = "Live activity didn't invoked"

  let id: String
  let attributes: Value.Map
  let content: Value.Map

  init(_ arguments: Value) throws(MethodError) {
    guard case .map(let map) = arguments else {
      throw DefaultStart.problem("arguments", "a map", arguments)
    }
    guard let id = map["activityId"]?.string, !id.isEmpty else {
      throw DefaultStart.problem("activityId", "a string that is not empty", map["activityId"])
    }
    self.id = id
    attributes = try DefaultStart.map("attributes", in: map)
    content = try DefaultStart.map("content", in: map)
  }

  private static func map(
    _ name: String, in arguments: Value.Map
  ) throws(MethodError) -> Value.Map {
    let expected = "a map with string keys"
    guard case .map(let map) = arguments[name] else {
      throw problem(name, expected, arguments[name])
    }
    for pair in map where pair.key.text == nil {
      throw problem(name, expected, pair.key, as: "the key \(pair.key.kindName)")
    }
    return map
  }

  static func problem(
    _ path: String, _ expected: String, _ found: Value?, as words: String? = nil
  ) -> MethodError {
    let found = words ?? found?.kindName ?? "nothing"
    return MethodError(
      code: "418", message: Value.Text("\(failure): \(path): expected \(expected), found \(found)"),
      details: ["path": .text(path), "expected": .text(expected), "found": .text(found)])
  }
}
