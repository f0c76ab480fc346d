import ChannelCodec
import ChannelNotation
import FuzzSupport

private let names: [NamedCodec.Name] = [.message, .call, .envelope, .string, .binary]
private let extensionChoices: [ExtensionTypes] = [.none, .pigeon]

/// Bytes as a message, a call and an envelope, under every profile. Nothing may trap, and under strict
/// what is decoded is encoded to bytes that mean the same. Platforms change values on the way: a byte
/// order mark is lost, a zero loses its sign.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStandardCodec(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput(data, size)
  let name = input.choice(of: names)
  let extensions = input.choice(of: extensionChoices)
  let payload = input.remainder()
  for profile in Profile.allCases {
    let codec = NamedCodec(name, profile: profile, extensions: extensions)
    guard let text = try? codec.decode(payload) else { continue }
    guard let again = try? codec.encode(Array(text.utf8)) else { continue }
    let second = try? codec.decode(again)
    guard profile == .strict else { continue }
    require(second == text, "\(text) was encoded to \(second ?? "something that is refused")")
  }
  if name != .string && name != .binary {
    let codec = NamedCodec(name, extensions: extensions)
    let lines = AnnotatedDump.lines(of: payload, codec: codec)
    let shown = lines.filter { $0.depth >= 0 }.reduce(0) { $0 + $1.bytes.count }
    require(shown <= payload.count * max(1, lines.count), "more bytes are shown than there are")
  }
  return 0
}
