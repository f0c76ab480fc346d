/// The name of a channel: UTF-8, compared byte by byte, as Dart compares strings. Swift's own
/// `String` would take "é" and "e" with an accent for one name.
public struct ChannelName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Well-formed UTF-8 without NUL.
  public let utf8: [UInt8]

  public init(_ name: String) { utf8 = Array(name.utf8) }
  public init(stringLiteral name: String) { self.init(name) }

  /// nil for bytes that are not UTF-8 or that hold a NUL, which Dart refuses in names as well.
  public init?(validating bytes: some Collection<UInt8>) {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    utf8 = Array(bytes)
  }

  public var description: String { String(decoding: utf8, as: UTF8.self) }
}
