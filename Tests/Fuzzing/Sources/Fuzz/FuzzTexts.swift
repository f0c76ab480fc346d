import ChannelCodec
import ChannelNotation
import ChannelRouter
import ChannelTransport

@testable import ChannelRecordings
@testable import Conformance
@testable import EmulatedDevice
@testable import LiveActivities

/// The smaller languages: rules of faults, times, device options, payloads of pushes, answers of a
/// testee, files of results, known failures and vectors, patterns, hexadecimal digits.
func fuzzTexts(_ input: inout FuzzInput) {
  let readers: [([UInt8]) -> Void] = [
    readFaults, readTimes, readOptions, readPush, readAnswer, readResults, readKnownFailures,
    readVectors, readPatterns, readHex, readForeign, readTree,
  ]
  let read = input.choice(of: readers)
  read(input.remainder())
}

/// Printed as it was read, a rule is the same rule.
private func readFaults(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let rules = try? FaultRule.rules(separatedBySemicolons: text) else { return }
  for rule in rules {
    let again = try? FaultRule(rule.description)
    require(again == rule, "\(rule) came back as \(again as Any)")
  }
}

private func readTimes(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let span = TimeText.span(text) {
    let form = TimeText.text(of: span)
    require(TimeText.span(form) == span, "\(text) is \(span), written as \(form)")
  }
  if let time = TimeText.time(text) {
    let form = TimeText.text(of: time)
    require(TimeText.time(form) == time, "\(text) is \(time), written as \(form)")
  }
}

/// What an option shows as its value sets it to the same.
private func readOptions(_ bytes: [UInt8]) {
  var options = DeviceOptions()
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    guard (try? options.set(String(line))) != nil else { continue }
    for option in DeviceOption.all where line.hasPrefix(option.name + "=") {
      var again = DeviceOptions()
      let value = option.value(in: options)
      require((try? option.set(value, in: &again)) != nil, "\(option.name): \(value) is refused")
      require(option.value(in: again) == value, "\(option.name): \(value) is set to another")
    }
  }
}

private func readPush(_ bytes: [UInt8]) {
  guard let value = try? CommentedJSON.read(bytes) else { return }
  guard let plain = (try? JSONMessageCodec().encode(value)) ?? nil else { return }
  let again = try? CommentedJSON.read(plain)
  require(again == value, "\(value.shortText) came back otherwise")
}

private func readAnswer(_ bytes: [UInt8]) {
  for encoding in RequestEncoding.allCases { _ = try? encoding.answer(bytes) }
}

private func readResults(_ bytes: [UInt8]) {
  guard let results = try? ResultFile.results(bytes) else { return }
  let again = try? ResultFile.results(ResultFile.bytes(of: results))
  require(again == results, "results came back otherwise")
  _ = JUnitFile.bytes(of: results)
  _ = HTMLReport.bytes(of: [results])
}

private func readKnownFailures(_ bytes: [UInt8]) {
  let list = KnownFailures(String(decoding: bytes, as: UTF8.self))
  var results = ConformanceResults(testee: "fuzzed", profile: "strict")
  results.cases = ["a.b.c", "a.b.d", "generated.x"].map {
    CaseResult(
      id: $0, area: "a", level: .required, operation: "decode", codec: "message", verdict: .pass)
  }
  list.mark(&results)
  let revision = list.revised(by: results, isStrict: true)
  let settled = KnownFailures(revision.text).revised(by: results, isStrict: true)
  require(settled.text == revision.text || revision.added > 0, "\(revision.text) does not settle")
}

private func readVectors(_ bytes: [UInt8]) {
  _ = try? VectorFile.vectors(
    of: VectorText(name: "fuzzed", bytes: bytes), mostExpanded: 1 << 16)
}

private func readPatterns(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
  let text = String(decoding: lines.first ?? [], as: UTF8.self)
  let subject = Array(lines.dropFirst().first ?? [])
  _ = Glob(text).matches(subject)
  if let pattern = try? PathPattern(text) { _ = pattern.covers(ValuePath()) }
  if let rule = try? IgnoreRule(text), let name = ChannelName(validating: subject) {
    _ = rule.concerns(name, method: "start")
  }
}

private func readHex(_ bytes: [UInt8]) {
  guard let read = try? Hex.bytes(ofUTF8: bytes) else { return }
  require((try? Hex.bytes(of: Hex.text(of: read))) == read, "digits came back otherwise")
}

private func readForeign(_ bytes: [UInt8]) {
  let foreign = ForeignStream(bytes)
  require(foreign.line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "a control character")
}

/// The nodes of a text lie within each other and within the text.
private func readTree(_ bytes: [UInt8]) {
  guard let tree = try? JSONTree(bytes) else { return }
  let source = tree.source(tree.root)
  guard let again = try? JSONTree(source) else {
    return require(false, "the text of the root cannot be read by itself")
  }
  require(again.source(again.root) == source, "the root is not all of its text")
}
