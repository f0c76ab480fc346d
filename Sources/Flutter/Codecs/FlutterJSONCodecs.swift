import ChannelCodec
import Foundation

/// Messages as UTF-8 JSON text (`FlutterCodecs.h`).
open class FlutterJSONMessageCodec: NSObject, FlutterMessageCodec {
  private let codec = JSONMessageCodec(profile: .ios)

  public required override init() { super.init() }

  public static func sharedInstance() -> Self { SharedCodecs.instance(self) { self.init() } }

  open func encode(_ message: Any?) -> Data? {
    guard let message else { return nil }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      try codec.encode(try NativeValue.value(of: message)).map { Data($0) }
    }
  }

  open func decode(_ message: Data?) -> Any? {
    // An empty message is none.
    guard let message, !message.isEmpty else { return nil }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      try codec.decode(Array(message)).flatMap { NativeValue.of($0) }
    }
  }
}

/// Method calls and envelopes as UTF-8 JSON text (`FlutterCodecs.h`).
open class FlutterJSONMethodCodec: NSObject, FlutterMethodCodec {
  private let codec = NativeMethodCodec(JSONMethodCodec(profile: .ios))

  public required override init() { super.init() }

  public static func sharedInstance() -> Self { SharedCodecs.instance(self) { self.init() } }

  open func encode(_ methodCall: FlutterMethodCall) -> Data { codec.encode(methodCall) }
  open func decodeMethodCall(_ methodCall: Data) -> FlutterMethodCall {
    codec.decodeMethodCall(methodCall)
  }
  open func encodeSuccessEnvelope(_ result: Any?) -> Data { codec.encodeSuccessEnvelope(result) }
  open func encodeErrorEnvelope(_ error: FlutterError) -> Data { codec.encodeErrorEnvelope(error) }
  open func decodeEnvelope(_ envelope: Data) -> Any? { codec.decodeEnvelope(envelope) }
}
