import ChannelCodec
import ChannelRouter

/// What may differ: `PW.start*: $.token`, `pushwoosh.getHWID`, `*: $..time`.
///
/// Before the colon stands a pattern for `CHANNEL` or `CHANNEL.METHOD`, behind it a path in the
/// value that a message carries, or nothing for all of it.
public struct IgnoreRule: Hashable, Sendable, CustomStringConvertible {
  private let calls: Glob
  private let path: PathPattern?
  public let description: String

  /// Reads a rule.
  ///
  /// - Throws: for what is no rule, with the reason.
  public init(_ text: some StringProtocol) throws(PatternError) {
    description = String(text)
    let bytes = Array(text.utf8)
    let colon = IgnoreRule.separator(in: bytes)
    var calls = bytes[..<(colon ?? bytes.count)]
    while let last = calls.last, last <= 0x20 { calls.removeLast() }
    while let first = calls.first, first <= 0x20 { calls.removeFirst() }
    guard !calls.isEmpty else {
      throw PatternError("expected CHANNEL.METHOD: $.PATH, such as PW.start*: $.token")
    }
    self.calls = Glob(String(decoding: calls, as: UTF8.self))
    if let colon {
      var path = bytes[(colon + 1)...]
      while let first = path.first, first <= 0x20 { path.removeFirst() }
      while let last = path.last, last <= 0x20 { path.removeLast() }
      self.path = try PathPattern(String(decoding: path, as: UTF8.self))
    } else {
      path = nil
    }
  }

  /// Whether the rule speaks of a channel's method; nil where a message has none.
  public func concerns(_ channel: ChannelName, method: Value.Text?) -> Bool {
    if calls.matches(channel.utf8) { return true }
    guard let method else { return false }
    return calls.matches(channel.utf8 + [UInt8(ascii: ".")] + method.utf8)
  }

  /// Whether a difference at `path` is passed over.
  public func covers(_ path: ValuePath) -> Bool { self.path?.covers(path) ?? true }

  /// Channel names may hold colons, so the one that counts is followed by a path, or by space.
  private static func separator(in text: [UInt8]) -> Int? {
    for offset in text.indices where text[offset] == UInt8(ascii: ":") {
      guard offset + 1 < text.count else { return offset }
      if text[offset + 1] == UInt8(ascii: "$") || text[offset + 1] <= 0x20 { return offset }
    }
    return nil
  }
}
