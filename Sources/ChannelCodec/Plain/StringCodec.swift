/// Flutter's StringCodec: the bytes of a string and nothing else
/// (`packages/flutter/lib/src/services/message_codecs.dart`). The empty string is a message of zero
/// bytes, which is not the same as no message.
public struct StringCodec: MessageCodec {
  public var profile: Profile

  public init(profile: Profile = .strict) { self.profile = profile }

  public func encode(_ message: Value.Text?) throws(CodecError) -> [UInt8]? {
    guard let text = message else { return try refuseNull() }
    let rules = EncodingRules.of(profile)
    var bytes = text.utf8
    if rules.cutsAtNUL, let end = bytes.firstIndex(of: 0) { bytes = Array(bytes[..<end]) }
    if case .keepBytes = rules.loneSurrogates { return bytes }
    guard let fault = bytes.withUnsafeBytes({ UTF8Check.firstError(in: $0) }) else { return bytes }
    guard
      let repaired = bytes.withUnsafeBytes({ LoneSurrogates.encode($0, rules.loneSurrogates) })
    else {
      throw CodecError(
        .invalidUTF8, expected: "UTF-8",
        found: "the byte \(Hexadecimal.byte(bytes[fault])) at byte \(fault) of the string",
        platformError: profile == .strict ? nil : "no such value")
    }
    return repaired
  }

  public func decode(_ message: [UInt8]?) throws(CodecError) -> Value.Text? {
    try react(to: message).result.get()
  }

  /// What the platform makes of a message, with remarks.
  public func react(to message: [UInt8]?) -> Reaction<Value.Text?> {
    guard let message else { return Reaction(.success(nil)) }
    guard message.count <= ProfileDecoder.largestMessage else {
      return Reaction(.failure(ProfileDecoder.tooLarge(message.count)))
    }
    let rules = DecodingRules.of(profile)
    if rules.readsIllFormedStringMessageAsNone,
      message.withUnsafeBytes({ UTF8Check.firstError(in: $0) }) != nil
    {
      return Reaction(.success(nil), notes: ["text that is not UTF-8 reads as no message"])
    }
    var decoder = ProfileDecoder(
      message, profile: profile, extensions: .none, maximumDepth: 1)
    let result = Result { () throws(CodecError) -> Value.Text? in
      try decoder.text(0..<message.count)
    }
    return Reaction(result, notes: decoder.notes)
  }

  private func refuseNull() throws(CodecError) -> [UInt8]? {
    guard let platformError = EncodingRules.of(profile).refusesNoString else { return nil }
    throw CodecError(
      .unsupportedValue, expected: "a string", found: "no message", platformError: platformError)
  }
}
