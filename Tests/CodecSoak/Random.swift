/// SplitMix64: small, fast, and the same on every machine.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The generator of one iteration, so that an iteration can be repeated without those before it.
  init(seed: UInt64, iteration: UInt64) {
    state = seed
    let start = next()
    state = start ^ (iteration &* 0x9e37_79b9_7f4a_7c15)
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, and without, `bound`.
  mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
