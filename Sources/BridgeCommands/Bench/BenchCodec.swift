import ChannelCodec

/// Times the codec on one payload: decode, decode and visit every leaf, encode.
struct CodecTiming {
  /// Nanoseconds an operation, the smallest of all rounds.
  var decode: Double
  var visit: Double
  var encode: Double
}

/// Takes the timings of payloads.
struct CodecBench {
  /// How often each figure is taken.
  var rounds: Int

  private let roundLength = Duration.milliseconds(20)

  init(rounds: Int) { self.rounds = rounds }

  func measure(_ payload: BenchPayload) throws(CodecError) -> CodecTiming {
    switch payload.kind {
    case .message:
      let codec = StandardMessageCodec()
      guard let value = try codec.decode(payload.bytes) else { break }
      return CodecTiming(
        decode: time { (try? codec.decode(payload.bytes)) == nil ? 0 : 1 },
        visit: time { (try? codec.decode(payload.bytes))??.leafSum ?? 0 },
        encode: time { (try? codec.encode(value)).map { $0?.count ?? 0 } ?? 0 })
    case .call:
      let codec = StandardMethodCodec()
      let call = try codec.decodeMethodCall(payload.bytes)
      return CodecTiming(
        decode: time { (try? codec.decodeMethodCall(payload.bytes)) == nil ? 0 : 1 },
        visit: time { (try? codec.decodeMethodCall(payload.bytes))?.leafSum ?? 0 },
        encode: time { (try? codec.encodeMethodCall(call))?.count ?? 0 })
    case .envelope:
      let codec = StandardMethodCodec()
      guard let envelope = try codec.decodeEnvelope(payload.bytes) else { break }
      return CodecTiming(
        decode: time { (try? codec.decodeEnvelope(payload.bytes)) == nil ? 0 : 1 },
        visit: time { (try? codec.decodeEnvelope(payload.bytes))??.leafSum ?? 0 },
        encode: time { (try? codec.encodeEnvelope(envelope))?.count ?? 0 })
    }
    throw CodecError(.noMessage, expected: "a payload", found: "none")
  }

  /// Calls `body` in rounds of about 20 ms and answers with the fastest round's time for one call.
  /// What `body` answers is added up and kept, so that the optimiser cannot drop the work.
  private func time(_ body: () -> Int) -> Double {
    let clock = ContinuousClock()
    func round(_ count: Int) -> Duration {
      var sum = 0
      let duration = clock.measure { for _ in 0..<count { sum &+= body() } }
      keep(sum)
      return duration
    }
    var count = 1
    while round(count) < roundLength / 2 && count < 1 << 30 { count *= 2 }
    var best = Double.infinity
    for _ in 0..<rounds { best = min(best, round(count) / .nanoseconds(1)) }
    return best / Double(count)
  }

  /// Out of the optimiser's sight.
  @inline(never)
  @_optimize(none)
  private func keep(_ sum: Int) {}
}

extension Value {
  fileprivate var leafSum: Int {
    var reader = LeafReader()
    visit(with: &reader)
    return Int(truncatingIfNeeded: reader.sum)
  }
}

extension MethodCall {
  fileprivate var leafSum: Int { Value.string(method).leafSum &+ arguments.leafSum }
}

extension Envelope {
  fileprivate var leafSum: Int {
    switch self {
    case .success(let result): result.leafSum
    case .error(let error):
      Value.string(error.code).leafSum &+ (error.message.map { Value.string($0).leafSum } ?? 0)
        &+ error.details.leafSum
    }
  }
}
