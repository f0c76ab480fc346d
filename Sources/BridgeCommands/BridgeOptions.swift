import ChannelCodec
import ChannelNotation

/// What the flags say, before any command has looked at it.
public struct BridgeOptions: Sendable {
  var codec = NamedCodec.Name.message
  var profile = Profile.strict
  var extensions = ExtensionTypes.none
  var maximumDepth = 512
  var isRaw = false
  var file: String?
  var payloads = "Tests/Fixtures/bench"
  var rounds = 15
  var printsJSON = false
  var color = ColorChoice.auto

  public init() {}

  /// The codec that the flags describe.
  var namedCodec: NamedCodec {
    NamedCodec(
      codec, profile: profile, extensions: extensions, maximumDepth: maximumDepth)
  }
}
