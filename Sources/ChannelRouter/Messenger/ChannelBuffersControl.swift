extension ChannelBuffers {
  /// Follows a message of `dev.flutter/channel-buffers` (`handleMessage` in
  /// `lib/ui/channel_buffers.dart`, which reads the bytes by hand): `resize` with a channel and an
  /// int32, `overflow` with a channel and a bool, or the older text `resize\r<channel>\r<number>`.
  /// What Dart refuses is reported.
  public func handleControlMessage(_ message: [UInt8]?) {
    do throws(ControlProblem) {
      let message = message ?? []
      if message.first == ControlReader.string {
        try follow(message)
      } else {
        try followText(message)
      }
    } catch {
      onReport(
        MessengerReport(
          .bufferControlMalformed, .error,
          "\(ChannelBuffers.controlChannel): \(error.text)",
          channel: ChannelBuffers.controlChannel))
    }
  }

  private func follow(_ message: [UInt8]) throws(ControlProblem) {
    var reader = ControlReader(message)
    let method = try reader.text("the method's name")
    guard try reader.byte("a list") == 12 else {
      throw ControlProblem("expected a list of arguments at byte \(reader.offset - 1)")
    }
    guard try reader.byte("the list's size") >= 2 else {
      throw ControlProblem("expected a channel and a value at byte \(reader.offset - 1)")
    }
    guard let channel = ChannelName(validating: try reader.text("the channel's name")) else {
      throw ControlProblem("the channel's name is not UTF-8 without NUL")
    }
    let type = try reader.byte("the second argument")
    switch method {
    case Array("resize".utf8):
      // Other widths are refused: senders cast to int32 because of it.
      guard type == 3 else {
        throw ControlProblem("resize takes an int32 (type 3), found type \(type)")
      }
      resize(channel, to: Int(try reader.unsigned()))
    case Array("overflow".utf8):
      guard type == 1 || type == 2 else {
        throw ControlProblem("overflow takes a bool (type 1 or 2), found type \(type)")
      }
      allowOverflow(on: channel, type == 1)
    default:
      throw ControlProblem(
        "unknown method \(String(decoding: method, as: UTF8.self)); there are resize and overflow")
    }
  }

  private func followText(_ message: [UInt8]) throws(ControlProblem) {
    let parts = message.split(separator: 0x0d, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("resize".utf8) else {
      throw ControlProblem(
        "expected a method call, or the text resize, a channel and a number with carriage "
          + "returns between them")
    }
    guard let channel = ChannelName(validating: parts[1]) else {
      throw ControlProblem("the channel's name is not UTF-8 without NUL")
    }
    guard let capacity = Int(String(decoding: parts[2], as: UTF8.self)) else {
      throw ControlProblem("the number is not one")
    }
    resize(channel, to: capacity)
  }
}

private struct ControlProblem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// Reads the few types that control messages are made of.
private struct ControlReader {
  static let string: UInt8 = 7

  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte(_ what: String) throws(ControlProblem) -> UInt8 {
    guard offset < bytes.count else {
      throw ControlProblem("expected \(what) at byte \(offset), found the end")
    }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func text(_ what: String) throws(ControlProblem) -> [UInt8] {
    guard try byte(what) == ControlReader.string else {
      throw ControlProblem("expected \(what) as a string at byte \(offset - 1)")
    }
    let size = Int(try byte("the size of \(what)"))
    guard size < 254 else {
      throw ControlProblem("\(what) is longer than 253 bytes")
    }
    guard size <= bytes.count - offset else {
      throw ControlProblem("\(what) ends behind the message")
    }
    offset += size
    return Array(bytes[offset - size..<offset])
  }

  mutating func unsigned() throws(ControlProblem) -> UInt32 {
    guard bytes.count - offset >= 4 else {
      throw ControlProblem("expected 4 bytes at byte \(offset)")
    }
    offset += 4
    return bytes[offset - 4..<offset].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
