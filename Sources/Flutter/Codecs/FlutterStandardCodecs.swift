import ChannelCodec
import Foundation

/// Flutter's own binary messages (`FlutterCodecs.h`), as iOS reads and writes them.
///
/// Reading makes `NSNumber` of numbers and bools, `String`, ``FlutterStandardTypedData``, `[Any]`
/// and `[AnyHashable: Any]`; null is nil at the top and `NSNull` inside. Writing takes those and
/// Swift's own types; an `Int` takes eight bytes, an `Int32` or smaller four.
open class FlutterStandardMessageCodec: NSObject, FlutterMessageCodec {
  private let readerWriter: FlutterStandardReaderWriter
  private let codec = StandardMessageCodec(profile: .ios)

  /// - Parameter readerWriter: a subclass reads and writes types of its own.
  public required init(readerWriter: FlutterStandardReaderWriter) {
    self.readerWriter = readerWriter
  }

  public static func sharedInstance() -> Self {
    SharedCodecs.instance(self) { self.init(readerWriter: FlutterStandardReaderWriter()) }
  }

  open func encode(_ message: Any?) -> Data? {
    guard let message else { return nil }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      if readerWriter.isPlain {
        return try codec.encode(try NativeValue.value(of: message)).map { Data($0) }
      }
      return try readerWriter.write { $0.writeValue(message) }
    }
  }

  open func decode(_ message: Data?) -> Any? {
    // An empty message is none.
    guard let message, !message.isEmpty else { return nil }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      if readerWriter.isPlain {
        return try codec.decode(Array(message)).flatMap { NativeValue.of($0) }
      }
      return try readerWriter.read(message, "standard message") { $0.readValue() }
    }
  }
}

/// Method calls and envelopes in Flutter's own binary form (`FlutterCodecs.h`); see
/// ``FlutterStandardMessageCodec`` for the values.
open class FlutterStandardMethodCodec: NSObject, FlutterMethodCodec {
  private let readerWriter: FlutterStandardReaderWriter
  private let plain = NativeMethodCodec(StandardMethodCodec(profile: .ios))

  /// - Parameter readerWriter: a subclass reads and writes types of its own.
  public required init(readerWriter: FlutterStandardReaderWriter) {
    self.readerWriter = readerWriter
  }

  public static func sharedInstance() -> Self {
    SharedCodecs.instance(self) { self.init(readerWriter: FlutterStandardReaderWriter()) }
  }

  open func encode(_ methodCall: FlutterMethodCall) -> Data {
    if readerWriter.isPlain { return plain.encode(methodCall) }
    return CodecTrouble.noting(Data()) { () throws(CodecError) in
      try readerWriter.write { writer in
        writer.writeValue(methodCall.method)
        writer.write(methodCall.arguments, part: "arguments")
      }
    }
  }

  open func decodeMethodCall(_ methodCall: Data) -> FlutterMethodCall {
    if readerWriter.isPlain { return plain.decodeMethodCall(methodCall) }
    return CodecTrouble.noting(FlutterMethodCall(methodName: "", arguments: nil)) {
      () throws(CodecError) in
      try readerWriter.read(methodCall, "standard method call") { reader in
        let method = reader.readValue()
        let arguments = reader.readValue()
        guard let method = method as? String else {
          reader.fail(
            .invalidMethodCall, at: 0, "the method's name, a string",
            method.map { "\(type(of: $0))" } ?? "null")
          return FlutterMethodCall(methodName: "", arguments: nil)
        }
        return FlutterMethodCall(methodName: method, arguments: arguments)
      }
    }
  }

  open func encodeSuccessEnvelope(_ result: Any?) -> Data {
    if readerWriter.isPlain { return plain.encodeSuccessEnvelope(result) }
    do throws(CodecError) {
      return try readerWriter.write { writer in
        writer.writeByte(0)
        writer.write(result, part: "result")
      }
    } catch {
      return substitute(error)
    }
  }

  open func encodeErrorEnvelope(_ error: FlutterError) -> Data {
    if readerWriter.isPlain { return plain.encodeErrorEnvelope(error) }
    do throws(CodecError) {
      return try readerWriter.write { writer in
        writer.writeByte(1)
        writer.writeValue(error.code)
        writer.write(error.message, part: "message")
        writer.write(error.details, part: "details")
      }
    } catch let trouble {
      return substitute(trouble)
    }
  }

  open func decodeEnvelope(_ envelope: Data) -> Any? {
    if readerWriter.isPlain { return plain.decodeEnvelope(envelope) }
    return CodecTrouble.noting(nil) { () throws(CodecError) in
      try readerWriter.read(envelope, "standard envelope") { reader in
        switch reader.readByte() {
        case 0: return reader.readValue()
        case 1:
          let code = reader.readValue()
          let message = reader.readValue()
          let details = reader.readValue()
          guard let code = code as? String, message == nil || message is String else {
            reader.fail(.invalidEnvelope, at: 1, "a code and a message or null", "other values")
            return nil
          }
          return FlutterError(code: code, message: message as? String, details: details)
        case let flag:
          reader.fail(.invalidEnvelope, at: 0, "00 (success) or 01 (error)", "\(flag)")
          return nil
        }
      }
    }
  }

  private func substitute(_ error: CodecError) -> Data {
    CodecTrouble.note(error)
    return plain.encodeErrorEnvelope(
      FlutterError(
        code: "error", message: "the result cannot be encoded: \(error)", details: nil))
  }
}
