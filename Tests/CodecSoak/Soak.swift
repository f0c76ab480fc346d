import ChannelCodec

/// A run over many inputs, with a report.
struct Soak {
  var options: Options
  private var checker: Checker
  private let inputs: Inputs
  private var kindsSeen: [String: Int] = [:]
  private var failed = 0
  private var slowest: (nanoseconds: UInt64, input: [UInt8]) = (0, [])

  init(options: Options) throws {
    self.options = options
    checker = Checker(profiles: options.profiles)
    let vectors = try options.vectors.map { try Vectors.payloads(in: $0) } ?? []
    Options.note(
      "seed \(options.seed), \(options.inputs) inputs, \(vectors.count) payloads of vectors")
    inputs = Inputs(seed: options.seed, vectors: vectors)
  }

  /// Whether all inputs passed.
  mutating func run() -> Bool {
    let start = Watch.wallNanoseconds()
    var lastNote = start
    let first = options.first
    let warmUp = first + min(20_000, options.inputs / 10)
    var residentAtStart = Memory.residentKiB()
    for iteration in first..<first + options.inputs {
      let input = inputs.input(iteration)
      check(input, iteration)
      if kindsSeen.count >= options.failureLimit { break }
      if iteration == warmUp { residentAtStart = Memory.residentKiB() }
      if iteration.isMultiple(of: 1024) {
        let now = Watch.wallNanoseconds()
        if (now - start) / 1_000_000_000 >= options.seconds { break }
        if now > lastNote + 5_000_000_000 {
          lastNote = now
          Options.note(progress(iteration + 1 - first, start: start))
        }
      }
    }
    summarize(start: start, residentAtStart: residentAtStart)
    return failed == 0
  }

  /// One input, as often as there are variants of the checks.
  mutating func replay(_ input: [UInt8]) -> Bool {
    for variant in 0..<168 { check(input, UInt64(variant)) }
    say("\(168 - failed) passed, \(failed) failed")
    return failed == 0
  }

  private mutating func check(_ input: [UInt8], _ iteration: UInt64) {
    Watch.begin(input, iteration: iteration)
    let failures = checker.failures(of: input, variant: Int(iteration % 168))
    let taken = Watch.end()
    if taken > slowest.nanoseconds { slowest = (taken, input) }
    if !failures.isEmpty { failed += 1 }
    for failure in failures { report(failure, input, iteration) }
  }

  /// The first of each kind is told in full, the others are counted.
  private mutating func report(_ failure: Failure, _ input: [UInt8], _ iteration: UInt64) {
    kindsSeen[failure.label, default: 0] += 1
    guard kindsSeen[failure.label] == 1 else { return }
    let label = failure.label
    let profiles = options.profiles
    let smallest = Minimizer.smallest(input) { candidate in
      // A checker of its own: this one compares with the value of an earlier input.
      var checker = Checker(profiles: profiles)
      Watch.begin(candidate, iteration: iteration)
      let failures = checker.failures(of: candidate, variant: Int(iteration % 168))
      return failures.contains { $0.label == label }
    }
    say("FAILURE \(label)")
    say("  seed \(options.seed), iteration \(iteration)")
    say("  hex \(Hex.text(input))")
    say("  minimal \(Hex.text(smallest))")
    say("  \(failure.detail)")
  }

  // MARK: - Words

  private func progress(_ done: UInt64, start: UInt64) -> String {
    let elapsed = max(1, Watch.wallNanoseconds() - start)
    let rate = done * 1_000_000_000 / elapsed
    return "\(done) of \(options.inputs) inputs, \(rate) per second, \(failed) failed, "
      + "\(Memory.residentKiB()) KiB resident"
  }

  private func summarize(start: UInt64, residentAtStart: Int) {
    let done = checker.inputCount
    let elapsed = Double(Watch.wallNanoseconds() - start) / 1e9
    say("profile   accepted    refused    not encoded")
    for (profile, count) in zip(checker.profiles, checker.counts) {
      say(
        padded(profile.rawValue, 8), padded("\(count.accepted)", 10, isNumber: true),
        padded("\(count.refused)", 10, isNumber: true),
        padded("\(count.refusedEncoding)", 10, isNumber: true))
    }
    let milliseconds = Double(slowest.nanoseconds / 10_000) / 100
    say(
      "seed \(options.seed), \(Int(elapsed)) s, \(Int(Double(done) / elapsed)) inputs per second")
    say("slowest input \(milliseconds) ms: \(Hex.text(slowest.input, limit: 64))")
    say(
      "memory: \(residentAtStart) KiB resident after warm-up,",
      "\(Memory.residentKiB()) KiB at the end, peak \(Memory.peakKiB()) KiB")
    for (label, count) in kindsSeen.sorted(by: { $0.value > $1.value }) {
      say("\(count) × \(label)")
    }
    say("\(done - failed) passed, \(failed) failed")
  }

  private func padded(_ text: String, _ width: Int, isNumber: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return isNumber ? padding + text : text + padding
  }
}
