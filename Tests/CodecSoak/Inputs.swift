import ChannelCodec

/// The inputs of a run: each follows from the seed and its number alone.
struct Inputs {
  let seed: UInt64
  let vectors: [[UInt8]]
  private let values = RandomValues(extensionTypes: [15, 16, 17, 18, 128, 129, 255])
  private let writers = Profile.allCases.map { Codecs(profile: $0, extensions: Extensions.all) }

  init(seed: UInt64, vectors: [[UInt8]]) {
    self.seed = seed
    self.vectors = vectors
  }

  func input(_ iteration: UInt64) -> [UInt8] {
    var random = Random(seed: seed, iteration: iteration)
    switch random.below(20) {
    case 0...2: return Mutator.noise(&random)
    case 3...6: return message(&random)
    case 7...8:
      guard !vectors.isEmpty else { return Mutator.noise(&random) }
      return random.pick(vectors)
    case 9...11:
      guard !vectors.isEmpty else { return Mutator.noise(&random) }
      return Mutator.mutate(random.pick(vectors), &random, other: random.pick(vectors))
    default:
      let other = random.chance(20) ? message(&random) : []
      return Mutator.mutate(message(&random), &random, other: other)
    }
  }

  /// A well-formed message; strings in it may not be, where the writing profile lets them pass.
  private func message(_ random: inout Random) -> [UInt8] {
    for _ in 0..<4 {
      let content = content(&random)
      if case .success(let bytes?) = random.pick(writers).encode(content) { return bytes }
    }
    return [0]
  }

  private func content(_ random: inout Random) -> Content {
    switch random.below(6) {
    case 0, 1, 2: .message(payload(&random))
    case 3: .call(MethodCall(values.text(&random), payload(&random)))
    case 4: .envelope(.success(payload(&random)))
    default:
      .envelope(
        .error(
          ErrorEnvelope(
            code: values.text(&random), message: random.chance(30) ? nil : values.text(&random),
            details: payload(&random),
            stackTrace: random.pick([.absent, .absent, .null, .text(values.text(&random))]))))
    }
  }

  private func payload(_ random: inout Random) -> Value {
    // The procedural types take payloads of one shape only; most values do without them.
    let plain = RandomValues(extensionTypes: random.chance(30) ? [128, 129, 255] : [])
    return random.chance(15) ? Extensions.value(&random, values) : plain.value(&random)
  }
}
