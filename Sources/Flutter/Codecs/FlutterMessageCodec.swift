import ChannelCodec
import Foundation

/// A codec for the messages of a ``FlutterBasicMessageChannel`` (`FlutterCodecs.h`).
public protocol FlutterMessageCodec {
  /// The instance that everybody shares.
  static func sharedInstance() -> Self
  /// The bytes of a message; nil for no message. What the codec cannot write is reported.
  func encode(_ message: Any?) -> Data?
  /// The message in the bytes; nil for none. Bytes that the codec cannot read are reported.
  func decode(_ message: Data?) -> Any?
}

/// A codec for method calls and the envelopes that answer them (`FlutterCodecs.h`).
public protocol FlutterMethodCodec {
  /// The instance that everybody shares.
  static func sharedInstance() -> Self
  /// The bytes of a call. What the codec cannot write is reported, and nothing is in the data.
  func encode(_ methodCall: FlutterMethodCall) -> Data
  /// The call in the bytes. Bytes that hold none are reported; iOS stops at an assertion there.
  func decodeMethodCall(_ methodCall: Data) -> FlutterMethodCall
  /// The bytes of a result. One that the codec cannot write is reported and becomes an error.
  func encodeSuccessEnvelope(_ result: Any?) -> Data
  func encodeErrorEnvelope(_ error: FlutterError) -> Data
  /// The result in the bytes, or a ``FlutterError``.
  func decodeEnvelope(_ envelope: Data) -> Any?
}

/// Passes on what codecs that cannot throw have to complain about.
enum CodecTrouble {
  /// Gets the first complaint of the codec calls that a channel makes.
  final class Collector: @unchecked Sendable {
    var error: CodecError?
  }

  @TaskLocal private static var collector: Collector?

  /// Notes an error for the channel at work, or reports it where there is none.
  static func note(_ error: CodecError) {
    if let collector {
      if collector.error == nil { collector.error = error }
    } else {
      FlutterTrouble.report("\(error)")
    }
  }

  /// What `work` returns, and the first complaint meanwhile.
  static func collecting<Result>(_ work: () -> Result) -> (Result, CodecError?) {
    let collector = Collector()
    let result = $collector.withValue(collector, operation: work)
    return (result, collector.error)
  }

  /// What `work` returns, or the fallback if it throws, with a note.
  static func noting<Result>(
    _ fallback: @autoclosure () -> Result, _ work: () throws(CodecError) -> Result
  ) -> Result {
    do throws(CodecError) {
      return try work()
    } catch {
      note(error)
      return fallback()
    }
  }
}

/// One shared instance for each class of codec.
enum SharedCodecs {
  nonisolated(unsafe) private static var instances: [ObjectIdentifier: AnyObject] = [:]
  private static let lock = NSLock()

  static func instance<Codec: AnyObject>(_ type: Codec.Type, _ make: () -> Codec) -> Codec {
    lock.withLock {
      if let instance = instances[ObjectIdentifier(type)] as? Codec { return instance }
      let instance = make()
      instances[ObjectIdentifier(type)] = instance
      return instance
    }
  }
}
