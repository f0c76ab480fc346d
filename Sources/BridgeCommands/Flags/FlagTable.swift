import CommandLineFlags

extension Flag where Options == BridgeOptions {
  /// All flags, in the order of the help text.
  static let all: [Flag] = [
    codec, profile, extensions, maximumDepth,
    file, raw,
    payloads, rounds, json,
    color, help, version,
  ]
}

extension FlagCategory {
  static let codec = FlagCategory("Codec")
  static let input = FlagCategory("Input and output")
  static let general = FlagCategory("General")
}
