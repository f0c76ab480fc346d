/// Flutter's BinaryCodec: bytes as they are
/// (`packages/flutter/lib/src/services/message_codecs.dart`).
public struct BinaryCodec: MessageCodec {
  public init() {}

  public func encode(_ message: [UInt8]?) -> [UInt8]? { message }
  public func decode(_ message: [UInt8]?) -> [UInt8]? { message }
}
