import ChannelCodec

/// Reads the fields of one JSON object and gathers every fault, so that a sender learns of all of
/// them at once.
struct PayloadReader {
  let object: Value.Map
  /// Where the object stands, such as `aps`.
  let path: String
  let stage: PushFault.Stage
  var faults: [PushFault] = []

  init(_ object: Value.Map, path: String, stage: PushFault.Stage) {
    self.object = object
    self.path = path
    self.stage = stage
  }

  mutating func fault(_ name: String, _ problem: String, _ advice: String) {
    faults.append(PushFault(stage, "\(path).\(name)", problem, advice))
  }

  mutating func remark(_ name: String, _ problem: String, _ advice: String) {
    faults.append(PushFault(.remark, "\(path).\(name)", problem, advice))
  }

  /// The field, null counting as absent. Reports a missing one where `advice` says what to add.
  mutating func value(_ name: String, orAdvice advice: String? = nil) -> Value? {
    if let value = object[name], !value.isNull { return value }
    guard let advice else { return nil }
    if let similar = similarKey(to: name) {
      fault(name, "missing", "There is \(similar.quoted): the name must be \"\(name)\"")
    } else {
      fault(name, object[name] == nil ? "missing" : "null", advice)
    }
    return nil
  }

  mutating func object(_ name: String, orAdvice advice: String? = nil) -> Value? {
    guard let value = value(name, orAdvice: advice) else { return nil }
    if case .map = value { return value }
    fault(name, "expected an object, found \(value.jsonName)", "Write it as {\"name\": value}")
    return nil
  }

  mutating func string(_ name: String, orAdvice advice: String? = nil) -> String? {
    guard let value = value(name, orAdvice: advice) else { return nil }
    guard let string = value.string else {
      fault(name, "expected text, found \(value.jsonName)", "Put it in quotes")
      return nil
    }
    if string.isEmpty, let advice {
      fault(name, "empty", advice)
      return nil
    }
    return string
  }

  mutating func number(_ name: String, orAdvice advice: String? = nil) -> Double? {
    guard let value = value(name, orAdvice: advice) else { return nil }
    if let number = value.integer { return Double(number) }
    if let number = value.double { return number }
    fault(
      name, "expected a number, found \(value.jsonName)",
      "Write it without quotes")
    return nil
  }

  /// Seconds since 1970.
  mutating func seconds(_ name: String, orAdvice advice: String? = nil) -> Double? {
    guard let seconds = number(name, orAdvice: advice) else { return nil }
    if seconds > 1e11 {
      remark(
        name, "\(object[name]?.jsonName ?? "") looks like milliseconds",
        "APNs wants seconds since 1970, so this is thousands of years ahead; divide by 1000")
    }
    return seconds
  }

  /// Remarks on names that differ from one of `names` in case, hyphens or underscores only.
  mutating func remarkOnSimilarKeys(to names: [String]) {
    for pair in object {
      guard let key = pair.key.string, !names.contains(key) else { continue }
      guard let meant = names.first(where: { $0.letters == key.letters }) else { continue }
      guard object[meant] == nil, !faults.contains(where: { $0.path == "\(path).\(meant)" })
      else { continue }
      remark(key, "no such field", "If \"\(meant)\" is meant, the name must be just that")
    }
  }

  private func similarKey(to name: String) -> Value.Text? {
    for pair in object {
      guard let text = pair.key.text, let key = text.string, key != name else { continue }
      if key.letters == name.letters { return text }
    }
    return nil
  }
}

extension String {
  fileprivate var letters: [UInt8] {
    utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0
    }
  }
}
