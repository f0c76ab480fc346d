import ChannelCodec
import ChannelNotation
import CommandLineFlags

extension Flag where Options == BridgeOptions {
  static let codec = Flag.choice(
    FlagDeclaration(
      "codec", short: "c", variable: "CODEC", category: .codec,
      summary: "What the message is",
      details: """
        Must agree with the codec of the channel: MethodChannel sends calls and gets envelopes \
        back, BasicMessageChannel and Pigeon send messages. A call looks much like a message, but \
        it is two values in a row. The verb call takes standard or json, the codec of the channel.
        """,
      fallback: "message", commands: ["decode", "encode", "explain", "call"]),
    of: CodecChoice.self, summary: { $0.summary },
    assign: { $0.codec = $1 })

  static let profile = Flag.choice(
    FlagDeclaration(
      "profile", short: "p", variable: "PROFILE", category: .codec,
      summary: "Whose implementation to behave like",
      details: """
        Flutter's implementations agree on well-formed messages. They differ in which integers \
        they write and in what they make of odd or malformed input, and a profile follows one of \
        them in both.
        """,
      fallback: "strict", commands: ["decode", "encode", "conform"]),
    of: Profile.self, summary: { $0.summary },
    assign: { $0.profile = $1 })

  static let extensions = Flag.text(
    FlagDeclaration(
      "extensions", short: "x", variable: "LIST", category: .codec,
      summary: "Type bytes above 14 that one value follows",
      details: """
        Numbers and ranges from 15 to 255 with commas between them, such as 129-254,255; `pigeon` \
        is short for 128-255, which covers every codec that Pigeon generates, and `none` for no \
        such type. The JSON, string and binary codecs have no types and ignore the list.
        """,
      fallback: "none", commands: ["decode", "encode", "explain"]),
    assign: { (options, text) throws(FlagRefusal) in
      options.extensions = try ExtensionList.types(in: text)
    })

  static let maximumDepth = Flag.number(
    FlagDeclaration(
      "max-depth", variable: "N", category: .codec,
      summary: "How many containers may be nested",
      details: """
        Deeper messages are refused with depthExceeded. From 1 to 100000.
        """,
      fallback: "512", commands: ["decode", "encode", "explain"]),
    in: 1...100_000,
    assign: { $0.maximumDepth = $1 })
}

extension Profile {
  /// Who it is, in a few words.
  var summary: String {
    switch self {
    case .strict: "a careful implementation: refuses all malformed input"
    case .dart: "Dart on the VM, compiled to native code or to WebAssembly"
    case .dartWeb: "Dart compiled to JavaScript, where numbers are doubles"
    case .ios: "iOS and macOS (Objective-C)"
    case .android: "Android (Java)"
    case .windows: "Windows and other C++ embedders"
    case .linux: "Linux (GObject)"
    }
  }
}

/// The notation of `--extensions`.
enum ExtensionList {
  static func types(in text: String) throws(FlagRefusal) -> ExtensionTypes {
    var types = ExtensionTypes.none
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      for type in try range(of: item) { types[type] = .oneValue }
    }
    return types
  }

  private static func range(of item: Substring) throws(FlagRefusal) -> [UInt8] {
    switch item {
    case "none": return []
    case "pigeon": return Array(128...255)
    default: break
    }
    let ends = item.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    var numbers: [UInt8] = []
    for end in ends {
      guard end.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt8(end) else {
        throw FlagRefusal("expected numbers and ranges such as 129-254,255, or pigeon, or none")
      }
      guard number > 14 else {
        throw FlagRefusal("types 0 to 14 belong to the standard codec; extensions begin at 15")
      }
      numbers.append(number)
    }
    guard let first = numbers.first, let last = numbers.last, first <= last else {
      throw FlagRefusal("a range goes from the lower number to the higher one")
    }
    return Array(first...last)
  }
}
