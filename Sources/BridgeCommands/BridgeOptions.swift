import ChannelCodec
import ChannelNotation
import CommandLineFlags

/// What the flags say, before any command has looked at it.
public struct BridgeOptions: Sendable {
  var codec = CodecChoice.message
  var profile = Profile.strict
  var extensions = ExtensionTypes.none
  var maximumDepth = 512
  var isRaw = false
  var file: String?
  var payloads = "Tests/Fixtures/bench"
  var rounds = 15
  var printsJSON = false
  var color = ColorChoice.auto
  var serving = ServeChoices()
  var inspect = InspectChoices()
  var recording = RecordingChoices()
  var replaying = ReplayChoices()
  var conform = ConformChoices()

  public init() {}

  /// The codec that the flags describe.
  ///
  /// - Throws: for the names that only `call` takes.
  var namedCodec: NamedCodec {
    get throws(CommandFailure) {
      guard let name = NamedCodec.Name(rawValue: codec.rawValue) else {
        throw .usage(
          .other(
            "--codec \(codec.rawValue) is for the verb call; here it says what the message is: "
              + NamedCodec.Name.allCases.map(\.rawValue).joined(separator: ", ")))
      }
      return NamedCodec(
        name, profile: profile, extensions: extensions, maximumDepth: maximumDepth)
    }
  }
}
