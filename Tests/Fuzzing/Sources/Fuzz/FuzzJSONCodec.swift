import ChannelCodec
import ChannelNotation

private let names: [NamedCodec.Name] = [.jsonMessage, .jsonCall, .jsonEnvelope]

/// Bytes as JSON messages, calls and envelopes, under every profile. Nothing may trap, and under
/// strict what is decoded can be encoded and comes to rest.
func fuzzJSONCodec(_ input: inout FuzzInput) {
  let name = input.choice(of: names)
  let payload = input.remainder()
  for profile in Profile.allCases {
    let codec = NamedCodec(name, profile: profile)
    guard let text = try? codec.decode(payload) else { continue }
    guard let again = try? codec.encode(Array(text.utf8)) else { continue }
    let second = try? codec.decode(again)
    guard profile == .strict else { continue }
    require(second == text, "\(text) was encoded to \(second ?? "something that is refused")")
  }
}
