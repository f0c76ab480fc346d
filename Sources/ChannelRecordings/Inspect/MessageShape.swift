/// What a message looks like from its first bytes. Which codec a channel has is only certain at the
/// end of a recording, while its messages have to be counted on the way.
enum MessageShape: UInt8, Sendable {
  /// A string with something behind it: a call of the standard method codec.
  case standardCall
  /// A JSON object that begins with a method's name, as every platform writes it.
  case jsonCall
  /// An envelope from native code: an event, or an error of an event channel.
  case event
  case eventError
  /// No payload: the end of a stream, or a message that is null.
  case noPayload
  case other

  /// The shape of a message, and where in it the method's name stands.
  @inline(__always)
  static func of(
    _ payload: [UInt8]?, _ direction: RecordedEvent.Direction
  ) -> (shape: MessageShape, name: Range<Int>) {
    guard let payload else { return (.noPayload, 0..<0) }
    return payload.withUnsafeBytes { bytes -> (MessageShape, Range<Int>) in
      guard bytes.count > 1 else { return (.other, 0..<0) }
      switch bytes[0] {
      case 7:
        let size = Int(bytes[1])
        // Longer names than that are none.
        if size < 254, size > 0, bytes.count > size &+ 2 { return (.standardCall, 2..<size &+ 2) }
        return (.other, 0..<0)
      case 0 where direction == .nativeToDart: return (.event, 0..<0)
      case 1 where direction == .nativeToDart && bytes[1] == 7: return (.eventError, 0..<0)
      case UInt8(ascii: "{"):
        if let name = jsonMethod(bytes) { return (.jsonCall, name) }
        return (.other, 0..<0)
      default: return (.other, 0..<0)
      }
    }
  }

  private static let jsonStart: [UInt8] = Array(#""method""#.utf8)

  private static func jsonMethod(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var at = 1
    func skipSpace() {
      while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0d).contains(bytes[at]) { at += 1 }
    }
    skipSpace()
    guard bytes[min(at, bytes.count)...].starts(with: jsonStart) else { return nil }
    at += jsonStart.count
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { return nil }
    at += 1
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
    at += 1
    let start = at
    while at < bytes.count, at - start <= 256 {
      if bytes[at] == UInt8(ascii: "\\") { return nil }
      if bytes[at] == UInt8(ascii: "\"") { return at > start ? start..<at : nil }
      at += 1
    }
    return nil
  }
}

/// What an answer says, in the light of the message that it answers.
enum AnswerShape {
  case value
  /// No payload, or an empty one where a method channel expects an envelope.
  case none
  case error

  static func of(
    _ payload: [UInt8]?, to shape: MessageShape, isPigeon: Bool
  ) -> AnswerShape {
    guard let payload else { return .none }
    switch shape {
    case .standardCall:
      guard let flag = payload.first else { return .none }
      return flag == 0 ? .value : .error
    case .jsonCall:
      if payload.isEmpty { return .none }
      return JSONEnvelopeShape.isError(payload) ? .error : .value
    default:
      // Pigeon answers with a list: a result alone, or code, message and details.
      guard isPigeon, payload.count > 2, payload[0] == 12 else { return .value }
      return payload[1] > 1 ? .error : .value
    }
  }
}

/// Tells `[result]` from `[code,message,details]` without reading the values.
enum JSONEnvelopeShape {
  static func isError(_ payload: [UInt8]) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in payload {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: return true
      default: break
      }
    }
    return false
  }
}
