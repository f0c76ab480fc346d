import ChannelCodec
import ChannelNotation

enum ResultFileReader {
  static func results(_ bytes: [UInt8]) throws(ResultFileError) -> ConformanceResults {
    let value: Value?
    do throws(CodecError) {
      value = try JSONMessageCodec().decode(bytes)
    } catch {
      throw ResultFileError("not JSON: \(error)")
    }
    let file = Object(value, at: "")
    guard file.members?["format"]?.string == ResultFile.format else {
      throw ResultFileError(
        "not a result file of pwbridge conform: expected the member \"format\" with "
          + "\"\(ResultFile.format)\"")
    }
    let version = try file.integer("version")
    guard version == ResultFile.version else {
      throw ResultFileError(
        "version \(version) of the result file; this program reads version \(ResultFile.version)")
    }
    var results = ConformanceResults(
      testee: try file.text("testee"), profile: try file.text("profile"))
    if let seed = try file.optionalText("seed") {
      guard let number = UInt64(seed) else { throw file.fault("seed", "a number as text") }
      results.seed = number
    }
    results.generatedCount = try file.count("generatedCount")
    results.vectorsDigest = try file.optionalText("vectorsDigest")
    results.startedAt = try file.optionalText("startedAt")
    results.seconds = try file.number("seconds")
    results.isPartial = try file.bool("isPartial")
    results.restarts = try file.count("restarts")
    results.staleKnownFailures = try file.texts("staleKnownFailures")
    results.unknownListEntries = try file.texts("unknownListEntries")
    results.generatedPasses = try file.counts("generatedPasses")
    results.generatedSkips = try file.counts("generatedSkips")
    for (position, value) in try file.list("cases").enumerated() {
      results.cases.append(try result(Object(value, at: "cases[\(position)]")))
    }
    return results
  }

  private static func result(_ object: Object) throws(ResultFileError) -> CaseResult {
    guard let level = Level(rawValue: try object.text("level")) else {
      throw object.fault("level", "one of \(names(Level.self))")
    }
    guard let verdict = Verdict(rawValue: try object.text("verdict")) else {
      throw object.fault("verdict", "one of \(names(Verdict.self))")
    }
    var result = CaseResult(
      id: try object.text("id"), area: try object.text("area"), level: level,
      operation: try object.text("operation"), codec: try object.text("codec"), verdict: verdict)
    result.knownReason = try object.optionalText("knownReason")
    result.request = try payload(object, "request")
    result.actual = try payload(object, "actual")
    for (position, value) in try object.list("expected").enumerated() {
      let path = "\(object.path).expected[\(position)]"
      result.expected.append(try payload(Object(value, at: path)))
    }
    result.note = try object.optionalText("note")
    result.explanation = try object.texts("explanation")
    result.shrunkFrom = try object.optionalText("shrunkFrom")
    return result
  }

  private static func names<Name: CaseIterable & RawRepresentable>(_ type: Name.Type) -> String
  where Name.RawValue == String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func payload(
    _ object: Object, _ name: String
  ) throws(ResultFileError) -> Payload? {
    guard let value = object.members?[name], !value.isNull else { return nil }
    return try payload(Object(value, at: object.place(name)))
  }

  private static func payload(_ object: Object) throws(ResultFileError) -> Payload {
    if let value = object.members?["hex"], value.isNull { return .noMessage }
    if let text = try object.optionalText("hex") {
      do throws(HexError) {
        return .bytes(try Hex.bytes(of: text))
      } catch {
        throw ResultFileError("\(object.place("hex")): \(error)")
      }
    }
    if let text = try object.optionalText("value") { return .value(text) }
    if let text = try object.optionalText("error") { return .refusal(text) }
    throw ResultFileError("\(object.path): expected one of the members hex, value and error")
  }
}

/// A JSON object whose members are asked for by name and type.
private struct Object {
  let members: Value.Map?
  let path: String
  private let found: String

  init(_ value: Value?, at path: String) {
    members = value?.map
    self.path = path
    found = value?.shortText ?? "nothing"
  }

  func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  func fault(_ name: String, _ expected: String) -> ResultFileError {
    if members == nil { return ResultFileError("\(path): expected an object, found \(found)") }
    let what = members?[name]?.shortText ?? "nothing"
    return ResultFileError("\(place(name)): expected \(expected), found \(what)")
  }

  private func value(_ name: String) -> Value? {
    guard let value = members?[name], !value.isNull else { return nil }
    return value
  }

  func text(_ name: String) throws(ResultFileError) -> String {
    guard let text = value(name)?.string else { throw fault(name, "a text") }
    return text
  }

  func optionalText(_ name: String) throws(ResultFileError) -> String? {
    value(name) == nil ? nil : try text(name)
  }

  func integer(_ name: String) throws(ResultFileError) -> Int64 {
    guard let number = value(name)?.integer else { throw fault(name, "a whole number") }
    return number
  }

  /// A number from 0; 0 where there is none.
  func count(_ name: String) throws(ResultFileError) -> Int {
    guard value(name) != nil else { return 0 }
    guard let count = Int(exactly: try integer(name)), count >= 0 else {
      throw fault(name, "a number from 0")
    }
    return count
  }

  func number(_ name: String) throws(ResultFileError) -> Double {
    guard let value = value(name) else { return 0 }
    if let double = value.double { return double }
    return Double(try integer(name))
  }

  func bool(_ name: String) throws(ResultFileError) -> Bool {
    guard let value = value(name) else { return false }
    guard let bool = value.bool else { throw fault(name, "true or false") }
    return bool
  }

  func list(_ name: String) throws(ResultFileError) -> [Value] {
    guard members != nil else { throw fault(name, "a list") }
    guard let value = value(name) else { return [] }
    guard let list = value.list else { throw fault(name, "a list") }
    return Array(list)
  }

  func texts(_ name: String) throws(ResultFileError) -> [String] {
    var texts: [String] = []
    for value in try list(name) {
      guard let text = value.string else { throw fault(name, "a list of texts") }
      texts.append(text)
    }
    return texts
  }

  func counts(_ name: String) throws(ResultFileError) -> [String: Int] {
    guard let value = value(name) else { return [:] }
    guard let map = value.map else { throw fault(name, "an object") }
    var counts: [String: Int] = [:]
    for pair in map {
      guard let key = pair.key.string, let number = pair.value.integer,
        let count = Int(exactly: number), count >= 0
      else { throw fault(name, "an object of numbers from 0") }
      counts[key] = count
    }
    return counts
  }
}
