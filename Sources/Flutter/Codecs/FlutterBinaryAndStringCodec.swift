import ChannelCodec
import Foundation

/// Bytes as they are (`FlutterCodecs.h`).
open class FlutterBinaryCodec: NSObject, FlutterMessageCodec {
  public required override init() { super.init() }

  public static func sharedInstance() -> Self { SharedCodecs.instance(self) { self.init() } }

  open func encode(_ message: Any?) -> Data? {
    guard let message else { return nil }
    if let data = message as? Data { return data }
    CodecTrouble.note(
      CodecError(
        .unsupportedValue, expected: "Data or nil", found: "\(type(of: message))",
        consequence: .crash, platformError: "assert"))
    return nil
  }

  open func decode(_ message: Data?) -> Any? { message }
}

/// The UTF-8 bytes of a string and nothing else (`FlutterCodecs.h`).
open class FlutterStringCodec: NSObject, FlutterMessageCodec {
  private let codec = StringCodec(profile: .ios)

  public required override init() { super.init() }

  public static func sharedInstance() -> Self { SharedCodecs.instance(self) { self.init() } }

  open func encode(_ message: Any?) -> Data? {
    guard let message else { return nil }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      guard let text = message as? String else {
        throw CodecError(
          .unsupportedValue, expected: "a string or nil", found: "\(type(of: message))",
          consequence: .crash, platformError: "assert")
      }
      return try codec.encode(Value.Text(text)).map { Data($0) }
    }
  }

  open func decode(_ message: Data?) -> Any? {
    CodecTrouble.noting(nil) { () throws(CodecError) in
      try codec.decode(message.map { Array($0) })?.description
    }
  }
}
