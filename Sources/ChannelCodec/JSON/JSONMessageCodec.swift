/// Messages as UTF-8 JSON text, as Flutter's JSONMessageCodec
/// (`packages/flutter/lib/src/services/message_codecs.dart`).
///
/// Integers that fit 64 bits come back as the narrowest integer value, all other numbers as
/// doubles. JSON has no typed lists, large integers or extension values: a profile that writes
/// typed lists at all writes lists of numbers.
public struct JSONMessageCodec: MessageCodec {
  public let profile: Profile
  public let maximumDepth: Int
  let rules: JSONRules

  /// - Parameters:
  ///   - profile: whose text is written, and whose parser is followed.
  ///   - maximumDepth: how deep lists and maps may nest in a message that is read.
  public init(profile: Profile = .strict, maximumDepth: Int = 512) {
    self.profile = profile
    self.maximumDepth = maximumDepth
    rules = JSONRules.of(profile)
  }

  /// The text of `value`; nil where the platform sends no message for it.
  ///
  /// Throws `unsupportedValue` for what JSON cannot say, and `invalidUTF8` for a string that is no
  /// text, with the path of the value.
  public func encode(_ value: Value?) throws(CodecError) -> [UInt8]? {
    switch (value, rules.nullMessage) {
    case (nil, .nullByte): return Array("null".utf8)
    case (nil, _), (.null, .noMessage): return nil
    case (let value?, _):
      var writer = JSONWriter(rules: rules)
      try writer.append(value)
      return writer.text
    }
  }

  /// The value that `message` holds; nil for no message.
  ///
  /// Throws `emptyMessage`, `invalidUTF8`, `invalidJSON` or `depthExceeded` with the offset of the
  /// first byte that does not fit. What a profile's parser is not known to do is an error with
  /// ``CodecError/Consequence/unspecified``.
  public func decode(_ message: [UInt8]?) throws(CodecError) -> Value? {
    guard let message else { return nil }
    return try JSONValueReader(rules: rules, maximumDepth: maximumDepth).read(message).value
  }
}

extension JSONWriter {
  /// Writes a whole value as the platform holds it: repeated names are merged where its maps cannot
  /// have them. `part` begins the path of an error.
  mutating func append(_ value: Value, part: String? = nil) throws(CodecError) {
    let held = try value.held(by: rules)
    do throws(CodecError) {
      try held.visit(with: &self)
    } catch {
      var located = error
      located.path = ValuePath(
        (part.map { [.part($0)] } ?? []) + path(in: held).components)
      throw located
    }
  }
}
