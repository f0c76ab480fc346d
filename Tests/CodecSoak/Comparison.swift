import ChannelCodec

/// Our linux profile against the engine: both decode a message and encode it again.
final class Comparison {
  private struct Input {
    var kind: Content.Kind
    var bytes: [UInt8]
    /// What our profile writes for the value that the bytes were written from, where those bytes
    /// are the value as it is: the engine must write the same once it has read them.
    var written: [UInt8]?
  }

  /// A message and what both sides made of it.
  private struct Result {
    var kind: Content.Kind
    var bytes: [UInt8]
    /// In a word each: `bytes`, or the name of an error. nil where the engine was not asked.
    var outcome: (ours: String, engine: String)?
    /// All of it, for people.
    var words = ""
    var isSame = false

    /// The same for every difference of a sort.
    var label: String? {
      guard let outcome, !isSame else { return nil }
      return "\(kind): ours \(outcome.ours), the engine's \(outcome.engine)"
    }
  }

  private static let errorNames = [
    "0": "FAILED", "1": "OUT_OF_DATA", "2": "ADDITIONAL_DATA", "3": "UNSUPPORTED_TYPE",
  ]

  private let options: Options
  private let engine: Engine
  private let ours = Codecs(profile: .linux)
  private let writers = [Profile.linux, .linux, .windows, .strict, .dart].map {
    Codecs(profile: $0)
  }
  private let values: RandomValues
  private let vectors: [[UInt8]]
  private var differences: [String: (count: Int, smallest: [UInt8])] = [:]
  private var outcomes: [String: Int] = [:]
  private var passed = 0
  private var failed = 0
  private var skipped = 0

  init(_ command: [String], _ options: Options) throws {
    self.options = options
    engine = try Engine(command)
    // Linux has no large integers; a double stands in where a platform cannot write a value.
    values = RandomValues(hasLargeIntegers: false)
    vectors = try options.vectors.map { try Vectors.payloads(in: $0) } ?? []
  }

  /// Whether no difference was found.
  func run() throws -> Bool {
    try run("values", options.values) { input(&$0, isMutated: false) }
    try run("mutations", options.mutations) { input(&$0, isMutated: true) }
    engine.stop()
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { say("\(outcome): \(count)") }
    for (label, difference) in differences.sorted(by: { $0.value.count > $1.value.count }) {
      say("DIFFERENCE \(label): \(difference.count) ×")
      say("  smallest \(Hex.text(difference.smallest))")
    }
    say("\(skipped) skipped: deeper than the engine's stack is asked to bear")
    say("\(passed) passed, \(failed) failed")
    return failed == 0
  }

  // MARK: - Inputs

  private func input(_ random: inout Random, isMutated: Bool) -> Input {
    let kind = random.pick(Content.Kind.allCases)
    let message = message(kind, &random)
    guard isMutated else { return message }
    switch random.below(10) {
    case 0: return Input(kind: kind, bytes: Mutator.noise(&random))
    case 1 where !vectors.isEmpty: return Input(kind: kind, bytes: random.pick(vectors))
    case 2 where !vectors.isEmpty:
      let bytes = Mutator.mutate(random.pick(vectors), &random, other: message.bytes)
      return Input(kind: kind, bytes: bytes)
    default:
      let other = random.chance(20) ? self.message(kind, &random).bytes : []
      let bytes = Mutator.mutate(message.bytes, &random, other: other)
      return Input(kind: kind, bytes: bytes)
    }
  }

  private func message(_ kind: Content.Kind, _ random: inout Random) -> Input {
    while true {
      let content: Content =
        switch kind {
        case .message: .message(values.value(&random))
        case .call: .call(MethodCall(values.text(&random), values.value(&random)))
        case .envelope where random.chance(50): .envelope(.success(values.value(&random)))
        case .envelope:
          .envelope(
            .error(
              code: values.text(&random), message: random.chance(30) ? nil : values.text(&random),
              details: values.value(&random)))
        }
      let writer = random.pick(writers)
      guard case .success(let bytes?) = writer.encode(content) else { continue }
      var input = Input(kind: kind, bytes: bytes)
      // Two halves of a character side by side are written as one: no longer the value as it was.
      if writer.message.profile == .strict, writer.decode(kind, bytes) == .success(content) {
        input.written = try? ours.encode(content).get()
      }
      return input
    }
  }

  // MARK: - Comparing

  private func run(
    _ name: String, _ count: Int, _ make: (inout Random) -> Input
  ) throws {
    var lastNote = Watch.wallNanoseconds()
    var batch: [Input] = []
    var size = 0
    for iteration in 0..<count {
      var random = Random(
        seed: options.seed ^ UInt64(name.utf8.count), iteration: UInt64(iteration))
      let input = make(&random)
      if size + input.bytes.count + 5 > Engine.batchBytes || batch.count == 200 {
        try compare(batch, name)
        (batch, size) = ([], 0)
      }
      batch.append(input)
      size += input.bytes.count + 5
      let now = Watch.wallNanoseconds()
      if now > lastNote + 5_000_000_000 {
        lastNote = now
        Options.note("\(iteration) of \(count) \(name), \(failed) differ")
      }
    }
    try compare(batch, name)
  }

  private func compare(_ batch: [Input], _ name: String) throws {
    for result in try results(batch) {
      guard let outcome = result.outcome else {
        skipped += 1
        continue
      }
      outcomes["\(name), \(result.kind): \(outcome.engine)", default: 0] += 1
      guard let label = result.label else {
        passed += 1
        continue
      }
      failed += 1
      differences[label, default: (0, [])].count += 1
      if differences[label]?.count == 1 { try report(result, label) }
    }
  }

  private func report(_ result: Result, _ label: String) throws {
    let smallest = Minimizer.smallest(result.bytes) { candidate in
      (try? results([Input(kind: result.kind, bytes: candidate)]).first?.label) == label
    }
    differences[label]?.smallest = smallest
    if smallest == result.bytes { say(result.words) }
    say("DIFFERENCE \(label)\n  hex \(Hex.text(result.bytes))\n  minimal \(Hex.text(smallest))")
    say("  \(try results([Input(kind: result.kind, bytes: smallest)])[0].words)")
  }

  private func results(_ batch: [Input]) throws -> [Result] {
    let mine = batch.map { input in
      ours.decode(input.kind, input.bytes).flatMap { ours.encode($0) }
    }
    let asked = batch.indices.filter { number in
      if case .failure(let error) = mine[number] { return error.code != .depthExceeded }
      return true
    }
    let answers = try engine.answers(
      to: asked.map { (UInt8(batch[$0].kind.rawValue), batch[$0].bytes) })
    var results = batch.map { Result(kind: $0.kind, bytes: $0.bytes) }
    for (number, answer) in zip(asked, answers) {
      settle(&results[number], mine[number], answer)
      if let written = batch[number].written, let answer, written != answer.payload {
        results[number].isSame = false
        results[number].outcome = ("encoding of the value", "other bytes")
        results[number].words += "\n  ours from the value \(Hex.text(written))"
      }
    }
    return results
  }

  private func settle(
    _ result: inout Result, _ mine: Swift.Result<[UInt8]?, CodecError>, _ answer: Engine.Answer?
  ) {
    var (ours, engine): (String, String)
    switch mine {
    case .success(let bytes):
      ours = "bytes"
      result.words = "ours \(bytes.map { Hex.text($0) } ?? "no payload")"
    case .failure(let error):
      ours = error.platformError ?? error.code.rawValue
      result.words = "ours \(error)"
    }
    guard let answer else {
      result.outcome = (ours, "crash")
      result.words += "\n  the engine crashes"
      return
    }
    if answer.isRefusal {
      // "fl-message-codec-error-quark 1: Unexpected end of data"
      let text = String(decoding: answer.payload, as: UTF8.self)
      let code = text.split(separator: " ").dropFirst().first?.prefix { $0.isNumber } ?? ""
      engine = Comparison.errorNames[String(code)] ?? text
      result.isSame = ours == engine
      result.words += "\n  the engine's \(text)"
    } else {
      engine = "bytes"
      if case .success(let bytes?) = mine { result.isSame = bytes == answer.payload }
      if ours == "bytes" && !result.isSame { engine = "other bytes" }
      result.words += "\n  the engine's \(Hex.text(answer.payload))"
    }
    result.outcome = (ours, engine)
  }
}
