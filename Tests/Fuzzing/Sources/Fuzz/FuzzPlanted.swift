/// A fault put here on purpose, behind four bytes that only coverage leads to one by one. Where it
/// is not found within seconds, the others are fuzzed blindly.
func fuzzPlanted(_ input: inout FuzzInput) {
  guard input.byte() == UInt8(ascii: "P") else { return }
  guard input.byte() == UInt8(ascii: "W") else { return }
  guard input.byte() == UInt8(ascii: "B") else { return }
  require(input.byte() != UInt8(ascii: "!"), "the planted fault")
}
