import ChannelCodec
import Foundation

/// A method codec of this package, behind the calls of `FlutterMethodCodec`.
struct NativeMethodCodec {
  let codec: any MethodCodec

  init(_ codec: any MethodCodec) { self.codec = codec }

  func encode(_ call: FlutterMethodCall) -> Data {
    CodecTrouble.noting(Data()) { () throws(CodecError) in
      let arguments = try NativeValue.value(of: call.arguments, part: "arguments")
      return Data(try codec.encodeMethodCall(MethodCall(Value.Text(call.method), arguments)))
    }
  }

  func decodeMethodCall(_ data: Data) -> FlutterMethodCall {
    CodecTrouble.noting(FlutterMethodCall(methodName: "", arguments: nil)) {
      () throws(CodecError) in
      let call = try codec.decodeMethodCall(Array(data))
      return FlutterMethodCall(
        methodName: call.method.description, arguments: NativeValue.of(call.arguments))
    }
  }

  func encodeSuccessEnvelope(_ result: Any?) -> Data {
    do throws(CodecError) {
      let value = try NativeValue.value(of: result, part: "result")
      return Data(try codec.encodeEnvelope(.success(value)))
    } catch {
      CodecTrouble.note(error)
      return substitute(error)
    }
  }

  func encodeErrorEnvelope(_ flutterError: FlutterError) -> Data {
    do throws(CodecError) {
      let details = try NativeValue.value(of: flutterError.details, part: "details")
      return Data(
        try codec.encodeEnvelope(
          .error(
            code: Value.Text(flutterError.code),
            message: flutterError.message.map { Value.Text($0) }, details: details)))
    } catch {
      CodecTrouble.note(error)
      return substitute(error)
    }
  }

  func decodeEnvelope(_ data: Data) -> Any? {
    CodecTrouble.noting(nil) { () throws(CodecError) in
      switch try codec.decodeEnvelope(Array(data)) {
      case nil: return nil
      case .success(let value): return NativeValue.of(value)
      case .error(let error):
        return FlutterError(
          code: error.code.description, message: error.message?.description,
          details: NativeValue.of(error.details))
      }
    }
  }

  /// What goes to Dart in the place of something that cannot be written.
  private func substitute(_ error: CodecError) -> Data {
    let envelope = Envelope.error(
      code: "error", message: Value.Text("the result cannot be encoded: \(error)"))
    return (try? codec.encodeEnvelope(envelope)).map { Data($0) } ?? Data()
  }
}
