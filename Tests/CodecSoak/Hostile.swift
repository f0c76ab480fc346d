import ChannelCodec

/// Inputs made to exhaust memory or time, each read and written by itself with both measured.
struct Hostile {
  /// Bytes of memory that a byte of input may cost, beside a fixed allowance.
  private static let memoryFactor = 400
  private static let memoryAllowance = 8 << 20
  /// A quiet machine needs half a second for the worst; what grows with the square needs minutes.
  private static let largestMilliseconds = 5000.0

  let profiles: [Profile]
  private var worst: [(text: String, ratio: Double, milliseconds: Double)] = []

  init(profiles: [Profile]) { self.profiles = profiles }

  /// The number of measurements that passed and failed.
  mutating func run() -> (passed: Int, failed: Int) {
    var passed = 0
    var failed = 0
    var lastNote = Watch.wallNanoseconds()
    for (name, input) in Hostile.inputs {
      if Watch.wallNanoseconds() > lastNote + 2_000_000_000 {
        lastNote = Watch.wallNanoseconds()
        Options.note("\(passed) hostile inputs, \(failed) failed, now \(name)")
      }
      for profile in profiles {
        for depth in [512, 100_000] {
          for kind in Content.Kind.allCases {
            if measure(name, input, profile, depth, kind) { passed += 1 } else { failed += 1 }
          }
        }
      }
    }
    for entry in worst.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(8) {
      say("slow", entry.text)
    }
    for entry in worst.sorted(by: { $0.ratio > $1.ratio }).prefix(8) {
      say("big ", entry.text)
    }
    return (passed, failed)
  }

  private mutating func measure(
    _ name: String, _ input: [UInt8], _ profile: Profile, _ depth: Int, _ kind: Content.Kind
  ) -> Bool {
    let codecs = Codecs(profile: profile, extensions: .pigeon, maximumDepth: depth)
    // Calls and envelopes have the value behind a name and a flag.
    let message: [UInt8] =
      switch kind {
      case .message: input
      case .call: [7, 1, 0x6d] + input
      case .envelope: [0] + input
      }
    Memory.resetPeak()
    let before = Memory.residentKiB()
    Watch.stage("a hostile input")
    Watch.begin(message, iteration: 0)
    let outcome = codecs.decode(kind, message)
    var encoded: Int?
    if case .success(let content) = outcome {
      if case .success(let bytes?) = codecs.encode(content) { encoded = bytes.count }
      _ = content.hashValue
      if let value = content.value { _ = value.isEqualInDart(to: value) }
    } else if case .failure(let error) = outcome, error.description.isEmpty {
      return false
    }
    let milliseconds = Double(Watch.end() / 1000) / 1000
    let grown = (Memory.peakKiB() - before) << 10
    let ratio = Double(grown) / Double(message.count)
    let isFine =
      grown <= Hostile.memoryAllowance + Hostile.memoryFactor * message.count
      && milliseconds <= Hostile.largestMilliseconds
    let result = encoded.map { "written as \($0) bytes" } ?? "refused"
    let text =
      "\(name), \(profile) \(kind), depth \(depth): \(message.count) bytes, \(milliseconds) ms, "
      + "\(grown >> 10) KiB more, \(result)"
    if grown > 1 << 20 || milliseconds > 20 { worst.append((text, ratio, milliseconds)) }
    if !isFine { say("FAILURE", text) }
    return isFine
  }

  // MARK: - The inputs

  private static let inputs: [(String, [UInt8])] = {
    var inputs: [(String, [UInt8])] = []
    let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff]
    for type in UInt8(5)...14 where type != 6 {
      for top: UInt8 in [0xff, 0x7f, 0x1f, 0x0f] {
        inputs.append(("type \(type), size \(top)ffffff", [type, 0xff, 0xff, 0xff, 0xff, top]))
        inputs.append(
          ("list of type \(type)", [12, 2, 0, type, 0xff, 0xff, 0xff, 0xff, top, 0, 0, 0]))
      }
    }
    inputs.append(("lists in lists, all huge", repeated([12] + [0xff] + huge, 20_000)))
    inputs.append(("maps in maps, all huge", repeated([13] + [0xff] + huge, 20_000)))
    inputs.append(("lists that claim all bytes left", claims(type: 12, count: 20_000)))
    inputs.append(("maps that claim all bytes left", claims(type: 13, count: 20_000)))
    inputs.append(
      ("lists that claim half of the bytes left", claims(type: 12, count: 100, share: 2)))
    inputs.append(("nested lists", repeated([12, 1], 100_000) + [0]))
    inputs.append(("nested maps as values", repeated([13, 1, 0], 50_000) + [0]))
    for depth in [500, 20_000] {
      inputs.append(
        ("\(depth) nested maps as keys", repeated([13, 1], depth) + repeated([0], depth + 1)))
      // Two pairs each: the map has to compare its keys.
      inputs.append(
        (
          "\(depth) nested maps of two as keys",
          repeated([13, 2], depth) + [0]
            + repeated([0, 1, 0], depth)
        ))
      inputs.append(
        (
          "\(depth) nested keys around a long string",
          repeated([13, 2], depth)
            + [7, 0xff, 0, 0, 4, 0] + repeated([0x61], 1 << 18) + repeated([0, 1, 0], depth)
        ))
      inputs.append(
        (
          "\(depth) nested lists as keys",
          repeated([13, 2, 12, 1], depth) + [0]
            + repeated([0, 1, 0], depth)
        ))
      inputs.append(("\(depth) extensions", repeated([200], depth) + [0]))
    }
    inputs.append(("100,000 equal keys", sized(13, 100_000) + repeated([7, 1, 0x61, 0], 100_000)))
    inputs.append(("100,000 null keys", sized(13, 100_000) + repeated([0, 0], 100_000)))
    inputs.append(("100,000 NaN keys", sized(13, 100_000) + nans(100_000)))
    inputs.append(("100,000 integer keys", sized(13, 100_000) + integers(100_000)))
    inputs.append(("50,000 list keys", sized(13, 50_000) + repeated([12, 1, 1, 0], 50_000)))
    inputs.append(
      ("50,000 maps of two", sized(12, 50_000) + repeated([13, 2, 0, 0, 1, 0], 50_000)))
    inputs.append(("200,000 nulls", sized(12, 200_000) + repeated([0], 200_000)))
    inputs.append(("100,000 empty strings", sized(12, 100_000) + repeated([7, 0], 100_000)))
    inputs.append(("100,000 unknown types", sized(12, 100_000) + repeated([99], 100_000)))
    inputs.append(("100,000 sizes cut short", repeated([12, 99], 100_000)))
    return inputs
  }()

  private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    Array((0..<count).map { _ in bytes }.joined())
  }

  private static func sized(_ type: UInt8, _ count: Int) -> [UInt8] {
    [type, 0xff] + (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
  }

  private static func claims(type: UInt8, count: Int, share: Int = 1) -> [UInt8] {
    Array((1...count).reversed().map { sized(type, ($0 - 1) * 6 / share) }.joined())
  }

  private static func nans(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<count {
      bytes.append(6)
      // The value behind each key is as long as keeps the next key's phase.
      while (6 + bytes.count) % 8 != 0 { bytes.append(0) }
      bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      bytes += [UInt8(truncatingIfNeeded: number >> 16), 0, 0, 0, 0xf8, 0x7f, 0]
    }
    return bytes
  }

  private static func integers(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { number in
      [3] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [0]
    }
  }
}
