import ChannelCodec
import ChannelNotation

/// What is expected of a codec, before it is known how strictly.
enum Expectation: Sendable {
  case content(Content, Comparison)
  /// nil is no payload at all.
  case bytes([UInt8]?, Comparison)
  /// Any error; the text is for people.
  case refusal(String)
  /// The platform crashes here: an error and a crash are both right.
  case crash(String)
  /// Nobody should rely on anything.
  case unspecified
}

/// A class of bug that vectors guard against.
struct BugClass: Sendable {
  var name: String
  /// What it does to users.
  var effect: String
}

/// One vector of `Protocol/vectors`.
struct Vector: Sendable {
  /// What a platform does otherwise than the strict profile, by direction.
  struct Reaction: Sendable {
    var decode: Expectation?
    var encode: Expectation?
    var isUnverified = false
  }

  let id: String
  let area: String
  let comment: String
  /// The bugs that it guards against, the most telling first.
  let bugs: [BugClass]
  let codec: NamedCodec.Name
  let decodes: Bool
  let encodes: Bool
  let extensions: [UInt8]
  /// nil where the vector has no payload to decode, or none at all to give.
  let payload: [UInt8]?
  let content: Content?
  let refusal: String?
  let reactions: [Profile: Reaction]

  var extensionTypes: ExtensionTypes {
    var types = ExtensionTypes()
    for type in extensions { types[type] = .oneValue }
    return types
  }

  func reaction(_ profile: Profile) -> Reaction { reactions[profile] ?? Reaction() }

  func decoding(_ profile: Profile) -> Expectation {
    if let own = reaction(profile).decode { return own }
    return refusal.map { .refusal($0) } ?? content.map { .content($0, .exact) } ?? .unspecified
  }

  func encoding(_ profile: Profile) -> Expectation {
    if let own = reaction(profile).encode { return own }
    return refusal.map { .refusal($0) } ?? .bytes(payload, .exact)
  }
}
