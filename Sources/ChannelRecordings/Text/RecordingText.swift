import ChannelRouter

/// Prints the text form. The same entry is always the same line, so that recordings compare well.
public struct RecordingText: Sendable {
  private let hex = HexTable()

  public init() {}

  /// Adds the line of `event`, newline included.
  public func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
    put("{\"seq\":", &bytes)
    put(event.sequence, &bytes)
    put(",\"t_us\":", &bytes)
    if event.microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    put(event.microseconds.magnitude, &bytes)
    switch event.direction {
    case .dartToNative: put(",\"dir\":\"dart->native\",\"channel\":", &bytes)
    case .nativeToDart: put(",\"dir\":\"native->dart\",\"channel\":", &bytes)
    }
    Self.appendString(event.channel.utf8, to: &bytes)
    put(",\"id\":", &bytes)
    put(event.id, &bytes)
    switch event.kind {
    case .message: put(",\"kind\":\"message\",\"hex\":", &bytes)
    case .reply: put(",\"kind\":\"reply\",\"hex\":", &bytes)
    case .dropped: put(",\"kind\":\"dropped\",\"hex\":", &bytes)
    case .refused: put(",\"kind\":\"refused\",\"hex\":", &bytes)
    }
    if let payload = event.payload {
      bytes.append(UInt8(ascii: "\""))
      hex.append(payload, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    } else {
      put("null", &bytes)
    }
    if case .refused(let refusal) = event.kind {
      put(",\"code\":", &bytes)
      Self.appendString(refusal.code.utf8, to: &bytes)
      put(",\"text\":", &bytes)
      Self.appendString(refusal.text.utf8, to: &bytes)
      if let offset = refusal.offset {
        put(",\"offset\":", &bytes)
        put(UInt64(clamping: offset), &bytes)
      }
    }
    if event.isOneWay { put(",\"oneway\":true", &bytes) }
    if let connection = event.connection {
      put(",\"conn\":", &bytes)
      put(connection, &bytes)
    }
    if !event.unknownFields.isEmpty {
      bytes.append(UInt8(ascii: ","))
      bytes += event.unknownFields
    }
    if let shown = event.shown {
      put(",\"shown\":", &bytes)
      bytes += shown
    }
    put("}\n", &bytes)
  }

  /// The line of `event`, without its newline.
  public func line(_ event: RecordedEvent) -> String {
    var bytes: [UInt8] = []
    append(event, to: &bytes)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// The header's line, without its newline.
  public func line(_ header: RecordingHeader) -> [UInt8] {
    if let source = header.source { return source }
    var bytes = Array("{\"pwbridge\":\"recording\",\"version\":".utf8)
    put(header.version, &bytes)
    put(",\"time\":\"us\"", &bytes)
    if let start = header.startMicroseconds {
      put(",\"start_us\":", &bytes)
      if start < 0 { bytes.append(UInt8(ascii: "-")) }
      put(start.magnitude, &bytes)
    }
    if let software = header.software {
      put(",\"software\":", &bytes)
      Self.appendString(software.utf8, to: &bytes)
    }
    if !header.codecs.entries.isEmpty {
      put(",\"codecs\":", &bytes)
      object(
        header.codecs.entries.map { ($0.channel.utf8, Array($0.codec.rawValue.utf8)) }, &bytes)
    }
    if !header.options.isEmpty {
      put(",\"options\":", &bytes)
      object(header.options.map { (Array($0.name.utf8), Array($0.value.utf8)) }, &bytes)
    }
    if let metadata = header.metadata {
      put(",\"meta\":", &bytes)
      bytes += metadata
    }
    if !header.unknownFields.isEmpty {
      bytes.append(UInt8(ascii: ","))
      bytes += header.unknownFields
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  // MARK: -

  private func object(_ members: [([UInt8], [UInt8])], _ bytes: inout [UInt8]) {
    for (index, member) in members.enumerated() {
      bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
      Self.appendString(member.0, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      Self.appendString(member.1, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Adds a JSON string. Only what JSON demands is escaped, and DEL for the sake of terminals.
  static func appendString(_ utf8: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: bytes += #"\n"#.utf8
      case 0x0d: bytes += #"\r"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0..<0x20, 0x7f:
        bytes += #"\u00"#.utf8
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0xf))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  @inline(__always)
  private func put(_ text: StaticString, _ bytes: inout [UInt8]) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  @inline(__always)
  private func put(_ number: UInt64, _ bytes: inout [UInt8]) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
