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
        decode: time { _ = try? codec.decode(payload.bytes) },
        visit: time { (try? codec.decode(payload.bytes))??.read() },
        encode: time { _ = try? codec.encode(value) })
    case .call:
      let codec = StandardMethodCodec()
      let call = try codec.decodeMethodCall(payload.bytes)
      return CodecTiming(
        decode: time { _ = try? codec.decodeMethodCall(payload.bytes) },
        visit: time {
          guard let call = try? codec.decodeMethodCall(payload.bytes) else { return }
          Value.string(call.method).read()
          call.arguments.read()
        },
        encode: time { _ = try? codec.encodeMethodCall(call) })
    case .envelope:
      let codec = StandardMethodCodec()
      guard let envelope = try codec.decodeEnvelope(payload.bytes) else { break }
      return CodecTiming(
        decode: time { _ = try? codec.decodeEnvelope(payload.bytes) },
        visit: time { (try? codec.decodeEnvelope(payload.bytes))??.read() },
        encode: time { _ = try? codec.encodeEnvelope(envelope) })
    }
    throw CodecError(.noMessage, expected: "a payload", found: "none")
  }

  /// Calls `body` in rounds of about 20 ms and answers with the fastest round's time for one call.
  private func time(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    func round(_ count: Int) -> Duration {
      clock.measure { for _ in 0..<count { body() } }
    }
    var count = 1
    while round(count) < roundLength / 2 && count < 1 << 30 { count *= 2 }
    var best = Double.infinity
    for _ in 0..<rounds { best = min(best, round(count) / .nanoseconds(1)) }
    return best / Double(count)
  }
}

/// Where what was read goes, so that the optimiser cannot drop the reading.
nonisolated(unsafe) private var sink: UInt64 = 0

extension Value {
  @inline(never)
  fileprivate func read() {
    var reader = LeafReader()
    visit(with: &reader)
    sink &+= reader.sum
  }
}

extension Envelope {
  fileprivate func read() {
    switch self {
    case .success(let result): result.read()
    case .error(let error):
      Value.string(error.code).read()
      if let message = error.message { Value.string(message).read() }
      error.details.read()
    }
  }
}
