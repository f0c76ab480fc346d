/// SplitMix64: small, fast, and the same on every machine.
struct RandomNumbers {
  private var state: UInt64

  /// The numbers of one case, which can be made again without those before it.
  init(seed: UInt64, number: Int) {
    state = seed ^ (UInt64(truncatingIfNeeded: number) &* 0xd134_2543_de82_ef95)
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// From 0 up to, and without, `bound`, which is positive.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: bound)) >> 32)
  }

  mutating func isOneIn(_ count: Int) -> Bool { below(count) == 0 }
  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
