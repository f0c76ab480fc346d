import ChannelCodec
import ChannelRouter
import LiveActivities

/// Reads the arguments of a control call. What does not fit becomes an error envelope with the code
/// `bad-arguments`, a sentence, and the details `path`, `expected` and `found`.
struct ControlArguments {
  private let method: String
  let map: Value.Map

  init(_ arguments: Value, of method: ControlMethod) throws(MethodError) {
    self.method = method.name
    let names = method.arguments.map(\.name)
    switch arguments {
    case .null: map = [:]
    case .map(let map): self.map = map
    default:
      map = [:]
      throw bad("arguments", "a map", arguments.kindName)
    }
    for pair in map {
      guard let name = pair.key.string else {
        throw bad("arguments", "string keys", "the key \(pair.key.kindName)")
      }
      guard method.isOpen || names.contains(name) else {
        let expected =
          names.isEmpty ? "no arguments" : "only \(names.joined(separator: ", "))"
        let near = NearMiss.nearest(to: name, among: names).map { ", did you mean \($0)?" } ?? ""
        throw bad("arguments", expected, "\(NearMiss.quoted(name))\(near)")
      }
    }
  }

  /// nil where it is missing or null.
  subscript(name: String) -> Value? {
    guard let value = map[name], !value.isNull else { return nil }
    return value
  }

  /// Whether it was given, be it as null.
  func has(_ name: String) -> Bool { map[name] != nil }

  func string(_ name: String) throws(MethodError) -> String {
    guard let text = try optionalString(name) else { throw missing(name, "a string") }
    return text
  }

  func optionalString(_ name: String) throws(MethodError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else { throw bad(name, "a string", value.kindName) }
    return text
  }

  func bool(_ name: String) throws(MethodError) -> Bool {
    guard let bool = try optionalBool(name) else { throw missing(name, "true or false") }
    return bool
  }

  func optionalBool(_ name: String) throws(MethodError) -> Bool? {
    guard let value = self[name] else { return nil }
    guard let bool = value.bool else { throw bad(name, "true or false", value.kindName) }
    return bool
  }

  func optionalInteger(
    _ name: String, in range: ClosedRange<Int>
  ) throws(MethodError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = value.integer, let number = Int(exactly: number), range.contains(number)
    else {
      let expected =
        range.upperBound == .max
        ? "an integer of at least \(range.lowerBound)"
        : "an integer from \(range.lowerBound) to \(range.upperBound)"
      throw bad(name, expected, value.kindName)
    }
    return number
  }

  /// A span in seconds, as a number or as text such as `200ms`.
  func optionalSpan(_ name: String) throws(MethodError) -> Duration? {
    guard let value = self[name] else { return nil }
    guard let span = TimeText.span(value) else {
      throw bad(name, "seconds of at most a hundred years, or text such as 200ms", value.kindName)
    }
    return span
  }

  func channel(_ name: String = "channel") throws(MethodError) -> ChannelName {
    let text = try string(name)
    guard !text.isEmpty, text.utf8.count <= 4096,
      let channel = ChannelName(validating: Array(text.utf8))
    else { throw bad(name, "1 to 4096 bytes without NUL", NearMiss.quoted(text)) }
    return channel
  }

  func activity(_ device: EmulatedDevice) throws(MethodError) -> LiveActivity {
    let id = try string("id")
    guard let activity = device.store.activity(id: id) else {
      throw MethodError(
        code: "no-such-activity",
        message: .init("\(method): there is no activity \(NearMiss.quoted(id))"),
        details: ["id": .text(id)])
    }
    return activity
  }

  // MARK: - Errors

  func bad(_ path: String, _ expected: String, _ found: String) -> MethodError {
    MethodError(
      code: "bad-arguments",
      message: .init("\(method): \(path): expected \(expected), found \(found)"),
      details: ["path": .text(path), "expected": .text(expected), "found": .text(found)])
  }

  func missing(_ path: String, _ expected: String) -> MethodError {
    bad(path, expected, map[path] == nil ? "nothing" : "null")
  }

  func failure(_ code: String, _ text: String) -> MethodError {
    MethodError(code: Value.Text(code), message: Value.Text("\(method): \(text)"))
  }
}
